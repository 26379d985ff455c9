
import{O as e,k as t}from"./first.js";import{A as n,O as r,S as i,T as a,l as o,w as s}from"./common.js";import{M as c,N as l,P as u,_ as d,a as f,d as p,v as m}from"./overlay.js";const h=[`dark`,`bright`,`own`],g=`preview`,[_,v]=[800,450];async function y(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:_,height:v}),r=Math.max(_/t.width,v/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(_-i)/2,(v-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function b(){let[e,n]=s(`dark`),[r,i]=s(t.get(g));return{name:e,setName:n,picture:r,read:async e=>{let r=await y(e);t.set(g,r),i(r),n(`own`)}}}function x({background:{name:e,setName:t,picture:r,read:a}}){let{say:o}=i(),[c,l]=s(!1);return n`<fieldset class="backgrounds">
    <legend>${o(`alerts.background`)}</legend>
    ${h.filter(e=>e!==`own`||r).map(r=>n`<label key=${r}>
        <input type="radio" name="background" checked=${r===e} onChange=${()=>t(r)} />
        ${o(`alerts.background.${r}`)}</label>`)}
    <${f} label=${o(r?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{l(!1),a(e).catch(()=>l(!0))}} />
    ${c&&n`<span class="bad" role="alert">${o(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const S={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},C=e=>Math.min(2,Math.max(0,e));function w(e){let{say:t}=i(),n=u(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function T({place:e,onMove:t}){let{say:a}=i(),o=r(null),s=u(e),d=s??c[0];return n`<div class="place-choice">
    <div class="pad" ref=${o} role="radiogroup" aria-label=${a(`alerts.position`)} onKeyDown=${e=>{let n=S[e.key];if(!n)return;e.preventDefault();let r=c.indexOf(d),i=C(Math.floor(r/3)+n[1])*3+C(r%3+n[0]);t(l(c[i])),o.current.children[i].focus()}}>
      ${c.map(e=>n`<button key=${e} role="radio" aria-checked=${e===s}
    tabindex=${e===d?0:-1} aria-label=${a(`position.${e}`)}
    onClick=${()=>t(l(e))}></button>`)}
    </div>
    <p><strong>${a(`alerts.position`)}: ${w(e)}</strong><br />
      <span class="quiet">${a(`alerts.place`)} <span class="keys">${a(`alerts.place_keys`)}</span> ${a(`alerts.only_here`)}</span></p>
  </div>`}const E=[0,50,100],D=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function O(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function k(e,t){return E.find(n=>Math.abs((e-n)/100*t)<=8)??D(e)}function A(e,t,n){let r=r=>t[r]>0?k(D(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const j=(e,t,n)=>({x:D(e.x+t),y:D(e.y+n)}),M=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),N=({x:e,y:t})=>({x:E.includes(e)?e:null,y:E.includes(t)?t:null}),P={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},F={width:.4,height:.24};function I(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function L({frame:e,settings:{place:t,margin:a},onDrag:o,onMove:c}){let{say:l}=i(),u=r(null),d=r(null),[f,p]=s(null),[,m]=s(0),h=()=>{d.current=I(e.current)??d.current,m(e=>e+1)},{clientWidth:g=0,clientHeight:_=0}=u.current??{},v={width:g,height:_},y=d.current??{width:g*F.width,height:_*F.height},b=O(v,y,a),x=f?.place??t,S=e=>{e.button===0&&(h(),u.current.setPointerCapture(e.pointerId),p({place:t,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!f)return h();let n={x:e.clientX-f.x,y:e.clientY-f.y},r=f.hasMoved||Math.hypot(n.x,n.y)>3;if(!r)return;let i=A(t,b,n);p({...f,place:i,hasMoved:r}),o(i)},T=e=>{if(!f)return;if(p(null),f.hasMoved)return c(f.place);let{left:n,top:r}=u.current.getBoundingClientRect(),i=M(t,b),a={x:e.clientX-n-i.left-y.width/2,y:e.clientY-r-i.top-y.height/2};return Math.abs(a.x)<y.width/2&&Math.abs(a.y)<y.height/2?void 0:c(A(t,b,a))},E=e=>{let n=P[e.key];if(!n)return;e.preventDefault();let[r,i]=n.map(t=>t*(e.shiftKey?10:1));c(j(t,r,i))},{left:D,top:k}=M(x,b),L={left:`${D}px`,top:`${k}px`,width:`${y.width}px`,height:`${y.height}px`},z=w(x);return n`<div class=${`places ${f?.hasMoved?`dragging`:``}`} ref=${u} onPointerEnter=${h}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${T} onPointerCancel=${()=>p(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${R} on=${f?.hasMoved?N(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${L} onFocus=${h} onKeyDown=${E}
      aria-label=${`${l(`alerts.move`)}: ${z}`}><span>${z}</span></button>
  </div>`}function R({on:e}){let t=t=>[0,50,100].map(r=>{let i=e[t]===r?`on`:``;return n`<i key=${`${t}${r}`} class=${`guide ${t} at-${r} ${i}`}></i>`});return[...t(`x`),...t(`y`)]}function z(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function B(t){let{overlay:c,values:l,settings:u,kind:f,rule:h,amount:g,setAmount:_}=t,{plays:v,play:y,test:S,muted:C,onMove:w,onEnable:E}=t,{say:D,connected:O}=i(),k=r(null),A=b(),[j,M]=s(!1),N=r(v);a(()=>{let e=({source:e,data:t})=>{e===k.current?.contentWindow&&t===`ready`&&M(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:P,position:F,...I}=l,R=e=>k.current.contentWindow.postMessage(e,location.origin),B=e=>({settings:z(l,f,e),muted:C||!e,data:m(f,g,D)}),V=r(B);V.current=B,a(()=>{if(!j)return;let e=N.current!==v,t=setTimeout(()=>{N.current=v,R(V.current(e))},e?0:250);return()=>clearTimeout(t)},[j,JSON.stringify(I),f,g,v,C]);let H=e=>{let t=B(!1);R({...t,settings:{...t.settings,place:e},isMove:!0})};a(()=>j?H(u.place):void 0,[j,u.place.x,u.place.y]);let U=j||O,W=A.name===`own`?{backgroundImage:`url("${A.picture}")`}:{},G=d(f)&&g<h.minimum,K=D(`kind.${f}`);return n`<section class="alert-preview" aria-label=${D(`alerts.preview`)}><div class="kept">
    <div class=${`scene ${A.name}`} style=${W}>
      ${U&&n`<iframe ref=${k} src=${`${e}/overlay/preview/#overlay=${c.overlay_id}`}
        title=${D(`alerts.preview`)} tabindex="-1"></iframe>`}
      <${L} frame=${k} settings=${u} onDrag=${H} onMove=${w} />
    </div>
    <div class="card">
      <div class="bar test-bar">
        <button onClick=${y} disabled=${!U}>▶ ${D(`alerts.play`)}</button>
        ${f!==`stamp`&&n`<${o} class="main" aria-label=${D(`alerts.test_of`,{kind:K})} busy=${S.busy}
          onClick=${()=>S.send(f,g)}>${D(`alerts.test`)}<//>`}
        <p class="bar" role="status">
          ${S.note||G&&D(`alerts.below`,{minimum:h.minimum})}
          ${S.off&&n`<${o} onClick=${()=>E(S.off??``)}>${D(`alerts.turn_on`)}<//>`}
        </p>
      </div>
      ${d(f)&&n`<${p} kind=${f} rule=${h} amount=${g} setAmount=${_} />`}
      <${T} place=${u.place} onMove=${w} />
      <${x} background=${A} />
    </div>
  </div></section>`}export{B as Preview};