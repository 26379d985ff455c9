
import{C as e,E as t,O as n,S as r,f as i,g as a,h as o,l as s,m as c,n as l,p as u,t as d,u as f,w as p,x as m}from"./common.js";import{i as h}from"./rows.js";import{c as g,l as _,o as v,s as y,u as b}from"./forms.js";import{a as x,i as S,n as C,r as w,t as T}from"./picture.js";import{C as E}from"./first.js";import{a as D}from"./stop.js";const O=[{name:`ring`,wax:`#9c2230`,emblem:`M0-26a26 26 0 1 0 .1 0ZM0-15a15 15 0 1 1-.1 0ZM0-6a6 6 0 1 0 .1 0Z`},{name:`heart`,wax:`#b3203f`,emblem:`M0 26C-36-2-32-27-14-27-6-27 0-20 0-15 0-20 6-27 14-27 32-27 36-2 0 26Z`},{name:`star`,wax:`#8a5a12`,emblem:`M0-30 8.500-10 30-9 13 5 19 26 0 14-19 26-13 5-30-9-8.500-10Z`},{name:`paw`,wax:`#6b4a33`,emblem:`M0 0C11 0 20 11 20 19 20 28 8 26 0 26S-20 28-20 19C-20 11-11 0 0 0ZM-23-9a7 9 0 1 0 .1 0ZM23-9a7 9 0 1 0 .1 0ZM-9-27a7 10 0 1 0 .1 0ZM9-27a7 10 0 1 0 .1 0Z`},{name:`crown`,wax:`#7a2f8f`,emblem:`M-28 20-30-14-14 0 0-24 14 0 30-14 28 20ZM-28 24H28V29H-28Z`},{name:`bolt`,wax:`#2f4f9c`,emblem:`M8-31-20 5H-3L-9 31 21-8H3Z`},{name:`leaf`,wax:`#2a6b45`,emblem:`M-25 27C-27-8-4-27 27-27 29 6 11 25-13 20L-20 28ZM-15 13C-6-2 3-10 16-17 4-6-4 3-10 16Z`},{name:`moon`,wax:`#3d3f75`,emblem:`M8-29A29 29 0 1 0 27 14 24 24 0 0 1 8-29ZM20-22l3 7 7 1-5.500 5 1.500 7-6-4-6 4 1.500-7-5.500-5 7-1Z`},{name:`key`,wax:`#27666b`,emblem:`M-14-22a14 14 0 1 1-.1 0ZM-14-14a6 6 0 1 0 .1 0ZM0-12H30V0H24V9H17V0H11V6H5V0H0Z`},{name:`flower`,wax:`#a03a6d`,emblem:ne(6)}],k=O.length,ee=O.map((e,t)=>t),te={y:46,"text-anchor":`middle`,"font-weight":700,fill:`#fff`,"stroke-width":9,"stroke-linejoin":`round`,"paint-order":`stroke`};function ne(e){let t=e=>{let[t,n]=[Math.cos(e)*18,Math.sin(e)*18];return`M${(t-9.5).toFixed(1)} ${n.toFixed(1)}a9.500 9.500 0 1 0 19 0 9.500 9.500 0 1 0-19 0Z`};return`${Array.from({length:e},(n,r)=>t(r/e*2*Math.PI)).join(``)}M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z`}function re(e){let t=t=>46+2.6*Math.sin(t*2.4+e*1.7)+1.6*Math.sin(t*4.1+e),n=e=>{let n=e/14*2*Math.PI,r=t(e%14);return[Math.cos(n)*r,Math.sin(n)*r]},r=e=>e.map(e=>e.toFixed(1)).join(` `),i=([e,t],[n,i])=>r([(e+n)/2,(t+i)/2]),a=e=>`Q${r(n(e))} ${i(n(e),n(e+1))}`;return`M${i(n(13),n(0))}${Array.from({length:14},(e,t)=>a(t)).join(``)}Z`}function A(e){let{name:t,wax:n,emblem:r}=O[(e%k+k)%k],i=[{d:re(e%1e3),fill:n,stroke:`rgb(0 0 0 / 30%)`,width:2.5},{d:`M-41-6A42 42 0 0 1 4-41`,stroke:`rgb(255 255 255 / 45%)`,width:4},{d:`M41 8A42 42 0 0 1-2 42`,stroke:`rgb(0 0 0 / 22%)`,width:5},{d:`M-35 0a35 35 0 1 0 70 0 35 35 0 1 0-70 0Z`,fill:`rgb(0 0 0 / 16%)`},{d:`M-33 10A34.500 34.500 0 0 1 24-25`,stroke:`rgb(0 0 0 / 32%)`,width:2.5},{d:`M33-10A34.500 34.500 0 0 1-24 25`,stroke:`rgb(255 255 255 / 38%)`,width:2},{d:r,fill:`rgb(0 0 0 / 40%)`,at:2},{d:r,fill:n,at:.7},{d:r,fill:`rgb(255 255 255 / 86%)`}],a=e>=0&&e<k?``:String(e),o=Math.min(22,150/a.length);return{name:t,layers:i,number:a,digits:{...te,stroke:n,"font-size":o}}}function j({seal:e}){let{layers:t,number:r,digits:i}=A(e);return n`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    ${t.map(({d:e,fill:t=`none`,stroke:r,width:i,at:a=0})=>n`<path d=${e} fill=${t} fill-rule="evenodd"
      stroke=${r} stroke-width=${i} stroke-linecap="round" transform=${`translate(${a} ${a})`} />`)}
    ${r&&n`<text ...${i}>${r}</text>`}
  </svg>`}function M({selected:e,onChoose:t,...r}){let{say:i}=m();return n`<div class="seals" role="group" aria-label=${i(`letters.seal`)}>
    ${ee.map(a=>{let o=i(`seal.${A(a).name}`),s=i(`letters.seal_of`,{name:o,number:String(a)});return n`<button aria-pressed=${a===e} aria-label=${s} title=${o}
        onClick=${()=>t(a)} ...${r}><${j} seal=${a} /> <span>${o}</span></button>`})}
  </div>`}function N(e,t){let n=Math.min(e,t),r=n*.24,i=r/2+n*.03;return{x:e-i,y:t-i,size:r}}async function ie(e){let t=new Image;return t.crossOrigin=`anonymous`,t.src=e,await t.decode(),t}function P(e,{x:t,y:n,rotation:r=0,scale:i},a){e.save(),e.translate(t,n),e.rotate(r),e.scale(i,i),a(),e.restore()}function ae(e,{stamp_type:t,pos_x:n,pos_y:r,rotation:i},a,o){P(e,{x:n,y:r,rotation:i,scale:a/100},()=>{if(e.lineJoin=`round`,e.strokeStyle=`#fff`,Object.hasOwn(T,t)){let{path:n,shine:r,fill:i}=T[t],o=new Path2D(n);e.lineWidth=9,e.shadowColor=`rgb(0 0 0 / 40%)`,e.shadowBlur=e.shadowOffsetY=a*.04,e.stroke(o),e.shadowColor=`transparent`,e.fillStyle=i,e.fill(o),Object.assign(e,{strokeStyle:C,lineCap:`round`,lineWidth:5}),e.stroke(new Path2D(r));return}let{height:n}=x(t,100,o*100/a);e.font=`700 ${n}px ${getComputedStyle(document.body).fontFamily}`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineWidth=n*.15,e.strokeText(t,0,0),e.fillStyle=`#c2274b`,e.fillText(t,0,0)})}function F(e,t,{x:n,y:r,size:i}){let{layers:a,number:o,digits:s}=A(t);P(e,{x:n,y:r,scale:i/104},()=>{e.lineCap=`round`;for(let{d:t,fill:n=`transparent`,stroke:r=`transparent`,width:i=1,at:o=0}of a){let a=new Path2D(t);e.translate(o,o),Object.assign(e,{fillStyle:n,strokeStyle:r,lineWidth:i}),e.fill(a,`evenodd`),e.stroke(a),e.translate(-o,-o)}o&&(e.font=`${s[`font-weight`]} ${s[`font-size`]}px ${getComputedStyle(document.body).fontFamily}`,Object.assign(e,{fillStyle:s.fill,strokeStyle:s.stroke,lineWidth:s[`stroke-width`]}),Object.assign(e,{textAlign:`center`,lineJoin:s[`stroke-linejoin`]}),e.strokeText(o,0,s.y),e.fillText(o,0,s.y))})}async function I({document_data:e,seal:t,stamps:n}){let r=await ie(e),{naturalWidth:i,naturalHeight:a}=r,o=Object.assign(document.createElement(`canvas`),{width:i,height:a}),s=o.getContext(`2d`);s.drawImage(r,0,0);for(let e of n)ae(s,e,S(i,a),i);return F(s,t,N(i,a)),new Promise((e,t)=>{o.toBlob(n=>n?e(n):t(/* @__PURE__ */ Error(`no picture`)),`image/png`)})}const L=Math.PI/36,R=.85,z={ArrowLeft:[-1,0,0],ArrowRight:[1,0,0],ArrowUp:[0,-1,0],ArrowDown:[0,1,0],PageUp:[0,0,-1],PageDown:[0,0,1]};function B({pos_x:e,pos_y:t,rotation:n},[r,i,a],o){let s=Math.max(1,Math.round(Math.min(o.width,o.height)*.02)),c={pos_x:e+r*s,pos_y:t+i*s,rotation:n+a*L};return V(c,o)}const V=({pos_x:e,pos_y:t,...n},{width:r,height:i})=>({...n,pos_x:Math.round(Math.min(r,Math.max(0,e))),pos_y:Math.round(Math.min(i,Math.max(0,t)))}),H=(e,t)=>t.has(`stamp.${e}`)?t(`stamp.${e}`):e;function U({type:e,size:t,maxWidth:r=1/0}){let i=Object.hasOwn(T,e)?T[e]:null;return i?n`<g class="stamp-shape" transform=${`scale(${t/100})`}>
    <path d=${i.path} fill=${i.fill} />
    <path class="shine" d=${i.shine} />
  </g>`:n`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${x(e,t,r).height}>${e}</text>`}function W(e,{clientX:t,clientY:n}){return new DOMPoint(t,n).matrixTransform(e.getScreenCTM().inverse())}function G({letter:e,image:i,selected:a,onSelect:o,onMove:s,onRemove:c,label:l,stage:u}){let{say:d}=m(),[f,p]=r(null),h=t(null),{width:g,height:_}=i,v=S(g,_),y=N(g,_),b=e=>Object.hasOwn(T,e)?v:Math.max(v,x(e,v,g).width),C=(e,t,n)=>{e.stopPropagation(),o(t.stamp_id);let{x:r,y:i}=W(u.current,e);h.current={isTurning:n,x:r-t.pos_x,y:i-t.pos_y,stamp:t},e.currentTarget.setPointerCapture(e.pointerId)},w=e=>{let{isTurning:t,x:n,y:r,stamp:a}=h.current??{};if(!a)return;let o=W(u.current,e),s=Math.atan2(o.x-a.pos_x,a.pos_y-o.y);p(t?{...a,rotation:s}:V({...a,pos_x:o.x-n,pos_y:o.y-r},i))},E=()=>{h.current&&f&&s(h.current.stamp,f),h.current=null,p(null)},D=(e,t)=>{if(e.key===`Delete`||e.key===`Backspace`)c(t);else if(e.key===`Enter`||e.key===` `)o(t.stamp_id);else if(z[e.key])s(t,B(t,z[e.key],i));else return;e.preventDefault()},O=e.stamps.map(e=>f?.stamp_id===e.stamp_id?f:e),k=({stamp_type:e},t)=>d(`letters.stamp_of`,{type:H(e,d),at:String(t+1),all:String(O.length)});return n`<svg ref=${u} class="stage" viewBox=${`0 0 ${g} ${_}`} role="group" aria-label=${l}
    tabindex="-1"
    onPointerMove=${w} onPointerUp=${E} onPointerCancel=${E} onPointerDown=${()=>o(null)}>
    <image href=${e.document_data} width=${g} height=${_} />
    <svg class="sealed" x=${y.x-y.size/2} y=${y.y-y.size/2} width=${y.size} height=${y.size}>
      <${j} seal=${e.seal} />
    </svg>
    ${O.map((e,t)=>n`<g key=${e.stamp_id} tabindex="0"
      role="button" data-id=${e.stamp_id}
      class=${e.stamp_id===a?`stamp selected`:`stamp`} aria-pressed=${e.stamp_id===a}
      aria-label=${k(e,t)}
      transform=${`translate(${e.pos_x} ${e.pos_y}) rotate(${e.rotation*180/Math.PI})`}
      onFocus=${()=>o(e.stamp_id)} onKeyDown=${t=>D(t,e)}
      onPointerDown=${t=>C(t,e,!1)}>
      <rect class="hit" x=${-b(e.stamp_type)/2} y=${-v/2} width=${b(e.stamp_type)}
        height=${v} />
      <${U} type=${e.stamp_type} size=${v} maxWidth=${g} />
      ${e.stamp_id===a&&n`<line class="arm" y1=${-v/2} y2=${-v*R} />
        <circle class="handle" cy=${-v*R} r=${v*.14}
          onPointerDown=${t=>C(t,e,!0)} />`}
    </g>`)}
  </svg>`}const K=[`seal`,`stamp`,`from`,`to`];function q(e){let t=new URLSearchParams,n=(e,t=0)=>new Date((/* @__PURE__ */ new Date(`${e}T00:00`)).getTime()+t).toISOString(),[r,i,a,o]=K.map(t=>e.get(t));return r&&t.set(`seal`,r),i&&t.set(`stamp_type`,i),a&&t.set(`created_after`,n(a,-1)),o&&t.set(`created_before`,n(o,864e5)),t}function J(e,t){let n=new URLSearchParams([...t].filter(([e])=>K.includes(e))),r=e?`#/letters/${e}`:`#/letters`;return String(n)?`${r}?${n}`:r}const Y=({metadata:e})=>e!==`alert`;function X(e,{type:t,subject:n,data:r}){let i=Number(n.split(`/`)[1]),a=e.stamps.some(({stamp_id:e})=>e===i);if(t===`stamp.deleted`){let t=({stamp_id:e})=>e!==i;return a?{...e,stamps:e.stamps.filter(t)}:e}if(!r||r.document_id!==e.document_id)return e;let o=e.stamps.map(e=>e.stamp_id===i?r:e);return{...e,stamps:a?o:[...e.stamps,r]}}const Z=async(e,t)=>(await e.page(`/events`,{query:{document_id:t,limit:1}})).records[0]??null;function oe(t,n){let{subscribe:i}=m(),a=l(t),[o,s]=r([]),[c,u]=r([]);e(()=>(s([]),u([]),i(e=>{e.type.startsWith(`stamp.`)&&u(t=>[...t,e]);let t=e.type===`event.created`&&e.data?.document;t&&n(t)&&s(n=>[{...t,event:e.data},...n])})),[t]);let d=new Set(a.records.map(({document_id:e})=>e)),f=[...o.filter(({document_id:e})=>!d.has(e)),...a.records].filter(Y).map(e=>c.reduce(X,e));return{...a,records:f}}function se(n){let{client:i,subscribe:a}=m(),{value:o,error:s,reload:c}=d(async()=>{let e=performance.now(),t=[i.get(`/documents/${n}`),Z(i,n)];return{startedAt:e,found:await Promise.all(t)}},n,1e4),[l,u]=r(void 0),f=t(/* @__PURE__ */ new Set),p=t(0);return e(()=>{f.current.size===0&&!(o?.startedAt<p.current)&&u(o?.found[0])},[o]),e(()=>a(e=>{let t=Number(e.subject.split(`/`)[1]);e.type.startsWith(`stamp.`)&&!f.current.has(t)&&u(t=>t&&X(t,e));let r=e.type===`event.updated`?e.data?.document:null;r?.document_id===Number(n)&&u(r)}),[n]),{letter:l,event:o?.found[1]??null,error:s,reload:c,apply:e=>{p.current=performance.now(),u(e)},moving:f.current}}function ce(){let{say:e,parameters:t}=m(),r=q(t);r.set(`limit`,`24`);let[a,o]=[r.get(`seal`),r.get(`stamp_type`)],s=[...r].length>1,l=({stamps:e})=>o===null||e.some(({stamp_type:e})=>e===o),u=e=>a===null||String(e.seal)===a,d=oe(`/documents?${r}`,e=>Y(e)&&u(e)&&l(e)&&!r.has(`created_before`)),f=d.records.length===0&&!d.busy&&!d.error&&!d.next;return n`<h1>${e(`nav.letters`)}</h1>
    ${(s||!f)&&n`<${le} seal=${a} stamp=${o} />`}
    ${f&&n`<${i}>${e(s?`letters.none`:`letters.empty`)}${` `}
      ${s?n`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:n`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${d.records.length>0&&n`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${d.records.map(e=>n`<${ue} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${c} list=${d} scrolls />`}function le({seal:e,stamp:t}){let{say:r,parameters:i,setParameters:a}=m(),o=[.../* @__PURE__ */ new Set([...Object.keys(T),...t?[t]:[]])].map(e=>({value:e,label:H(e,r)})),s=[{value:``,label:r(`letters.any_stamp`)},...o],c=({currentTarget:{name:e,value:t}})=>a({[e]:t}),l=t=>a({seal:String(t)===e?null:String(t)}),u=(e,t,a)=>n`<${y} label=${r(t)} name=${e} onChange=${c} ...${a}
    value=${i.get(e)??``} />`,d=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>i.get(e));return n`<details class="card letter-filters" open=${d}>
    <summary>${r(`letters.filters`)}</summary>
    <${M} selected=${e===null?null:Number(e)} onChoose=${l} />
    <div class="fields">
      ${u(`stamp`,`letters.stamp`,{options:s})}
      ${u(`from`,`analytics.from`,{type:`date`})}
      ${u(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function ue({letter:i}){let{client:a,say:o,parameters:s}=m(),c=t(null),[l,u]=r(!1),[d,f]=r(i.event),p=o(`overlay.document`);e(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&u(!0),{rootMargin:`300px`});return e.observe(c.current),()=>e.disconnect()},[]),e(()=>{l&&!d&&Z(a,i.document_id).then(f,()=>f(null))},[l]),e(()=>{let e=!1;return l&&w(i,p).then(t=>e||c.current?.replaceChildren(t)).catch(()=>{}),()=>{e=!0}},[l,i.document_data,JSON.stringify(i.stamps)]);let g=String(i.document_id),_=d===void 0?n`<span class="bone"></span>`:d?.user_name??o(`letters.document`,{id:g}),v=i.created_at;return n`<li>
    <a class="letter-card" href=${J(i.document_id,s)}>
      <span class="sheet" ref=${c}></span>
      <${j} seal=${i.seal} />
      <span class="from"><strong class="name" dir="auto">${_}</strong>
        <time datetime=${v} title=${o.time(v)}>${o.ago(v)}</time></span>
      <span class="quiet line">${d&&(h(d,o)||o(`kind.plain`))}</span>
    </a>
  </li>`}function de({letter:e,apply:i,act:a,path:o,event:c,image:l}){let{client:u,say:d,parameters:f}=m(),[p,h]=r(``),g=t(null),[_,y]=r(null);return n`<section class="card letter-actions" aria-label=${d(`letters.actions`)}>
    ${c&&n`<${s} class="main" onClick=${async()=>{h(``),await a(u.request(`POST`,`/alerts`,{body:{event_id:c.event_id}}))&&h(d(await D(u).catch(()=>`alerts.sent`)))}}>${d(`letters.replay`)}<//>`}
    <button onClick=${async()=>{let t=await a(I(e).catch(()=>Promise.reject(Error(d(`letters.unreadable`)))));if(!t)return;let n=URL.createObjectURL(t);Object.assign(document.createElement(`a`),{href:n,download:`letter-${e.document_id}.png`}).click(),URL.revokeObjectURL(n)}}>${d(`letters.download`)}</button>
    ${_?n`<span class="asking">
          <${s} class="danger" onClick=${async()=>{let{file:t,width:n,height:r}=_;y(null);let s=new FormData;s.set(`document_data`,t);let c=await a(u.request(`PATCH`,o,{body:s}));if(!c)return;let d=!l||n===l.width&&r===l.height?null:await a(Promise.all(e.stamps.map(({stamp_id:e,pos_x:t,pos_y:i})=>u.patch(`/stamps/${e}`,{pos_x:Math.round(t*n/l.width),pos_y:Math.round(i*r/l.height)}))));i({...c.data,stamps:d??c.data.stamps})}}>${d(`letters.replace_sure`)}<//>
          <button onClick=${()=>y(null)}>${d(`cancel`)}</button>
        </span>`:n`<${s} onClick=${()=>g.current.click()}>${d(`letters.replace`)}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${d(`letters.replace`)} accept=${`image/png,image/jpeg,image/gif,image/webp`} ref=${g}
      onChange=${async()=>{let[e]=g.current.files;if(g.current.value=``,!e)return;let t=e=>Promise.reject(Error(d(e))),n=await a(e.size>4194304?t(`letters.too_large`):createImageBitmap(e).catch(()=>t(`letters.no_picture`)));y(n&&{file:e,width:n.width,height:n.height})}} />
    <${v} className="bad" label=${d(`delete`)} question=${d(`letters.delete_sure`)}
      note=${d(`letters.delete_note`)} act=${()=>a(u.delete(o)).then(e=>e&&(location.hash=J(null,f)))} />
    <span class="good" role="status">${p}</span>
  </section>`}function fe({stage:e,onPlace:i}){let{say:a}=m(),o=t(null),c=t(!1),[l,u]=r(null),d=(e,t)=>{c.current=!1,o.current={type:t,x:e.clientX,y:e.clientY},e.currentTarget.setPointerCapture(e.pointerId)},f=({clientX:e,clientY:t})=>{let n=o.current;n&&Math.hypot(e-n.x,t-n.y)>6&&u({type:n.type,x:e,y:t})},p=t=>{let{left:n,right:r,top:a,bottom:s}=e.current.getBoundingClientRect(),d=t.clientX>n&&t.clientX<r&&t.clientY>a&&t.clientY<s;c.current=!!l,l&&d&&i(l.type,W(e.current,t)),o.current=null,u(null)},h=()=>{o.current=null,u(null)},v=async({type:e})=>(await i(e,null),``),y=e=>c.current?c.current=!1:i(e,null);return n`<div class="stamp-palette" role="group" aria-label=${a(`letters.add_stamp`)}>
      ${Object.keys(T).map(e=>n`<${s} title=${a(`stamp.${e}`)}
        aria-label=${a(`letters.add_of`,{type:a(`stamp.${e}`)})} onClick=${()=>y(e)}
        onPointerDown=${t=>d(t,e)} onPointerMove=${f} onPointerUp=${p} onPointerCancel=${h}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${U} type=${e} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${a(`letters.other_stamp`)}</summary>
      <${g} submit=${a(`letters.add_stamp`)} isMain=${!1} send=${v}
        fields=${[{name:`type`,label:a(`letters.stamp_text`),required:!0,pattern:_,maxlength:40}]} />
    </details>
    ${l&&n`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{left:`${l.x}px`,top:`${l.y}px`}}><${U} type=${l.type} size=${90} /></svg>`}`}const Q={left:[-1,0,0],up:[0,-1,0],down:[0,1,0],right:[1,0,0],back:[0,0,-3],on:[0,0,3]},pe={left:`←`,up:`↑`,down:`↓`,right:`→`,back:`↺`,on:`↻`};function $({letter:i,apply:a,act:o,path:c,moving:l,image:u,label:d}){let{client:f,say:p}=m(),h=t(null),[g,_]=r(null),[v,y]=r(null);e(()=>h.current?.querySelector(`[data-id="${v}"]`)?.focus(),[v]);let b=t(/* @__PURE__ */ new Map),x=e=>{let{place:t,timer:n}=b.current.get(e);clearTimeout(n),b.current.delete(e);let{pos_x:r,pos_y:i,rotation:a}=t;return o(f.patch(`/stamps/${e}`,{pos_x:r,pos_y:i,rotation:a})).then(()=>b.current.has(e)||l.delete(e))};e(()=>()=>[...b.current.keys()].forEach(x),[]);let S=e=>a(t=>t&&{...t,stamps:e(t.stamps)}),C=({stamp_id:e},t)=>{S(n=>n.map(n=>n.stamp_id===e?{...n,...t}:n)),l.add(e),clearTimeout(b.current.get(e)?.timer),b.current.set(e,{place:t,timer:setTimeout(()=>x(e),300)})},w=async({stamp_id:e})=>{clearTimeout(b.current.get(e)?.timer),b.current.delete(e),_(null),await o(f.delete(`/stamps/${e}`))&&(h.current?.focus(),S(t=>t.filter(t=>t.stamp_id!==e)))},T=async(e,t)=>{let n=t?0:i.stamps.length%6*.06*Math.min(u.width,u.height),{x:r,y:a}=t??{x:u.width/2+n,y:u.height/2+n},s={stamp_type:e,pos_x:Math.round(r),pos_y:Math.round(a),rotation:0},l=await o(f.post(`${c}/stamps`,s));l&&(S(e=>[...e.filter(({stamp_id:e})=>e!==l.stamp_id),l]),_(l.stamp_id),y(l.stamp_id))},E=(e,t)=>C(e,B(e,Q[t],u)),D=i.stamps.find(({stamp_id:e})=>e===g);return n`<${G} letter=${i} image=${u} label=${d} stage=${h} selected=${g}
      onSelect=${_} onMove=${C} onRemove=${w} />
    <div class="card tools">
      <${fe} stage=${h} onPlace=${T} />
      ${D&&n`<div class="bar steps" role="group" aria-label=${p(`letters.move`)}>
        ${Object.keys(Q).map(e=>n`<${s} title=${p(`letters.step.${e}`)}
          aria-label=${p(`letters.step.${e}`)} onClick=${()=>E(D,e)}>${pe[e]}<//>`)}
        <${s} class="remove" onClick=${()=>w(D)}>${p(`letters.remove_stamp`)}<//>
      </div>`}
      <p class="quiet">${p(D?`letters.keys`:`letters.how`)}</p>
    </div>`}function me(e){let{client:t,parameters:n}=m(),r=q(n),i=async(n,i)=>{let a=new URLSearchParams(r);a.set(n,e.created_at),a.set(`order`,i),a.set(`limit`,`10`);let{records:o}=await t.page(`/documents?${a}`);return o.find(Y)??null};return d(()=>Promise.all([i(`created_after`,`asc`),i(`created_before`,`desc`)]),`${e.document_id} ${r}`).value??[null,null]}function he({letter:e}){let{say:r,parameters:i}=m(),[a,o]=me(e),s=[a,o].map(e=>e&&J(e.document_id,i)),c=t(s);c.current=s,p(()=>{let e=e=>{let t=[`ArrowLeft`,`ArrowRight`].indexOf(e.key),n=e.defaultPrevented||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey,{target:r}=e;if(t<0||n||r instanceof Element&&r.closest(`.stamp, input, select, textarea, dialog`))return;let i=c.current[t];i&&(location.hash=i)};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]);let l=(e,t,i)=>{let a=r(`letters.${t}`),o=n`<${u} name=${i} />`;return s[e]?n`<a class="button" href=${s[e]} title=${a} aria-label=${a}>${o}</a>`:n`<span class="button none" aria-hidden="true">${o}</span>`};return n`<nav class="neighbours" aria-label=${r(`letters.others`)}>
    ${l(0,`newer`,`left`)} ${l(1,`older`,`right`)}
  </nav>`}function ge({letter:e,apply:t,act:r,path:i}){let{client:a,say:o}=m(),s=async n=>{if(n===e.seal)return;let o=await r(a.patch(i,{seal:n}));o&&t(e=>({...e,seal:o.seal}))};return n`<section class="card seal-choice">
    <h2>${o(`letters.seal`)}</h2>
    <div class="current">
      <${j} seal=${e.seal} />
      <${b} label=${o(`letters.seal_number`)} type="number" step="1" required
        min=${-(2**53-1)} max=${2**53-1} value=${String(e.seal)}
        onCommit=${e=>s(Number(e))} ...${f()} />
    </div>
    <${M} selected=${e.seal} onChoose=${s} ...${f()} />
  </section>`}function _e({id:e}){let{say:t,parameters:i}=m(),{letter:s,event:c,error:l,reload:u,apply:d,moving:f}=se(e),[p,h]=r(null),g=ye(s?.document_data,()=>h(Error(t(`letters.no_image`)))),_=c?t(`letters.from`,{name:c.user_name}):t(`letters.document`,{id:e}),v=n`<p class="back"><a href=${J(null,i)}>← ${t(`nav.letters`)}</a></p>`,y=n`<${a} rows=${6} />`;if(!s||l?.status===404)return n`${v}${l?n`<${o} error=${l} onRetry=${u} />`:y}`;let b={letter:s,apply:d,act:async e=>{try{let t=await e;return h(null),t}catch(e){return h(e),null}},path:`/documents/${e}`};return n`<div class="bar spread">${v}<${he} letter=${s} /></div>
    <h1 dir="auto">${_}</h1>
    <${o} error=${p??l} onRetry=${p?null:u} />
    <div class="two letter">
      <div>
        ${g&&n`<${$} ...${b} moving=${f} image=${g} label=${_} />`}
        ${!g&&!p&&y}
      </div>
      <div class="column">
        <${ve} event=${c} />
        <${ge} ...${b} />
        <${de} ...${b} event=${c} image=${g} />
      </div>
    </div>`}function ve({event:e}){let{say:t}=m();if(!e)return n`<p class="card quiet sender">${t(`letters.no_event`)}</p>`;let r=E(e);return n`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${e.user_id}`}>${e.user_name}</a>${` `}
      ${h(e,t)}
    </p>
    ${r&&n`<p class="words" dir="auto">${r}</p>`}
    <time datetime=${e.occurred_at}>${t.time(e.occurred_at)}</time>
  </section>`}function ye(t,n){let[i,a]=r(null);return e(()=>{if(!t)return;let e=!1,r=Object.assign(new Image,{src:t});return r.decode().then(()=>e||a({width:r.naturalWidth,height:r.naturalHeight,url:t}),()=>e||n()),()=>{e=!0}},[t]),i?.url===t?i:null}const be=({id:e})=>e?n`<${_e} id=${e} />`:n`<${ce} />`;export{be as View};