
import{a as e,d as t,g as n,u as r}from"./forms.js";import{C as i,E as a,O as o,S as s,f as c,g as l,h as u,l as d,p as f,t as p,u as m,x as h}from"./common.js";import{C as g,S as _,T as v,a as y,s as b,u as x,v as S,w as C}from"./overlay.js";import{a as w,c as T,i as E,l as D,o as O,s as k,t as A}from"./kinds.js";import{O as j,k as M,p as N}from"./first.js";const P=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function F({kind:e,rule:t,amount:n,setAmount:r}){let{say:i}=h(),a=T(e,t),s=Math.max(0,a.filter(e=>e<=n).length-1),c=P(t,n),l=i(`kind.${e}`),u=c?i(`alerts.variation_of`,{kind:l,minimum:c.minimum}):l,d=e=>t.variations.some(({minimum:t})=>t===e);return o`<div class="amount-slider">
    <label>
      <span>${i(`alerts.test_amount`)} <strong>${i.number(n)}</strong></span>
      <input type="range" min="0" max=${a.length-1} step="1" value=${s}
        aria-valuetext=${`${i.number(a[s])}: ${u}`}
        onInput=${e=>r(a[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${a.map(e=>o`<span key=${e} class=${d(e)?`minimum`:``}>${i.compact(e)}</span>`)}
    </div>
    ${t.variations.length>0&&o`<p class="played">
      <span class="swatch" style=${{background:_(e,n,(c??t).color)}}></span>
      ${i(`alerts.plays`)} <strong>${u}</strong></p>`}
  </div>`}function I({settings:e,selected:t,onSelect:n,onEnable:r}){let{say:i}=h();return o`<section class="card alert-list" aria-label=${i(`alerts.list`)}>
    <ul>
      ${A.map(i=>o`<${L} key=${i} kind=${i} rule=${k(e,i)} settings=${e}
        isSelected=${i===t} onSelect=${n} onEnable=${r} />`)}
    </ul>
  </section>`}function L({kind:e,rule:t,settings:n,isSelected:r,onSelect:i,onEnable:a}){let{say:s}=h(),c=s(`kind.${e}`),l=s(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),u=t.sound===`none`?``:` · ♪ ${s(`sound.${t.sound}`)}`,d=t.variations.map(({minimum:e})=>`≥\u00a0${s.number(e)}`).reverse();return o`<li class=${t.enabled?``:`off`}>
    <input type="checkbox" checked=${t.enabled} aria-label=${s(`alerts.enabled_of`,{kind:c})}
      onChange=${t=>a(e,t.currentTarget.checked)} ...${m()} />
    <button aria-current=${r?`true`:void 0} onClick=${()=>i(e)}>
      <${f} name=${e} />
      <span class="alert-name">${c}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${l}${u}`:s(`alerts.off`)}</small>
      ${d.length>0&&o`<small>${d.join(` · `)}</small>`}
    </button>
  </li>`}const R=[`dark`,`bright`,`own`],z=`preview`,[B,V]=[800,450];async function H(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:B,height:V}),r=Math.max(B/t.width,V/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(B-i)/2,(V-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function U(){let[e,t]=s(`dark`),[n,r]=s(M.get(z));return{name:e,setName:t,picture:n,read:async e=>{let n=await H(e);M.set(z,n),r(n),t(`own`)}}}function W({background:{name:e,setName:t,picture:n,read:r}}){let{say:i}=h(),[a,c]=s(!1);return o`<fieldset class="backgrounds">
    <legend>${i(`alerts.background`)}</legend>
    ${R.filter(e=>e!==`own`||n).map(n=>o`<label key=${n}>
        <input type="radio" name="background" checked=${n===e} onChange=${()=>t(n)} />
        ${i(`alerts.background.${n}`)}</label>`)}
    <${x} label=${i(n?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{c(!1),r(e).catch(()=>c(!0))}} />
    ${a&&o`<span class="bad" role="alert">${i(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const G={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},K=e=>Math.min(2,Math.max(0,e));function ee(e){let{say:t}=h(),n=v(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function te({place:e,onMove:t}){let{say:n}=h(),r=a(null),i=v(e),s=i??g[0];return o`<div class="place-choice">
    <div class="pad" ref=${r} role="radiogroup" aria-label=${n(`alerts.position`)} onKeyDown=${e=>{let n=G[e.key];if(!n)return;e.preventDefault();let i=g.indexOf(s),a=K(Math.floor(i/3)+n[1])*3+K(i%3+n[0]);t(C(g[a])),r.current.children[a].focus()}}>
      ${g.map(e=>o`<button key=${e} role="radio" aria-checked=${e===i}
    tabindex=${e===s?0:-1} aria-label=${n(`position.${e}`)}
    onClick=${()=>t(C(e))}></button>`)}
    </div>
    <p><strong>${n(`alerts.position`)}: ${ee(e)}</strong><br />
      <span class="quiet">${n(`alerts.place`)}</span></p>
  </div>`}const q=[0,50,100],J=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function ne(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function re(e,t){return q.find(n=>Math.abs((e-n)/100*t)<=8)??J(e)}function Y(e,t,n){let r=r=>t[r]>0?re(J(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const ie=(e,t,n)=>({x:J(e.x+t),y:J(e.y+n)}),X=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),ae=({x:e,y:t})=>({x:q.includes(e)?e:null,y:q.includes(t)?t:null}),oe={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Z={width:.4,height:.24};function se(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function ce({frame:e,settings:{place:t,margin:n},onDrag:r,onMove:i}){let{say:c}=h(),l=a(null),u=a(null),[d,f]=s(null),[,p]=s(0),m=()=>{u.current=se(e.current)??u.current,p(e=>e+1)},{clientWidth:g=0,clientHeight:_=0}=l.current??{},v={width:g,height:_},y=u.current??{width:g*Z.width,height:_*Z.height},b=ne(v,y,n),x=d?.place??t,S=e=>{e.button===0&&(m(),l.current.setPointerCapture(e.pointerId),f({place:t,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!d)return;let n={x:e.clientX-d.x,y:e.clientY-d.y},i=d.hasMoved||Math.hypot(n.x,n.y)>3;if(!i)return;let a=Y(t,b,n);f({...d,place:a,hasMoved:i}),r(a)},w=e=>{if(!d)return;if(f(null),d.hasMoved)return i(d.place);let{left:n,top:r}=l.current.getBoundingClientRect(),a=X(t,b),o={x:e.clientX-n-a.left-y.width/2,y:e.clientY-r-a.top-y.height/2};return Math.abs(o.x)<y.width/2&&Math.abs(o.y)<y.height/2?void 0:i(Y(t,b,o))},T=e=>{let n=oe[e.key];if(!n)return;e.preventDefault();let[r,a]=n.map(t=>t*(e.shiftKey?10:1));i(ie(t,r,a))},{left:E,top:D}=X(x,b),O={left:`${E}px`,top:`${D}px`,width:`${y.width}px`,height:`${y.height}px`},k=ee(x);return o`<div class=${`places ${d?.hasMoved?`dragging`:``}`} ref=${l} onPointerEnter=${m}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${w} onPointerCancel=${()=>f(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${le} on=${d?.hasMoved?ae(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${O} onFocus=${m} onKeyDown=${T}
      aria-label=${`${c(`alerts.move`)}: ${k}`}><span>${k}</span></button>
  </div>`}function le({on:e}){let t=t=>[0,50,100].map(n=>{let r=e[t]===n?`on`:``;return o`<i key=${`${t}${n}`} class=${`guide ${t} at-${n} ${r}`}></i>`});return[...t(`x`),...t(`y`)]}function ue(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function de(e){let{overlay:t,values:n,settings:r,kind:c,rule:l,amount:u,setAmount:f}=e,{plays:p,play:m,test:g,muted:_,onMove:v,onEnable:y}=e,{say:b}=h(),x=a(null),S=U(),[C,T]=s(!1),E=a(p);i(()=>{let e=({source:e,data:t})=>{e===x.current?.contentWindow&&t===`ready`&&T(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:D,position:k,...A}=n,M=e=>x.current.contentWindow.postMessage(e,location.origin),N=e=>({settings:ue(n,c,e),muted:_||!e,data:O(c,u,b)});i(()=>{if(!C)return;let e=E.current!==p,t=setTimeout(()=>{E.current=p,M(N(e))},e?0:250);return()=>clearTimeout(t)},[C,JSON.stringify(A),c,u,p,_]);let P=e=>{let t=N(!1);M({...t,settings:{...t.settings,place:e},isMove:!0})};i(()=>C?P(r.place):void 0,[C,r.place.x,r.place.y]);let I=S.name===`own`?{backgroundImage:`url("${S.picture}")`}:{},L=w(c)&&u<l.minimum,R=b(`kind.${c}`);return o`<section class="alert-preview" aria-label=${b(`alerts.preview`)}><div class="kept">
    <div class=${`scene ${S.name}`} style=${I}>
      <iframe ref=${x} src=${`${j}/overlay/preview/#overlay=${t.overlay_id}`}
        title=${b(`alerts.preview`)} tabindex="-1"></iframe>
      <${ce} frame=${x} settings=${r} onDrag=${P} onMove=${v} />
    </div>
    <div class="card">
      <div class="bar test-bar">
        <button onClick=${m}>▶ ${b(`alerts.play`)}</button>
        ${c!==`stamp`&&o`<${d} class="main" aria-label=${b(`alerts.test_of`,{kind:R})}
          onClick=${()=>g.send(c,u)}>${b(`alerts.test`)}<//>`}
        <p class="bar" role="status">
          ${g.note||L&&b(`alerts.below`,{minimum:l.minimum})}
          ${g.off&&o`<${d} onClick=${()=>y(g.off??``)}>${b(`alerts.turn_on`)}<//>`}
        </p>
      </div>
      ${w(c)&&o`<${F} kind=${c} rule=${l} amount=${u} setAmount=${f} />`}
      <${te} place=${r.place} onMove=${v} />
      <${W} background=${S} />
    </div>
  </div></section>`}function Q(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?Q(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?Q(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function fe(e){let{client:t,subscribe:n}=h(),r=`/overlays/${e.overlay_id}`,[o,c]=s(e.settings??{}),[l,u]=s({paused:e.paused,muted:e.muted}),[d,f]=s(``),[p,m]=s(null),g=a(o),_=a(null),v=a(null),y=a(/* @__PURE__ */ new Set),b=a(0),x=a(Promise.resolve(!0)),C=async e=>{b.current+=1;let n=b.current;f(`alerts.saving`),e.settings&&y.current.add(JSON.stringify(e.settings));try{return await t.patch(r,e),m(null),n===b.current&&!_.current&&f(`alerts.saved`),!0}catch(e){return f(``),m(e),!1}},w=e=>(x.current=C(e),x.current),T=()=>(clearTimeout(v.current),_.current=null,w({settings:g.current}));return i(()=>()=>{clearTimeout(v.current),_.current&&t.patch(r,{settings:_.current}).catch(()=>{})},[]),i(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===r&&n&&(u({paused:n.paused,muted:n.muted}),_.current||y.current.has(JSON.stringify(n.settings))||(g.current=n.settings??{},c(g.current)))}),[]),{path:r,values:o,settings:S(o),flags:l,state:d,error:p,setError:m,change:(e,t)=>{let n=Q(g.current,e,t);g.current=n,c(n),_.current=n,f(`alerts.saving`),clearTimeout(v.current),v.current=setTimeout(T,300)},show:(e,t)=>c(Q(g.current,e,t||void 0)),flush:T,settle:()=>_.current?T():x.current.then(e=>e||T()),toggle:e=>{u({...l,[e]:!l[e]}),w({[e]:!l[e]})}}}function pe({settings:e,flags:t,settle:n},r){let{client:i,say:a}=h(),[o,c]=s({note:``,off:null}),l=(e,t=null)=>c({note:e,off:t}),u=async(o,s)=>{let{enabled:c,minimum:u}=k(e,o);if(r(),!c)return l(a(`alerts.is_off`,{kind:a(`kind.${o}`)}),o);if(w(o)&&s<u)return l(a(`alerts.below`,{minimum:u}));if(l(`…`),!await n())return l(``);try{return await i.post(`/alerts`,{test:D(o,s,a)}),l(a(t.paused?`alerts.sent_paused`:await b(i)))}catch(e){let t=e;return l(t.isRetryable?a(`unreachable`):t.detail??t.message)}};return{...o,send:u,clear:()=>l(``)}}const $=`alerts/addresses.css`,me=`alerts/properties.css`,he=e(()=>N(Promise.all([import(`./addresses2.js`),import(`./addresses.js`)]).then(([module])=>module),$).then(({Addresses:e})=>e)),ge=e(()=>Promise.all([import(`./look.js`),import(`./overlay.js`),import(`./forms.js`)]).then(([module])=>module).then(({Look:e})=>e)),_e=e(e=>e.withTexts(N(Promise.all([import(`./properties.js`),import(`./overlay.js`),import(`./forms.js`),import(`./template.js`),import(`./kinds.js`)]).then(([module])=>module),me),`stream`).then(({Properties:e})=>e)),ve=e(()=>N(Promise.all([import(`./variations.js`),import(`./overlay.js`),import(`./forms.js`),import(`./template.js`),import(`./kinds.js`)]).then(([module])=>module),me).then(({Variations:e})=>e)),ye=e(()=>N(Promise.all([import(`./widgets.js`),import(`./overlay.js`),import(`./addresses.js`),import(`./forms.js`)]).then(([module])=>module),$).then(({Widgets:e})=>e));function be({overlay:e,title:t,create:i,reload:a}){let{client:c,say:l,parameters:f,setParameters:p}=h(),m=fe(e),{settings:g,flags:_,change:b}=m,x=A.includes(f.get(`kind`))?f.get(`kind`):A[0],S=k(g,x),[C,T]=s({}),[D,O]=s(0),j=C[x]??Math.max(E(x),S.minimum),M=e=>T({...C,[x]:e}),N=()=>O(e=>e+1),F=pe(m,N),L=e=>{p({kind:e}),F.clear()},R=async()=>{let e=Object.values(g.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),t=new Set(e.flatMap(e=>e?.document_id??[]));try{await c.delete(m.path),await Promise.all([...t].map(e=>c.delete(`/documents/${e}`).catch(()=>{}))),a()}catch(e){m.setError(e)}},z=e=>c.patch(m.path,{name:e}).then(a,m.setError),B=e=>{let t=v(e);t&&b([`position`],t),b([`place`],t?void 0:e)},V=(e,t)=>b([`alerts`,e,`enabled`],t),H=(e,t,n)=>o`<${d} aria-pressed=${_[e]} onClick=${()=>m.toggle(e)}>
      ${l(_[e]?n:t)}
    <//>`,U=(e,t)=>b([`alerts`,x,...e],t),W=(e,t)=>m.show([`alerts`,x,...e],t),G={alerts:l(`nav.alerts`),widgets:l(`alerts.widgets`),urls:l(`alerts.address`),overlay:l(`alerts.look`)},K=o`<section class="card alert-theme">
    <${y} theme=${g.theme} onChange=${e=>b([`theme`],e)} />
  </section>
  <div class="alert-editor">
    <${I} settings=${g} selected=${x} onSelect=${L} onEnable=${V} />
    <${de} overlay=${e} values=${m.values} settings=${g} kind=${x} rule=${S}
      amount=${j} setAmount=${M} plays=${D} play=${N} test=${F} muted=${_.muted}
      onMove=${B}
      onEnable=${e=>(V(e,!0),F.clear())} />
    <${_e} key=${x} kind=${x} rule=${S} values=${m.values} settings=${g}
      amount=${j} change=${U} show=${W} flush=${m.flush} />
    ${w(x)&&o`<section class="alert-variations" aria-label=${l(`alerts.variations`)}>
      <${ve} key=${`variations ${x}`} kind=${x} rule=${S} settings=${g}
        change=${U} show=${W} raw=${m.values.alerts?.[x]?.variations} flush=${m.flush}
        played=${P(S,j)?.minimum}
        onTest=${e=>(M(e),F.send(x,e))} />
    </section>`}
  </div>`;return o`<div class="bar spread alert-bar">
      <div class="bar">${t}</div>
      <div class="bar">
        <span class="quiet" role="status">${m.state&&l(m.state)}</span>
        ${H(`paused`,`queue.pause`,`queue.resume`)} ${H(`muted`,`alerts.mute`,`alerts.unmute`)}
      </div>
    </div>
    <${u} error=${m.error} onRetry=${m.error&&m.flush} />
    <${n} label=${l(`nav.alerts`)} names=${G}>
      ${t=>o`${t===`alerts`&&K}
        ${t===`widgets`&&o`<${ye} overlay=${e} settings=${g} change=${b} />`}
        ${t===`urls`&&o`<${he} overlay=${e} />`}
        ${t===`overlay`&&o`<${ge} name=${e.name} rename=${z} settings=${g}
            change=${b} />
          <p class="bar"><${d} onClick=${i}>${l(`alerts.another`)}<//> <${r} className="bad" label=${l(`alerts.delete`)}
            description=${l(`delete_of`,{name:e.name})} question=${l(`alerts.delete_sure`)}
            note=${l(`alerts.delete_note`)} act=${R} /></p>`}`}
    <//>`}const xe=({overlay_id:e,name:t})=>({value:String(e),label:t});function Se(){let{client:e,say:n,connected:r,parameters:i,setParameters:a}=h(),{value:f,error:m,reload:g}=p(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=s(null),y=()=>{let t=(f?.length??0)+1,r=`${n(`alerts.first_name`)}${t>1?` ${t}`:``}`;e.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),a({overlay:String(e.overlay_id)}),g()},v)};if(!f||f.length===0&&!r){let e=m??_;return o`<h1>${n(`nav.alerts`)}</h1>
      ${e?o`<${u} error=${e} onRetry=${g} />`:o`<${l} rows=${6} />`}`}let b=f.find(({overlay_id:e})=>String(e)===i.get(`overlay`))??f[0],x=o`<h1>${n(`nav.alerts`)}</h1>
    ${f.length>1&&o`<${t} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
      onChange=${e=>a({overlay:e.currentTarget.value})}
      options=${f.map(xe)} />`}`;return o`<${u} error=${_} />
    ${f.length===0?o`${x}<${c}>${n(`alerts.empty`)}
          <${d} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:o`<${be} key=${b.overlay_id} overlay=${b} title=${x} create=${y}
          reload=${g} />`}`}export{Se as View};