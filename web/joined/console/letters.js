
import{A as e,B as t,D as n,G as r,M as i,N as a,O as o,P as s,R as c,S as l,U as u,V as d,_ as f,a as p,b as m,d as h,g,j as _,v,x as y,y as b,z as x}from"./common.js";import{a as S,i as C,n as w,r as T,t as E}from"./picture.js";import{S as D}from"./first.js";const O=[{name:`ring`,wax:`#9c2230`,emblem:`M0-26a26 26 0 1 0 .1 0ZM0-15a15 15 0 1 1-.1 0ZM0-6a6 6 0 1 0 .1 0Z`},{name:`heart`,wax:`#b3203f`,emblem:`M0 26C-36-2-32-27-14-27-6-27 0-20 0-15 0-20 6-27 14-27 32-27 36-2 0 26Z`},{name:`star`,wax:`#8a5a12`,emblem:`M0-30 8.500-10 30-9 13 5 19 26 0 14-19 26-13 5-30-9-8.500-10Z`},{name:`paw`,wax:`#6b4a33`,emblem:`M0 0C11 0 20 11 20 19 20 28 8 26 0 26S-20 28-20 19C-20 11-11 0 0 0ZM-23-9a7 9 0 1 0 .1 0ZM23-9a7 9 0 1 0 .1 0ZM-9-27a7 10 0 1 0 .1 0ZM9-27a7 10 0 1 0 .1 0Z`},{name:`crown`,wax:`#7a2f8f`,emblem:`M-28 20-30-14-14 0 0-24 14 0 30-14 28 20ZM-28 24H28V29H-28Z`},{name:`bolt`,wax:`#2f4f9c`,emblem:`M8-31-20 5H-3L-9 31 21-8H3Z`},{name:`leaf`,wax:`#2a6b45`,emblem:`M-25 27C-27-8-4-27 27-27 29 6 11 25-13 20L-20 28ZM-15 13C-6-2 3-10 16-17 4-6-4 3-10 16Z`},{name:`moon`,wax:`#3d3f75`,emblem:`M8-29A29 29 0 1 0 27 14 24 24 0 0 1 8-29ZM20-22l3 7 7 1-5.500 5 1.500 7-6-4-6 4 1.500-7-5.500-5 7-1Z`},{name:`key`,wax:`#27666b`,emblem:`M-14-22a14 14 0 1 1-.1 0ZM-14-14a6 6 0 1 0 .1 0ZM0-12H30V0H24V9H17V0H11V6H5V0H0Z`},{name:`flower`,wax:`#a03a6d`,emblem:ne(6)}],k=O.length,ee=O.map((e,t)=>t),te={y:46,"text-anchor":`middle`,"font-weight":700,fill:`#fff`,"stroke-width":9,"stroke-linejoin":`round`,"paint-order":`stroke`};function ne(e){let t=e=>{let[t,n]=[Math.cos(e)*18,Math.sin(e)*18];return`M${(t-9.5).toFixed(1)} ${n.toFixed(1)}a9.500 9.500 0 1 0 19 0 9.500 9.500 0 1 0-19 0Z`};return`${Array.from({length:e},(n,r)=>t(r/e*2*Math.PI)).join(``)}M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z`}function re(e){let t=t=>46+2.6*Math.sin(t*2.4+e*1.7)+1.6*Math.sin(t*4.1+e),n=e=>{let n=e/14*2*Math.PI,r=t(e%14);return[Math.cos(n)*r,Math.sin(n)*r]},r=e=>e.map(e=>e.toFixed(1)).join(` `),i=([e,t],[n,i])=>r([(e+n)/2,(t+i)/2]),a=e=>`Q${r(n(e))} ${i(n(e),n(e+1))}`;return`M${i(n(13),n(0))}${Array.from({length:14},(e,t)=>a(t)).join(``)}Z`}function A(e){let{name:t,wax:n,emblem:r}=O[(e%k+k)%k],i=[{d:re(e%1e3),fill:n,stroke:`rgb(0 0 0 / 30%)`,width:2.5},{d:`M-41-6A42 42 0 0 1 4-41`,stroke:`rgb(255 255 255 / 45%)`,width:4},{d:`M41 8A42 42 0 0 1-2 42`,stroke:`rgb(0 0 0 / 22%)`,width:5},{d:`M-35 0a35 35 0 1 0 70 0 35 35 0 1 0-70 0Z`,fill:`rgb(0 0 0 / 16%)`},{d:`M-33 10A34.500 34.500 0 0 1 24-25`,stroke:`rgb(0 0 0 / 32%)`,width:2.5},{d:`M33-10A34.500 34.500 0 0 1-24 25`,stroke:`rgb(255 255 255 / 38%)`,width:2},{d:r,fill:`rgb(0 0 0 / 40%)`,at:2},{d:r,fill:n,at:.7},{d:r,fill:`rgb(255 255 255 / 86%)`}],a=e>=0&&e<k?``:String(e),o=Math.min(22,150/a.length);return{name:t,layers:i,number:a,digits:{...te,stroke:n,"font-size":o}}}function j({seal:e}){let{layers:t,number:n,digits:i}=A(e);return r`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    ${t.map(({d:e,fill:t=`none`,stroke:n,width:i,at:a=0})=>r`<path d=${e} fill=${t} fill-rule="evenodd"
      stroke=${n} stroke-width=${i} stroke-linecap="round" transform=${`translate(${a} ${a})`} />`)}
    ${n&&r`<text ...${i}>${n}</text>`}
  </svg>`}function M({selected:e,onChoose:t,...n}){let{say:i}=c();return r`<div class="seals" role="group" aria-label=${i(`letters.seal`)}>
    ${ee.map(a=>{let o=i(`seal.${A(a).name}`),s=i(`letters.seal_of`,{name:o,number:String(a)});return r`<button aria-pressed=${a===e} aria-label=${s} title=${o}
        onClick=${()=>t(a)} ...${n}><${j} seal=${a} /> <span>${o}</span></button>`})}
  </div>`}function N(e,t){let n=Math.min(e,t),r=n*.24,i=r/2+n*.03;return{x:e-i,y:t-i,size:r}}async function ie(e){let t=new Image;return t.crossOrigin=`anonymous`,t.src=e,await t.decode(),t}function P(e,{x:t,y:n,rotation:r=0,scale:i},a){e.save(),e.translate(t,n),e.rotate(r),e.scale(i,i),a(),e.restore()}function ae(e,{stamp_type:t,pos_x:n,pos_y:r,rotation:i},a,o){P(e,{x:n,y:r,rotation:i,scale:a/100},()=>{if(e.lineJoin=`round`,e.strokeStyle=`#fff`,Object.hasOwn(E,t)){let{path:n,shine:r,fill:i}=E[t],o=new Path2D(n);e.lineWidth=9,e.shadowColor=`rgb(0 0 0 / 40%)`,e.shadowBlur=e.shadowOffsetY=a*.04,e.stroke(o),e.shadowColor=`transparent`,e.fillStyle=i,e.fill(o),Object.assign(e,{strokeStyle:w,lineCap:`round`,lineWidth:5}),e.stroke(new Path2D(r));return}let{height:n}=S(t,100,o*100/a);e.font=`700 ${n}px ${getComputedStyle(document.body).fontFamily}`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineWidth=n*.15,e.strokeText(t,0,0),e.fillStyle=`#c2274b`,e.fillText(t,0,0)})}function F(e,t,{x:n,y:r,size:i}){let{layers:a,number:o,digits:s}=A(t);P(e,{x:n,y:r,scale:i/104},()=>{e.lineCap=`round`;for(let{d:t,fill:n=`transparent`,stroke:r=`transparent`,width:i=1,at:o=0}of a){let a=new Path2D(t);e.translate(o,o),Object.assign(e,{fillStyle:n,strokeStyle:r,lineWidth:i}),e.fill(a,`evenodd`),e.stroke(a),e.translate(-o,-o)}o&&(e.font=`${s[`font-weight`]} ${s[`font-size`]}px ${getComputedStyle(document.body).fontFamily}`,Object.assign(e,{fillStyle:s.fill,strokeStyle:s.stroke,lineWidth:s[`stroke-width`]}),Object.assign(e,{textAlign:`center`,lineJoin:s[`stroke-linejoin`]}),e.strokeText(o,0,s.y),e.fillText(o,0,s.y))})}async function I({document_data:e,seal:t,stamps:n}){let r=await ie(e),{naturalWidth:i,naturalHeight:a}=r,o=Object.assign(document.createElement(`canvas`),{width:i,height:a}),s=o.getContext(`2d`);s.drawImage(r,0,0);for(let e of n)ae(s,e,C(i,a),i);return F(s,t,N(i,a)),new Promise((e,t)=>{o.toBlob(n=>n?e(n):t(/* @__PURE__ */ Error(`no picture`)),`image/png`)})}const L=Math.PI/36,R=.85,z={ArrowLeft:[-1,0,0],ArrowRight:[1,0,0],ArrowUp:[0,-1,0],ArrowDown:[0,1,0],PageUp:[0,0,-1],PageDown:[0,0,1]};function B({pos_x:e,pos_y:t,rotation:n},[r,i,a],o){let s=Math.max(1,Math.round(Math.min(o.width,o.height)*.02)),c={pos_x:e+r*s,pos_y:t+i*s,rotation:n+a*L};return V(c,o)}const V=({pos_x:e,pos_y:t,...n},{width:r,height:i})=>({...n,pos_x:Math.round(Math.min(r,Math.max(0,e))),pos_y:Math.round(Math.min(i,Math.max(0,t)))}),H=(e,t)=>t.has(`stamp.${e}`)?t(`stamp.${e}`):e;function U({type:e,size:t,maxWidth:n=1/0}){let i=Object.hasOwn(E,e)?E[e]:null;return i?r`<g class="stamp-shape" transform=${`scale(${t/100})`}>
    <path d=${i.path} fill=${i.fill} />
    <path class="shine" d=${i.shine} />
  </g>`:r`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${S(e,t,n).height}>${e}</text>`}function W(e,{clientX:t,clientY:n}){return new DOMPoint(t,n).matrixTransform(e.getScreenCTM().inverse())}function G({letter:e,image:t,selected:n,onSelect:i,onMove:a,onRemove:o,label:s,stage:l}){let{say:d}=c(),[f,p]=x(null),m=u(null),{width:h,height:g}=t,_=C(h,g),v=N(h,g),y=e=>Object.hasOwn(E,e)?_:Math.max(_,S(e,_,h).width),b=(e,t,n)=>{e.stopPropagation(),i(t.stamp_id);let{x:r,y:a}=W(l.current,e);m.current={isTurning:n,x:r-t.pos_x,y:a-t.pos_y,stamp:t},e.currentTarget.setPointerCapture(e.pointerId)},w=e=>{let{isTurning:n,x:r,y:i,stamp:a}=m.current??{};if(!a)return;let o=W(l.current,e),s=Math.atan2(o.x-a.pos_x,a.pos_y-o.y);p(n?{...a,rotation:s}:V({...a,pos_x:o.x-r,pos_y:o.y-i},t))},T=()=>{m.current&&f&&a(m.current.stamp,f),m.current=null,p(null)},D=(e,n)=>{if(e.key===`Delete`||e.key===`Backspace`)o(n);else if(e.key===`Enter`||e.key===` `)i(n.stamp_id);else if(z[e.key])a(n,B(n,z[e.key],t));else return;e.preventDefault()},O=e.stamps.map(e=>f?.stamp_id===e.stamp_id?f:e),k=({stamp_type:e},t)=>d(`letters.stamp_of`,{type:H(e,d),at:String(t+1),all:String(O.length)});return r`<svg ref=${l} class="stage" viewBox=${`0 0 ${h} ${g}`} role="group" aria-label=${s}
    tabindex="-1"
    onPointerMove=${w} onPointerUp=${T} onPointerCancel=${T} onPointerDown=${()=>i(null)}>
    <image href=${e.document_data} width=${h} height=${g} />
    <svg class="sealed" x=${v.x-v.size/2} y=${v.y-v.size/2} width=${v.size} height=${v.size}>
      <${j} seal=${e.seal} />
    </svg>
    ${O.map((e,t)=>r`<g key=${e.stamp_id} tabindex="0"
      role="button" data-id=${e.stamp_id}
      class=${e.stamp_id===n?`stamp selected`:`stamp`} aria-pressed=${e.stamp_id===n}
      aria-label=${k(e,t)}
      transform=${`translate(${e.pos_x} ${e.pos_y}) rotate(${e.rotation*180/Math.PI})`}
      onFocus=${()=>i(e.stamp_id)} onKeyDown=${t=>D(t,e)}
      onPointerDown=${t=>b(t,e,!1)}>
      <rect class="hit" x=${-y(e.stamp_type)/2} y=${-_/2} width=${y(e.stamp_type)}
        height=${_} />
      <${U} type=${e.stamp_type} size=${_} maxWidth=${h} />
      ${e.stamp_id===n&&r`<line class="arm" y1=${-_/2} y2=${-_*R} />
        <circle class="handle" cy=${-_*R} r=${_*.14}
          onPointerDown=${t=>b(t,e,!0)} />`}
    </g>`)}
  </svg>`}const K=[`seal`,`stamp`,`from`,`to`];function q(e){let t=new URLSearchParams,n=(e,t=0)=>new Date((/* @__PURE__ */ new Date(`${e}T00:00`)).getTime()+t).toISOString(),[r,i,a,o]=K.map(t=>e.get(t));return r&&t.set(`seal`,r),i&&t.set(`stamp_type`,i),a&&t.set(`created_after`,n(a,-1)),o&&t.set(`created_before`,n(o,864e5)),t}function J(e,t){let n=new URLSearchParams([...t].filter(([e])=>K.includes(e))),r=e?`#/letters/${e}`:`#/letters`;return String(n)?`${r}?${n}`:r}const Y=({metadata:e})=>e!==`alert`;function X(e,{type:t,subject:n,data:r}){let i=Number(n.split(`/`)[1]),a=e.stamps.some(({stamp_id:e})=>e===i);if(t===`stamp.deleted`){let t=({stamp_id:e})=>e!==i;return a?{...e,stamps:e.stamps.filter(t)}:e}if(!r||r.document_id!==e.document_id)return e;let o=e.stamps.map(e=>e.stamp_id===i?r:e);return{...e,stamps:a?o:[...e.stamps,r]}}const Z=async(e,t)=>(await e.page(`/events`,{query:{document_id:t,limit:1}})).records[0]??null;function oe(e,n){let{subscribe:r}=c(),i=f(e),[a,o]=x([]),[s,l]=x([]);t(()=>(o([]),l([]),r(e=>{e.type.startsWith(`stamp.`)&&l(t=>[...t,e]);let t=e.type===`event.created`&&e.data?.document;t&&n(t)&&o(n=>[{...t,event:e.data},...n])})),[e]);let u=new Set(i.records.map(({document_id:e})=>e)),d=[...a.filter(({document_id:e})=>!u.has(e)),...i.records].filter(Y).map(e=>s.reduce(X,e));return{...i,records:d}}function se(e){let{client:n,subscribe:r}=c(),{value:i,error:a,reload:o}=g(async()=>{let t=performance.now(),r=[n.get(`/documents/${e}`),Z(n,e)];return{startedAt:t,found:await Promise.all(r)}},e,1e4),[s,l]=x(void 0),d=u(/* @__PURE__ */ new Set),f=u(0);return t(()=>{d.current.size===0&&!(i?.startedAt<f.current)&&l(i?.found[0])},[i]),t(()=>r(t=>{let n=Number(t.subject.split(`/`)[1]);t.type.startsWith(`stamp.`)&&!d.current.has(n)&&l(e=>e&&X(e,t));let r=t.type===`event.updated`?t.data?.document:null;r?.document_id===Number(e)&&l(r)}),[e]),{letter:s,event:i?.found[1]??null,error:a,reload:o,apply:e=>{f.current=performance.now(),l(e)},moving:d.current}}function ce(){let{say:t,parameters:n}=c(),a=q(n);a.set(`limit`,`24`);let[o,s]=[a.get(`seal`),a.get(`stamp_type`)],l=[...a].length>1,u=({stamps:e})=>s===null||e.some(({stamp_type:e})=>e===s),d=e=>o===null||String(e.seal)===o,f=oe(`/documents?${a}`,e=>Y(e)&&d(e)&&u(e)&&!a.has(`created_before`)),p=f.records.length===0&&!f.busy&&!f.error&&!f.next;return r`<h1>${t(`nav.letters`)}</h1>
    ${(l||!p)&&r`<${le} seal=${o} stamp=${s} />`}
    ${p&&r`<${e}>${t(l?`letters.none`:`letters.empty`)}${` `}
      ${l?r`<a class="button" href="#/letters">${t(`activity.reset`)}</a>`:r`<a class="button" href="#/overview">${t(`activity.setup`)}</a>`}<//>`}
    ${f.records.length>0&&r`<ul class="letters" aria-label=${t(`nav.letters`)}>
      ${f.records.map(e=>r`<${ue} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${i} list=${f} scrolls />`}function le({seal:e,stamp:t}){let{say:n,parameters:i,setParameters:a}=c(),o=[.../* @__PURE__ */ new Set([...Object.keys(E),...t?[t]:[]])].map(e=>({value:e,label:H(e,n)})),s=[{value:``,label:n(`letters.any_stamp`)},...o],l=({currentTarget:{name:e,value:t}})=>a({[e]:t}),u=t=>a({seal:String(t)===e?null:String(t)}),d=(e,t,a)=>r`<${b} label=${n(t)} name=${e} onChange=${l} ...${a}
    value=${i.get(e)??``} />`,f=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>i.get(e));return r`<details class="card letter-filters" open=${f}>
    <summary>${n(`letters.filters`)}</summary>
    <${M} selected=${e===null?null:Number(e)} onChoose=${u} />
    <div class="fields">
      ${d(`stamp`,`letters.stamp`,{options:s})}
      ${d(`from`,`analytics.from`,{type:`date`})}
      ${d(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function ue({letter:e}){let{client:n,say:i,parameters:a}=c(),o=u(null),[s,l]=x(!1),[d,f]=x(e.event),p=i(`overlay.document`);t(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&l(!0),{rootMargin:`300px`});return e.observe(o.current),()=>e.disconnect()},[]),t(()=>{s&&!d&&Z(n,e.document_id).then(f,()=>f(null))},[s]),t(()=>{let t=!1;return s&&T(e,p).then(e=>t||o.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[s,e.document_data,JSON.stringify(e.stamps)]);let m=String(e.document_id),g=d===void 0?`…`:d?.user_name??i(`letters.document`,{id:m}),_=e.created_at;return r`<li>
    <a class="letter-card" href=${J(e.document_id,a)}>
      <span class="sheet" ref=${o}></span>
      <${j} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${g}</strong>
        <time datetime=${_} title=${i.time(_)}>${i.ago(_)}</time></span>
      ${d&&r`<span class="quiet line">${h(d,i)||i(`kind.plain`)}</span>`}
    </a>
  </li>`}function de({letter:e,apply:t,act:i,path:a,event:o,image:s}){let{client:l,say:d,parameters:f}=c(),[m,h]=x(``),g=u(null),[_,y]=x(null);return r`<section class="card letter-actions" aria-label=${d(`letters.actions`)}>
    ${o&&r`<${n} class="main" onClick=${async()=>{h(``),await i(l.request(`POST`,`/alerts`,{body:{event_id:o.event_id}}))&&h(d(await p(l).catch(()=>`alerts.sent`)))}}>${d(`letters.replay`)}<//>`}
    <button onClick=${async()=>{let t=await i(I(e).catch(()=>Promise.reject(Error(d(`letters.unreadable`)))));if(!t)return;let n=URL.createObjectURL(t);Object.assign(document.createElement(`a`),{href:n,download:`letter-${e.document_id}.png`}).click(),URL.revokeObjectURL(n)}}>${d(`letters.download`)}</button>
    ${_?r`<span class="asking">
          <${n} class="danger" onClick=${async()=>{let{file:n,width:r,height:o}=_;y(null);let c=new FormData;c.set(`document_data`,n);let u=await i(l.request(`PATCH`,a,{body:c}));if(!u)return;let d=!s||r===s.width&&o===s.height?null:await i(Promise.all(e.stamps.map(({stamp_id:e,pos_x:t,pos_y:n})=>l.patch(`/stamps/${e}`,{pos_x:Math.round(t*r/s.width),pos_y:Math.round(n*o/s.height)}))));t({...u.data,stamps:d??u.data.stamps})}}>${d(`letters.replace_sure`)}<//>
          <button onClick=${()=>y(null)}>${d(`cancel`)}</button>
        </span>`:r`<${n} onClick=${()=>g.current.click()}>${d(`letters.replace`)}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${d(`letters.replace`)} accept=${`image/png,image/jpeg,image/gif,image/webp`} ref=${g}
      onChange=${async()=>{let[e]=g.current.files;if(g.current.value=``,!e)return;let t=e=>Promise.reject(Error(d(e))),n=await i(e.size>4194304?t(`letters.too_large`):createImageBitmap(e).catch(()=>t(`letters.no_picture`)));y(n&&{file:e,width:n.width,height:n.height})}} />
    <${v} label=${d(`delete`)} question=${d(`letters.delete_sure`)}
      note=${d(`letters.delete_note`)} act=${()=>i(l.delete(a)).then(e=>e&&(location.hash=J(null,f)))} />
    <span class="good" role="status">${m}</span>
  </section>`}function fe({stage:e,onPlace:t}){let{say:i}=c(),a=u(null),o=u(!1),[s,l]=x(null),d=(e,t)=>{o.current=!1,a.current={type:t,x:e.clientX,y:e.clientY},e.currentTarget.setPointerCapture(e.pointerId)},f=({clientX:e,clientY:t})=>{let n=a.current;n&&Math.hypot(e-n.x,t-n.y)>6&&l({type:n.type,x:e,y:t})},p=n=>{let{left:r,right:i,top:c,bottom:u}=e.current.getBoundingClientRect(),d=n.clientX>r&&n.clientX<i&&n.clientY>c&&n.clientY<u;o.current=!!s,s&&d&&t(s.type,W(e.current,n)),a.current=null,l(null)},h=()=>{a.current=null,l(null)},g=async({type:e})=>(await t(e,null),``),_=e=>o.current?o.current=!1:t(e,null);return r`<div class="stamp-palette" role="group" aria-label=${i(`letters.add_stamp`)}>
      ${Object.keys(E).map(e=>r`<${n} title=${i(`stamp.${e}`)}
        aria-label=${i(`letters.add_of`,{type:i(`stamp.${e}`)})} onClick=${()=>_(e)}
        onPointerDown=${t=>d(t,e)} onPointerMove=${f} onPointerUp=${p} onPointerCancel=${h}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${U} type=${e} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${i(`letters.other_stamp`)}</summary>
      <${m} submit=${i(`letters.add_stamp`)} isMain=${!1} send=${g}
        fields=${[{name:`type`,label:i(`letters.stamp_text`),required:!0,pattern:y,maxlength:40}]} />
    </details>
    ${s&&r`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{left:`${s.x}px`,top:`${s.y}px`}}><${U} type=${s.type} size=${90} /></svg>`}`}const Q={left:[-1,0,0],up:[0,-1,0],down:[0,1,0],right:[1,0,0],back:[0,0,-3],on:[0,0,3]},pe={left:`←`,up:`↑`,down:`↓`,right:`→`,back:`↺`,on:`↻`};function $({letter:e,apply:i,act:a,path:o,moving:s,image:l,label:d}){let{client:f,say:p}=c(),m=u(null),[h,g]=x(null),[_,v]=x(null);t(()=>m.current?.querySelector(`[data-id="${_}"]`)?.focus(),[_]);let y=u(/* @__PURE__ */ new Map),b=e=>{let{place:t,timer:n}=y.current.get(e);clearTimeout(n),y.current.delete(e);let{pos_x:r,pos_y:i,rotation:o}=t;return a(f.patch(`/stamps/${e}`,{pos_x:r,pos_y:i,rotation:o})).then(()=>y.current.has(e)||s.delete(e))};t(()=>()=>[...y.current.keys()].forEach(b),[]);let S=e=>i(t=>t&&{...t,stamps:e(t.stamps)}),C=({stamp_id:e},t)=>{S(n=>n.map(n=>n.stamp_id===e?{...n,...t}:n)),s.add(e),clearTimeout(y.current.get(e)?.timer),y.current.set(e,{place:t,timer:setTimeout(()=>b(e),300)})},w=async({stamp_id:e})=>{clearTimeout(y.current.get(e)?.timer),y.current.delete(e),g(null),await a(f.delete(`/stamps/${e}`))&&(m.current?.focus(),S(t=>t.filter(t=>t.stamp_id!==e)))},T=async(t,n)=>{let r=n?0:e.stamps.length%6*.06*Math.min(l.width,l.height),{x:i,y:s}=n??{x:l.width/2+r,y:l.height/2+r},c={stamp_type:t,pos_x:Math.round(i),pos_y:Math.round(s),rotation:0},u=await a(f.post(`${o}/stamps`,c));u&&(S(e=>[...e.filter(({stamp_id:e})=>e!==u.stamp_id),u]),g(u.stamp_id),v(u.stamp_id))},E=(e,t)=>C(e,B(e,Q[t],l)),D=e.stamps.find(({stamp_id:e})=>e===h);return r`<${G} letter=${e} image=${l} label=${d} stage=${m} selected=${h}
      onSelect=${g} onMove=${C} onRemove=${w} />
    <div class="card tools">
      <${fe} stage=${m} onPlace=${T} />
      ${D&&r`<div class="bar steps" role="group" aria-label=${p(`letters.move`)}>
        ${Object.keys(Q).map(e=>r`<${n} title=${p(`letters.step.${e}`)}
          aria-label=${p(`letters.step.${e}`)} onClick=${()=>E(D,e)}>${pe[e]}<//>`)}
        <${n} class="remove" onClick=${()=>w(D)}>${p(`letters.remove_stamp`)}<//>
      </div>`}
      <p class="quiet">${p(D?`letters.keys`:`letters.how`)}</p>
    </div>`}function me(e){let{client:t,parameters:n}=c(),r=q(n),i=async(n,i)=>{let a=new URLSearchParams(r);a.set(n,e.created_at),a.set(`order`,i),a.set(`limit`,`10`);let{records:o}=await t.page(`/documents?${a}`);return o.find(Y)??null};return g(()=>Promise.all([i(`created_after`,`asc`),i(`created_before`,`desc`)]),`${e.document_id} ${r}`).value??[null,null]}function he({letter:e}){let{say:t,parameters:n}=c(),[i,a]=me(e),o=[i,a].map(e=>e&&J(e.document_id,n)),s=u(o);s.current=o,d(()=>{let e=e=>{let t=[`ArrowLeft`,`ArrowRight`].indexOf(e.key),n=e.defaultPrevented||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey,{target:r}=e;if(t<0||n||r instanceof Element&&r.closest(`.stamp, input, select, textarea, dialog`))return;let i=s.current[t];i&&(location.hash=i)};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]);let l=(e,n,i)=>{let a=t(`letters.${n}`),s=r`<${_} name=${i} />`;return o[e]?r`<a class="button" href=${o[e]} title=${a} aria-label=${a}>${s}</a>`:r`<span class="button none" aria-hidden="true">${s}</span>`};return r`<nav class="neighbours" aria-label=${t(`letters.others`)}>
    ${l(0,`newer`,`left`)} ${l(1,`older`,`right`)}
  </nav>`}function ge({letter:e,apply:t,act:n,path:i}){let{client:a,say:s}=c(),u=async r=>{if(r===e.seal)return;let o=await n(a.patch(i,{seal:r}));o&&t(e=>({...e,seal:o.seal}))};return r`<section class="card seal-choice">
    <h2>${s(`letters.seal`)}</h2>
    <div class="current">
      <${j} seal=${e.seal} />
      <${l} label=${s(`letters.seal_number`)} type="number" step="1" required
        min=${-(2**53-1)} max=${2**53-1} value=${String(e.seal)}
        onCommit=${e=>u(Number(e))} ...${o()} />
    </div>
    <${M} selected=${e.seal} onChoose=${u} ...${o()} />
  </section>`}function _e({id:e}){let{say:t,parameters:n}=c(),{letter:i,event:o,error:l,reload:u,apply:d,moving:f}=se(e),[p,m]=x(null),h=ye(i?.document_data,()=>m(Error(t(`letters.no_image`)))),g=o?t(`letters.from`,{name:o.user_name}):t(`letters.document`,{id:e}),_=r`<p class="back"><a href=${J(null,n)}>← ${t(`nav.letters`)}</a></p>`,v=r`<${s} rows=${6} />`;if(!i||l?.status===404)return r`${_}${l?r`<${a} error=${l} onRetry=${u} />`:v}`;let y={letter:i,apply:d,act:async e=>{try{let t=await e;return m(null),t}catch(e){return m(e),null}},path:`/documents/${e}`};return r`<div class="bar spread">${_}<${he} letter=${i} /></div>
    <h1 dir="auto">${g}</h1>
    <${a} error=${p??l} onRetry=${p?null:u} />
    <div class="two letter">
      <div>
        ${h&&r`<${$} ...${y} moving=${f} image=${h} label=${g} />`}
        ${!h&&!p&&v}
      </div>
      <div class="column">
        <${ve} event=${o} />
        <${ge} ...${y} />
        <${de} ...${y} event=${o} image=${h} />
      </div>
    </div>`}function ve({event:e}){let{say:t}=c();if(!e)return r`<p class="card quiet sender">${t(`letters.no_event`)}</p>`;let n=D(e);return r`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${e.user_id}`}>${e.user_name}</a>${` `}
      ${h(e,t)}
    </p>
    ${n&&r`<p class="words" dir="auto">${n}</p>`}
    <time datetime=${e.occurred_at}>${t.time(e.occurred_at)}</time>
  </section>`}function ye(e,n){let[r,i]=x(null);return t(()=>{if(!e)return;let t=!1,r=Object.assign(new Image,{src:e});return r.decode().then(()=>t||i({width:r.naturalWidth,height:r.naturalHeight,url:e}),()=>t||n()),()=>{t=!0}},[e]),r?.url===e?r:null}const be=({id:e})=>e?r`<${_e} id=${e} />`:r`<${ce} />`;export{be as View};