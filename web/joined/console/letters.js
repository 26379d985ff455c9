
import{$ as e,A as t,B as n,D as r,E as i,H as a,J as o,L as s,M as c,O as l,R as u,U as d,V as f,W as p,X as m,Y as h,Z as g,a as _,d as v,j as y,k as b,tt as x,y as S}from"./common.js";import{a as C,i as w,n as T,r as E,t as D}from"./picture.js";const O=[{name:`ring`,wax:`#9c2230`,emblem:`M0-26a26 26 0 1 0 .1 0ZM0-15a15 15 0 1 1-.1 0ZM0-6a6 6 0 1 0 .1 0Z`},{name:`heart`,wax:`#b3203f`,emblem:`M0 26C-36-2-32-27-14-27-6-27 0-20 0-15 0-20 6-27 14-27 32-27 36-2 0 26Z`},{name:`star`,wax:`#8a5a12`,emblem:`M0-30 8.500-10 30-9 13 5 19 26 0 14-19 26-13 5-30-9-8.500-10Z`},{name:`paw`,wax:`#6b4a33`,emblem:`M0 0C11 0 20 11 20 19 20 28 8 26 0 26S-20 28-20 19C-20 11-11 0 0 0ZM-23-9a7 9 0 1 0 .1 0ZM23-9a7 9 0 1 0 .1 0ZM-9-27a7 10 0 1 0 .1 0ZM9-27a7 10 0 1 0 .1 0Z`},{name:`crown`,wax:`#7a2f8f`,emblem:`M-28 20-30-14-14 0 0-24 14 0 30-14 28 20ZM-28 24H28V29H-28Z`},{name:`bolt`,wax:`#2f4f9c`,emblem:`M8-31-20 5H-3L-9 31 21-8H3Z`},{name:`leaf`,wax:`#2a6b45`,emblem:`M-25 27C-27-8-4-27 27-27 29 6 11 25-13 20L-20 28ZM-15 13C-6-2 3-10 16-17 4-6-4 3-10 16Z`},{name:`moon`,wax:`#3d3f75`,emblem:`M8-29A29 29 0 1 0 27 14 24 24 0 0 1 8-29ZM20-22l3 7 7 1-5.500 5 1.500 7-6-4-6 4 1.500-7-5.500-5 7-1Z`},{name:`key`,wax:`#27666b`,emblem:`M-14-22a14 14 0 1 1-.1 0ZM-14-14a6 6 0 1 0 .1 0ZM0-12H30V0H24V9H17V0H11V6H5V0H0Z`},{name:`flower`,wax:`#a03a6d`,emblem:ne(6)}],k=O.length,ee=O.map((e,t)=>t),te={y:46,"text-anchor":`middle`,"font-weight":700,fill:`#fff`,"stroke-width":9,"stroke-linejoin":`round`,"paint-order":`stroke`};function ne(e){let t=e=>{let[t,n]=[Math.cos(e)*18,Math.sin(e)*18];return`M${(t-9.5).toFixed(1)} ${n.toFixed(1)}a9.500 9.500 0 1 0 19 0 9.500 9.500 0 1 0-19 0Z`};return`${Array.from({length:e},(n,r)=>t(r/e*2*Math.PI)).join(``)}M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z`}function re(e){let t=t=>46+2.6*Math.sin(t*2.4+e*1.7)+1.6*Math.sin(t*4.1+e),n=e=>{let n=e/14*2*Math.PI,r=t(e%14);return[Math.cos(n)*r,Math.sin(n)*r]},r=e=>e.map(e=>e.toFixed(1)).join(` `),i=([e,t],[n,i])=>r([(e+n)/2,(t+i)/2]),a=e=>`Q${r(n(e))} ${i(n(e),n(e+1))}`;return`M${i(n(13),n(0))}${Array.from({length:14},(e,t)=>a(t)).join(``)}Z`}function A(e){let{name:t,wax:n,emblem:r}=O[(e%k+k)%k],i=[{d:re(e%1e3),fill:n,stroke:`rgb(0 0 0 / 30%)`,width:2.5},{d:`M-41-6A42 42 0 0 1 4-41`,stroke:`rgb(255 255 255 / 45%)`,width:4},{d:`M41 8A42 42 0 0 1-2 42`,stroke:`rgb(0 0 0 / 22%)`,width:5},{d:`M-35 0a35 35 0 1 0 70 0 35 35 0 1 0-70 0Z`,fill:`rgb(0 0 0 / 16%)`},{d:`M-33 10A34.500 34.500 0 0 1 24-25`,stroke:`rgb(0 0 0 / 32%)`,width:2.5},{d:`M33-10A34.500 34.500 0 0 1-24 25`,stroke:`rgb(255 255 255 / 38%)`,width:2},{d:r,fill:`rgb(0 0 0 / 40%)`,at:2},{d:r,fill:n,at:.7},{d:r,fill:`rgb(255 255 255 / 86%)`}],a=e>=0&&e<k?``:String(e),o=Math.min(22,150/a.length);return{name:t,layers:i,number:a,digits:{...te,stroke:n,"font-size":o}}}function j({seal:e}){let{layers:t,number:n,digits:r}=A(e);return x`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    ${t.map(({d:e,fill:t=`none`,stroke:n,width:r,at:i=0})=>x`<path d=${e} fill=${t} fill-rule="evenodd"
      stroke=${n} stroke-width=${r} stroke-linecap="round" transform=${`translate(${i} ${i})`} />`)}
    ${n&&x`<text ...${r}>${n}</text>`}
  </svg>`}function M({selected:e,onChoose:t,...n}){let{say:r}=o();return x`<div class="seals" role="group" aria-label=${r(`letters.seal`)}>
    ${ee.map(i=>{let a=r(`seal.${A(i).name}`),o=r(`letters.seal_of`,{name:a,number:String(i)});return x`<button aria-pressed=${i===e} aria-label=${o} title=${a}
        onClick=${()=>t(i)} ...${n}><${j} seal=${i} /> <span>${a}</span></button>`})}
  </div>`}function N(e,t){let n=Math.min(e,t),r=n*.24,i=r/2+n*.03;return{x:e-i,y:t-i,size:r}}async function ie(e){let t=new Image;return t.crossOrigin=`anonymous`,t.src=e,await t.decode(),t}function P(e,{x:t,y:n,rotation:r=0,scale:i},a){e.save(),e.translate(t,n),e.rotate(r),e.scale(i,i),a(),e.restore()}function ae(e,{stamp_type:t,pos_x:n,pos_y:r,rotation:i},a,o){P(e,{x:n,y:r,rotation:i,scale:a/100},()=>{if(e.lineJoin=`round`,e.strokeStyle=`#fff`,Object.hasOwn(D,t)){let{path:n,shine:r,fill:i}=D[t],o=new Path2D(n);e.lineWidth=9,e.shadowColor=`rgb(0 0 0 / 40%)`,e.shadowBlur=e.shadowOffsetY=a*.04,e.stroke(o),e.shadowColor=`transparent`,e.fillStyle=i,e.fill(o),Object.assign(e,{strokeStyle:T,lineCap:`round`,lineWidth:5}),e.stroke(new Path2D(r));return}let{height:n}=C(t,100,o*100/a);e.font=`700 ${n}px ${getComputedStyle(document.body).fontFamily}`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineWidth=n*.15,e.strokeText(t,0,0),e.fillStyle=`#c2274b`,e.fillText(t,0,0)})}function F(e,t,{x:n,y:r,size:i}){let{layers:a,number:o,digits:s}=A(t);P(e,{x:n,y:r,scale:i/104},()=>{e.lineCap=`round`;for(let{d:t,fill:n=`transparent`,stroke:r=`transparent`,width:i=1,at:o=0}of a){let a=new Path2D(t);e.translate(o,o),Object.assign(e,{fillStyle:n,strokeStyle:r,lineWidth:i}),e.fill(a,`evenodd`),e.stroke(a),e.translate(-o,-o)}o&&(e.font=`${s[`font-weight`]} ${s[`font-size`]}px ${getComputedStyle(document.body).fontFamily}`,Object.assign(e,{fillStyle:s.fill,strokeStyle:s.stroke,lineWidth:s[`stroke-width`]}),Object.assign(e,{textAlign:`center`,lineJoin:s[`stroke-linejoin`]}),e.strokeText(o,0,s.y),e.fillText(o,0,s.y))})}async function I({document_data:e,seal:t,stamps:n}){let r=await ie(e),{naturalWidth:i,naturalHeight:a}=r,o=Object.assign(document.createElement(`canvas`),{width:i,height:a}),s=o.getContext(`2d`);s.drawImage(r,0,0);for(let e of n)ae(s,e,w(i,a),i);return F(s,t,N(i,a)),new Promise((e,t)=>{o.toBlob(n=>n?e(n):t(/* @__PURE__ */ Error(`no picture`)),`image/png`)})}const L=Math.PI/36,R=.85,z={ArrowLeft:[-1,0,0],ArrowRight:[1,0,0],ArrowUp:[0,-1,0],ArrowDown:[0,1,0],PageUp:[0,0,-1],PageDown:[0,0,1]};function B({pos_x:e,pos_y:t,rotation:n},[r,i,a],o){let s=Math.max(1,Math.round(Math.min(o.width,o.height)*.02)),c={pos_x:e+r*s,pos_y:t+i*s,rotation:n+a*L};return V(c,o)}const V=({pos_x:e,pos_y:t,...n},{width:r,height:i})=>({...n,pos_x:Math.round(Math.min(r,Math.max(0,e))),pos_y:Math.round(Math.min(i,Math.max(0,t)))}),H=(e,t)=>t.has(`stamp.${e}`)?t(`stamp.${e}`):e;function U({type:e,size:t,maxWidth:n=1/0}){let r=Object.hasOwn(D,e)?D[e]:null;return r?x`<g class="stamp-shape" transform=${`scale(${t/100})`}>
    <path d=${r.path} fill=${r.fill} />
    <path class="shine" d=${r.shine} />
  </g>`:x`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${C(e,t,n).height}>${e}</text>`}function W(e,{clientX:t,clientY:n}){return new DOMPoint(t,n).matrixTransform(e.getScreenCTM().inverse())}function G({letter:t,image:n,selected:r,onSelect:i,onMove:a,onRemove:s,label:c,stage:l}){let{say:u}=o(),[d,f]=h(null),p=e(null),{width:m,height:g}=n,_=w(m,g),v=N(m,g),y=e=>Object.hasOwn(D,e)?_:Math.max(_,C(e,_,m).width),b=(e,t,n)=>{e.stopPropagation(),i(t.stamp_id);let{x:r,y:a}=W(l.current,e);p.current={isTurning:n,x:r-t.pos_x,y:a-t.pos_y,stamp:t},e.currentTarget.setPointerCapture(e.pointerId)},S=e=>{let{isTurning:t,x:r,y:i,stamp:a}=p.current??{};if(!a)return;let o=W(l.current,e),s=Math.atan2(o.x-a.pos_x,a.pos_y-o.y);f(t?{...a,rotation:s}:V({...a,pos_x:o.x-r,pos_y:o.y-i},n))},T=()=>{p.current&&d&&a(p.current.stamp,d),p.current=null,f(null)},E=(e,t)=>{if(e.key===`Delete`||e.key===`Backspace`)s(t);else if(e.key===`Enter`||e.key===` `)i(t.stamp_id);else if(z[e.key])a(t,B(t,z[e.key],n));else return;e.preventDefault()},O=t.stamps.map(e=>d?.stamp_id===e.stamp_id?d:e),k=({stamp_type:e},t)=>u(`letters.stamp_of`,{type:H(e,u),at:String(t+1),all:String(O.length)});return x`<svg ref=${l} class="stage" viewBox=${`0 0 ${m} ${g}`} role="group" aria-label=${c}
    tabindex="-1"
    onPointerMove=${S} onPointerUp=${T} onPointerCancel=${T} onPointerDown=${()=>i(null)}>
    <image href=${t.document_data} width=${m} height=${g} />
    <svg class="sealed" x=${v.x-v.size/2} y=${v.y-v.size/2} width=${v.size} height=${v.size}>
      <${j} seal=${t.seal} />
    </svg>
    ${O.map((e,t)=>x`<g key=${e.stamp_id} tabindex="0"
      role="button" data-id=${e.stamp_id}
      class=${e.stamp_id===r?`stamp selected`:`stamp`} aria-pressed=${e.stamp_id===r}
      aria-label=${k(e,t)}
      transform=${`translate(${e.pos_x} ${e.pos_y}) rotate(${e.rotation*180/Math.PI})`}
      onFocus=${()=>i(e.stamp_id)} onKeyDown=${t=>E(t,e)}
      onPointerDown=${t=>b(t,e,!1)}>
      <rect class="hit" x=${-y(e.stamp_type)/2} y=${-_/2} width=${y(e.stamp_type)}
        height=${_} />
      <${U} type=${e.stamp_type} size=${_} maxWidth=${m} />
      ${e.stamp_id===r&&x`<line class="arm" y1=${-_/2} y2=${-_*R} />
        <circle class="handle" cy=${-_*R} r=${_*.14}
          onPointerDown=${t=>b(t,e,!0)} />`}
    </g>`)}
  </svg>`}const K=[`seal`,`stamp`,`from`,`to`];function q(e){let t=new URLSearchParams,n=(e,t=0)=>new Date((/* @__PURE__ */ new Date(`${e}T00:00`)).getTime()+t).toISOString(),[r,i,a,o]=K.map(t=>e.get(t));return r&&t.set(`seal`,r),i&&t.set(`stamp_type`,i),a&&t.set(`created_after`,n(a,-1)),o&&t.set(`created_before`,n(o,864e5)),t}function J(e,t){let n=new URLSearchParams([...t].filter(([e])=>K.includes(e))),r=e?`#/letters/${e}`:`#/letters`;return String(n)?`${r}?${n}`:r}const Y=({metadata:e})=>e!==`alert`;function X(e,{type:t,subject:n,data:r}){let i=Number(n.split(`/`)[1]),a=e.stamps.some(({stamp_id:e})=>e===i);if(t===`stamp.deleted`){let t=({stamp_id:e})=>e!==i;return a?{...e,stamps:e.stamps.filter(t)}:e}if(!r||r.document_id!==e.document_id)return e;let o=e.stamps.map(e=>e.stamp_id===i?r:e);return{...e,stamps:a?o:[...e.stamps,r]}}const Z=async(e,t)=>(await e.page(`/events`,{query:{document_id:t,limit:1}})).records[0]??null;function oe(e,t){let{subscribe:n}=o(),i=r(e),[a,s]=h([]),[c,l]=h([]);m(()=>(s([]),l([]),n(e=>{e.type.startsWith(`stamp.`)&&l(t=>[...t,e]);let n=e.type===`event.created`&&e.data?.document;n&&t(n)&&s(t=>[{...n,event:e.data},...t])})),[e]);let u=new Set(i.records.map(({document_id:e})=>e)),d=[...a.filter(({document_id:e})=>!u.has(e)),...i.records].filter(Y).map(e=>c.reduce(X,e));return{...i,records:d}}function se(t){let{client:n,subscribe:r}=o(),{value:a,error:s,reload:c}=i(async()=>{let e=performance.now(),r=[n.get(`/documents/${t}`),Z(n,t)];return{startedAt:e,found:await Promise.all(r)}},t,1e4),[l,u]=h(void 0),d=e(/* @__PURE__ */ new Set),f=e(0);return m(()=>{d.current.size===0&&!(a?.startedAt<f.current)&&u(a?.found[0])},[a]),m(()=>r(e=>{let n=Number(e.subject.split(`/`)[1]);e.type.startsWith(`stamp.`)&&!d.current.has(n)&&u(t=>t&&X(t,e));let r=e.type===`event.updated`?e.data?.document:null;r?.document_id===Number(t)&&u(r)}),[t]),{letter:l,event:a?.found[1]??null,error:s,reload:c,apply:e=>{f.current=performance.now(),u(e)},moving:d.current}}function ce(){let{say:e,parameters:t}=o(),r=q(t);r.set(`limit`,`24`);let[i,s]=[r.get(`seal`),r.get(`stamp_type`)],c=[...r].length>1,l=({stamps:e})=>s===null||e.some(({stamp_type:e})=>e===s),u=e=>i===null||String(e.seal)===i,d=oe(`/documents?${r}`,e=>Y(e)&&u(e)&&l(e)&&!r.has(`created_before`)),f=d.records.length===0&&!d.busy&&!d.error&&!d.next;return x`<h1>${e(`nav.letters`)}</h1>
    ${(c||!f)&&x`<${le} seal=${i} stamp=${s} />`}
    ${f&&x`<${n}>${e(c?`letters.none`:`letters.empty`)}${` `}
      ${c?x`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:x`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${d.records.length>0&&x`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${d.records.map(e=>x`<${ue} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${a} list=${d} scrolls />`}function le({seal:e,stamp:t}){let{say:n,parameters:r,setParameters:i}=o(),a=[.../* @__PURE__ */ new Set([...Object.keys(D),...t?[t]:[]])].map(e=>({value:e,label:H(e,n)})),s=[{value:``,label:n(`letters.any_stamp`)},...a],c=({currentTarget:{name:e,value:t}})=>i({[e]:t}),l=t=>i({seal:String(t)===e?null:String(t)}),u=(e,t,i)=>x`<${b} label=${n(t)} name=${e} onChange=${c} ...${i}
    value=${r.get(e)??``} />`,d=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>r.get(e));return x`<details class="card letter-filters" open=${d}>
    <summary>${n(`letters.filters`)}</summary>
    <${M} selected=${e===null?null:Number(e)} onChoose=${l} />
    <div class="fields">
      ${u(`stamp`,`letters.stamp`,{options:s})}
      ${u(`from`,`analytics.from`,{type:`date`})}
      ${u(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function ue({letter:t}){let{client:n,say:r,parameters:i}=o(),a=e(null),[s,c]=h(!1),[l,u]=h(t.event),d=r(`overlay.document`);m(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&c(!0),{rootMargin:`300px`});return e.observe(a.current),()=>e.disconnect()},[]),m(()=>{s&&!l&&Z(n,t.document_id).then(u,()=>u(null))},[s]),m(()=>{let e=!1;return s&&E(t,d).then(t=>e||a.current?.replaceChildren(t)).catch(()=>{}),()=>{e=!0}},[s,t.document_data,JSON.stringify(t.stamps)]);let f=String(t.document_id),p=l===void 0?`…`:l?.user_name??r(`letters.document`,{id:f}),g=t.created_at;return x`<li>
    <a class="letter-card" href=${J(t.document_id,i)}>
      <span class="sheet" ref=${a}></span>
      <${j} seal=${t.seal} />
      <span class="from"><strong class="name" dir="auto">${p}</strong>
        <time datetime=${g} title=${r.time(g)}>${r.ago(g)}</time></span>
      ${l&&x`<span class="quiet line">${v(l,r)||r(`kind.plain`)}</span>`}
    </a>
  </li>`}function de({letter:t,apply:n,act:r,path:i,event:a,image:c}){let{client:u,say:d,parameters:f}=o(),[p,m]=h(``),g=e(null),[v,y]=h(null);return x`<section class="card letter-actions" aria-label=${d(`letters.actions`)}>
    ${a&&x`<${s} class="main" onClick=${async()=>{m(``),await r(u.request(`POST`,`/alerts`,{body:{event_id:a.event_id}}))&&m(d(await _(u).catch(()=>`alerts.sent`)))}}>${d(`letters.replay`)}<//>`}
    <button onClick=${async()=>{let e=await r(I(t).catch(()=>Promise.reject(Error(d(`letters.unreadable`)))));if(!e)return;let n=URL.createObjectURL(e);Object.assign(document.createElement(`a`),{href:n,download:`letter-${t.document_id}.png`}).click(),URL.revokeObjectURL(n)}}>${d(`letters.download`)}</button>
    ${v?x`<span class="asking">
          <${s} class="danger" onClick=${async()=>{let{file:e,width:a,height:o}=v;y(null);let s=new FormData;s.set(`document_data`,e);let l=await r(u.request(`PATCH`,i,{body:s}));if(!l)return;let d=!c||a===c.width&&o===c.height?null:await r(Promise.all(t.stamps.map(({stamp_id:e,pos_x:t,pos_y:n})=>u.patch(`/stamps/${e}`,{pos_x:Math.round(t*a/c.width),pos_y:Math.round(n*o/c.height)}))));n({...l.data,stamps:d??l.data.stamps})}}>${d(`letters.replace_sure`)}<//>
          <button onClick=${()=>y(null)}>${d(`cancel`)}</button>
        </span>`:x`<${s} onClick=${()=>g.current.click()}>${d(`letters.replace`)}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${d(`letters.replace`)} accept=${`image/png,image/jpeg,image/gif,image/webp`} ref=${g}
      onChange=${async()=>{let[e]=g.current.files;if(g.current.value=``,!e)return;let t=e=>Promise.reject(Error(d(e))),n=await r(e.size>4194304?t(`letters.too_large`):createImageBitmap(e).catch(()=>t(`letters.no_picture`)));y(n&&{file:e,width:n.width,height:n.height})}} />
    <${l} label=${d(`delete`)} question=${d(`letters.delete_sure`)}
      note=${d(`letters.delete_note`)} act=${()=>r(u.delete(i)).then(e=>e&&(location.hash=J(null,f)))} />
    <span class="good" role="status">${p}</span>
  </section>`}function fe({stage:n,onPlace:r}){let{say:i}=o(),a=e(null),c=e(!1),[l,u]=h(null),d=(e,t)=>{c.current=!1,a.current={type:t,x:e.clientX,y:e.clientY},e.currentTarget.setPointerCapture(e.pointerId)},f=({clientX:e,clientY:t})=>{let n=a.current;n&&Math.hypot(e-n.x,t-n.y)>6&&u({type:n.type,x:e,y:t})},p=e=>{let{left:t,right:i,top:o,bottom:s}=n.current.getBoundingClientRect(),d=e.clientX>t&&e.clientX<i&&e.clientY>o&&e.clientY<s;c.current=!!l,l&&d&&r(l.type,W(n.current,e)),a.current=null,u(null)},m=()=>{a.current=null,u(null)},g=async({type:e})=>(await r(e,null),``),_=e=>c.current?c.current=!1:r(e,null);return x`<div class="stamp-palette" role="group" aria-label=${i(`letters.add_stamp`)}>
      ${Object.keys(D).map(e=>x`<${s} title=${i(`stamp.${e}`)}
        aria-label=${i(`letters.add_of`,{type:i(`stamp.${e}`)})} onClick=${()=>_(e)}
        onPointerDown=${t=>d(t,e)} onPointerMove=${f} onPointerUp=${p} onPointerCancel=${m}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${U} type=${e} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${i(`letters.other_stamp`)}</summary>
      <${t} submit=${i(`letters.add_stamp`)} isMain=${!1} send=${g}
        fields=${[{name:`type`,label:i(`letters.stamp_text`),required:!0,pattern:y,maxlength:40}]} />
    </details>
    ${l&&x`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{left:`${l.x}px`,top:`${l.y}px`}}><${U} type=${l.type} size=${90} /></svg>`}`}const Q={left:[-1,0,0],up:[0,-1,0],down:[0,1,0],right:[1,0,0],back:[0,0,-3],on:[0,0,3]},pe={left:`←`,up:`↑`,down:`↓`,right:`→`,back:`↺`,on:`↻`};function $({letter:t,apply:n,act:r,path:i,moving:a,image:c,label:l}){let{client:u,say:d}=o(),f=e(null),[p,g]=h(null),[_,v]=h(null);m(()=>f.current?.querySelector(`[data-id="${_}"]`)?.focus(),[_]);let y=e(/* @__PURE__ */ new Map),b=e=>{let{place:t,timer:n}=y.current.get(e);clearTimeout(n),y.current.delete(e);let{pos_x:i,pos_y:o,rotation:s}=t;return r(u.patch(`/stamps/${e}`,{pos_x:i,pos_y:o,rotation:s})).then(()=>y.current.has(e)||a.delete(e))};m(()=>()=>[...y.current.keys()].forEach(b),[]);let S=e=>n(t=>t&&{...t,stamps:e(t.stamps)}),C=({stamp_id:e},t)=>{S(n=>n.map(n=>n.stamp_id===e?{...n,...t}:n)),a.add(e),clearTimeout(y.current.get(e)?.timer),y.current.set(e,{place:t,timer:setTimeout(()=>b(e),300)})},w=async({stamp_id:e})=>{clearTimeout(y.current.get(e)?.timer),y.current.delete(e),g(null),await r(u.delete(`/stamps/${e}`))&&(f.current?.focus(),S(t=>t.filter(t=>t.stamp_id!==e)))},T=async(e,n)=>{let a=n?0:t.stamps.length%6*.06*Math.min(c.width,c.height),{x:o,y:s}=n??{x:c.width/2+a,y:c.height/2+a},l={stamp_type:e,pos_x:Math.round(o),pos_y:Math.round(s),rotation:0},d=await r(u.post(`${i}/stamps`,l));d&&(S(e=>[...e.filter(({stamp_id:e})=>e!==d.stamp_id),d]),g(d.stamp_id),v(d.stamp_id))},E=(e,t)=>C(e,B(e,Q[t],c)),D=t.stamps.find(({stamp_id:e})=>e===p);return x`<${G} letter=${t} image=${c} label=${l} stage=${f} selected=${p}
      onSelect=${g} onMove=${C} onRemove=${w} />
    <div class="card tools">
      <${fe} stage=${f} onPlace=${T} />
      ${D&&x`<div class="bar steps" role="group" aria-label=${d(`letters.move`)}>
        ${Object.keys(Q).map(e=>x`<${s} title=${d(`letters.step.${e}`)}
          aria-label=${d(`letters.step.${e}`)} onClick=${()=>E(D,e)}>${pe[e]}<//>`)}
        <${s} class="remove" onClick=${()=>w(D)}>${d(`letters.remove_stamp`)}<//>
      </div>`}
      <p class="quiet">${d(D?`letters.keys`:`letters.how`)}</p>
    </div>`}function me(e){let{client:t,parameters:n}=o(),r=q(n),a=async(n,i)=>{let a=new URLSearchParams(r);a.set(n,e.created_at),a.set(`order`,i),a.set(`limit`,`10`);let{records:o}=await t.page(`/documents?${a}`);return o.find(Y)??null};return i(()=>Promise.all([a(`created_after`,`asc`),a(`created_before`,`desc`)]),`${e.document_id} ${r}`).value??[null,null]}function he({letter:t}){let{say:n,parameters:r}=o(),[i,a]=me(t),s=[i,a].map(e=>e&&J(e.document_id,r)),c=e(s);c.current=s,g(()=>{let e=e=>{let t=[`ArrowLeft`,`ArrowRight`].indexOf(e.key),n=e.defaultPrevented||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey,{target:r}=e;if(t<0||n||r instanceof Element&&r.closest(`.stamp, input, select, textarea, dialog`))return;let i=c.current[t];i&&(location.hash=i)};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]);let l=(e,t,r)=>{let i=n(`letters.${t}`),a=x`<${f} name=${r} />`;return s[e]?x`<a class="button" href=${s[e]} title=${i} aria-label=${i}>${a}</a>`:x`<span class="button none" aria-hidden="true">${a}</span>`};return x`<nav class="neighbours" aria-label=${n(`letters.others`)}>
    ${l(0,`newer`,`left`)} ${l(1,`older`,`right`)}
  </nav>`}function ge({letter:e,apply:t,act:n,path:r}){let{client:i,say:a}=o(),s=async a=>{if(a===e.seal)return;let o=await n(i.patch(r,{seal:a}));o&&t(e=>({...e,seal:o.seal}))};return x`<section class="card seal-choice">
    <h2>${a(`letters.seal`)}</h2>
    <div class="current">
      <${j} seal=${e.seal} />
      <${c} label=${a(`letters.seal_number`)} type="number" step="1" required
        min=${-(2**53-1)} max=${2**53-1} value=${String(e.seal)}
        onCommit=${e=>s(Number(e))} ...${u()} />
    </div>
    <${M} selected=${e.seal} onChoose=${s} ...${u()} />
  </section>`}function _e({id:e}){let{say:t,parameters:n}=o(),{letter:r,event:i,error:a,reload:s,apply:c,moving:l}=se(e),[u,f]=h(null),m=ye(r?.document_data,()=>f(Error(t(`letters.no_image`)))),g=i?t(`letters.from`,{name:i.user_name}):t(`letters.document`,{id:e}),_=x`<p class="back"><a href=${J(null,n)}>← ${t(`nav.letters`)}</a></p>`,v=x`<${p} rows=${6} />`;if(!r||a?.status===404)return x`${_}${a?x`<${d} error=${a} onRetry=${s} />`:v}`;let y={letter:r,apply:c,act:async e=>{try{let t=await e;return f(null),t}catch(e){return f(e),null}},path:`/documents/${e}`};return x`<div class="bar spread">${_}<${he} letter=${r} /></div>
    <h1 dir="auto">${g}</h1>
    <${d} error=${u??a} onRetry=${u?null:s} />
    <div class="two letter">
      <div>
        ${m&&x`<${$} ...${y} moving=${l} image=${m} label=${g} />`}
        ${!m&&!u&&v}
      </div>
      <div class="column">
        <${ve} event=${i} />
        <${ge} ...${y} />
        <${de} ...${y} event=${i} image=${m} />
      </div>
    </div>`}function ve({event:e}){let{say:t}=o();if(!e)return x`<p class="card quiet sender">${t(`letters.no_event`)}</p>`;let n=S(e);return x`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${e.user_id}`}>${e.user_name}</a>${` `}
      ${v(e,t)}
    </p>
    ${n&&x`<p class="words" dir="auto">${n}</p>`}
    <time datetime=${e.occurred_at}>${t.time(e.occurred_at)}</time>
  </section>`}function ye(e,t){let[n,r]=h(null);return m(()=>{if(!e)return;let n=!1,i=Object.assign(new Image,{src:e});return i.decode().then(()=>n||r({width:i.naturalWidth,height:i.naturalHeight,url:e}),()=>n||t()),()=>{n=!0}},[e]),n?.url===e?n:null}const be=({id:e})=>e?x`<${_e} id=${e} />`:x`<${ce} />`;export{be as View};