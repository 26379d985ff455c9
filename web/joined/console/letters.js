
import{C as e,E as t,F as n,G as r,H as i,I as a,L as o,M as s,P as c,R as l,S as u,T as d,U as f,W as p,Y as m,_ as h,a as g,d as _,g as v,j as y,q as b,w as x}from"./common.js";import{a as S,i as C,n as w,r as T,t as E}from"./picture.js";import{C as D}from"./first.js";const O=[{name:`ring`,wax:`#9c2230`,emblem:`M0-26a26 26 0 1 0 .1 0ZM0-15a15 15 0 1 1-.1 0ZM0-6a6 6 0 1 0 .1 0Z`},{name:`heart`,wax:`#b3203f`,emblem:`M0 26C-36-2-32-27-14-27-6-27 0-20 0-15 0-20 6-27 14-27 32-27 36-2 0 26Z`},{name:`star`,wax:`#8a5a12`,emblem:`M0-30 8.500-10 30-9 13 5 19 26 0 14-19 26-13 5-30-9-8.500-10Z`},{name:`paw`,wax:`#6b4a33`,emblem:`M0 0C11 0 20 11 20 19 20 28 8 26 0 26S-20 28-20 19C-20 11-11 0 0 0ZM-23-9a7 9 0 1 0 .1 0ZM23-9a7 9 0 1 0 .1 0ZM-9-27a7 10 0 1 0 .1 0ZM9-27a7 10 0 1 0 .1 0Z`},{name:`crown`,wax:`#7a2f8f`,emblem:`M-28 20-30-14-14 0 0-24 14 0 30-14 28 20ZM-28 24H28V29H-28Z`},{name:`bolt`,wax:`#2f4f9c`,emblem:`M8-31-20 5H-3L-9 31 21-8H3Z`},{name:`leaf`,wax:`#2a6b45`,emblem:`M-25 27C-27-8-4-27 27-27 29 6 11 25-13 20L-20 28ZM-15 13C-6-2 3-10 16-17 4-6-4 3-10 16Z`},{name:`moon`,wax:`#3d3f75`,emblem:`M8-29A29 29 0 1 0 27 14 24 24 0 0 1 8-29ZM20-22l3 7 7 1-5.500 5 1.500 7-6-4-6 4 1.500-7-5.500-5 7-1Z`},{name:`key`,wax:`#27666b`,emblem:`M-14-22a14 14 0 1 1-.1 0ZM-14-14a6 6 0 1 0 .1 0ZM0-12H30V0H24V9H17V0H11V6H5V0H0Z`},{name:`flower`,wax:`#a03a6d`,emblem:ne(6)}],k=O.length,ee=O.map((e,t)=>t),te={y:46,"text-anchor":`middle`,"font-weight":700,fill:`#fff`,"stroke-width":9,"stroke-linejoin":`round`,"paint-order":`stroke`};function ne(e){let t=e=>{let[t,n]=[Math.cos(e)*18,Math.sin(e)*18];return`M${(t-9.5).toFixed(1)} ${n.toFixed(1)}a9.500 9.500 0 1 0 19 0 9.500 9.500 0 1 0-19 0Z`};return`${Array.from({length:e},(n,r)=>t(r/e*2*Math.PI)).join(``)}M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z`}function re(e){let t=t=>46+2.6*Math.sin(t*2.4+e*1.7)+1.6*Math.sin(t*4.1+e),n=e=>{let n=e/14*2*Math.PI,r=t(e%14);return[Math.cos(n)*r,Math.sin(n)*r]},r=e=>e.map(e=>e.toFixed(1)).join(` `),i=([e,t],[n,i])=>r([(e+n)/2,(t+i)/2]),a=e=>`Q${r(n(e))} ${i(n(e),n(e+1))}`;return`M${i(n(13),n(0))}${Array.from({length:14},(e,t)=>a(t)).join(``)}Z`}function A(e){let{name:t,wax:n,emblem:r}=O[(e%k+k)%k],i=[{d:re(e%1e3),fill:n,stroke:`rgb(0 0 0 / 30%)`,width:2.5},{d:`M-41-6A42 42 0 0 1 4-41`,stroke:`rgb(255 255 255 / 45%)`,width:4},{d:`M41 8A42 42 0 0 1-2 42`,stroke:`rgb(0 0 0 / 22%)`,width:5},{d:`M-35 0a35 35 0 1 0 70 0 35 35 0 1 0-70 0Z`,fill:`rgb(0 0 0 / 16%)`},{d:`M-33 10A34.500 34.500 0 0 1 24-25`,stroke:`rgb(0 0 0 / 32%)`,width:2.5},{d:`M33-10A34.500 34.500 0 0 1-24 25`,stroke:`rgb(255 255 255 / 38%)`,width:2},{d:r,fill:`rgb(0 0 0 / 40%)`,at:2},{d:r,fill:n,at:.7},{d:r,fill:`rgb(255 255 255 / 86%)`}],a=e>=0&&e<k?``:String(e),o=Math.min(22,150/a.length);return{name:t,layers:i,number:a,digits:{...te,stroke:n,"font-size":o}}}function j({seal:e}){let{layers:t,number:n,digits:r}=A(e);return m`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    ${t.map(({d:e,fill:t=`none`,stroke:n,width:r,at:i=0})=>m`<path d=${e} fill=${t} fill-rule="evenodd"
      stroke=${n} stroke-width=${r} stroke-linecap="round" transform=${`translate(${i} ${i})`} />`)}
    ${n&&m`<text ...${r}>${n}</text>`}
  </svg>`}function M({selected:e,onChoose:t,...n}){let{say:r}=i();return m`<div class="seals" role="group" aria-label=${r(`letters.seal`)}>
    ${ee.map(i=>{let a=r(`seal.${A(i).name}`),o=r(`letters.seal_of`,{name:a,number:String(i)});return m`<button aria-pressed=${i===e} aria-label=${o} title=${a}
        onClick=${()=>t(i)} ...${n}><${j} seal=${i} /> <span>${a}</span></button>`})}
  </div>`}function N(e,t){let n=Math.min(e,t),r=n*.24,i=r/2+n*.03;return{x:e-i,y:t-i,size:r}}async function ie(e){let t=new Image;return t.crossOrigin=`anonymous`,t.src=e,await t.decode(),t}function P(e,{x:t,y:n,rotation:r=0,scale:i},a){e.save(),e.translate(t,n),e.rotate(r),e.scale(i,i),a(),e.restore()}function ae(e,{stamp_type:t,pos_x:n,pos_y:r,rotation:i},a,o){P(e,{x:n,y:r,rotation:i,scale:a/100},()=>{if(e.lineJoin=`round`,e.strokeStyle=`#fff`,Object.hasOwn(E,t)){let{path:n,shine:r,fill:i}=E[t],o=new Path2D(n);e.lineWidth=9,e.shadowColor=`rgb(0 0 0 / 40%)`,e.shadowBlur=e.shadowOffsetY=a*.04,e.stroke(o),e.shadowColor=`transparent`,e.fillStyle=i,e.fill(o),Object.assign(e,{strokeStyle:w,lineCap:`round`,lineWidth:5}),e.stroke(new Path2D(r));return}let{height:n}=S(t,100,o*100/a);e.font=`700 ${n}px ${getComputedStyle(document.body).fontFamily}`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineWidth=n*.15,e.strokeText(t,0,0),e.fillStyle=`#c2274b`,e.fillText(t,0,0)})}function F(e,t,{x:n,y:r,size:i}){let{layers:a,number:o,digits:s}=A(t);P(e,{x:n,y:r,scale:i/104},()=>{e.lineCap=`round`;for(let{d:t,fill:n=`transparent`,stroke:r=`transparent`,width:i=1,at:o=0}of a){let a=new Path2D(t);e.translate(o,o),Object.assign(e,{fillStyle:n,strokeStyle:r,lineWidth:i}),e.fill(a,`evenodd`),e.stroke(a),e.translate(-o,-o)}o&&(e.font=`${s[`font-weight`]} ${s[`font-size`]}px ${getComputedStyle(document.body).fontFamily}`,Object.assign(e,{fillStyle:s.fill,strokeStyle:s.stroke,lineWidth:s[`stroke-width`]}),Object.assign(e,{textAlign:`center`,lineJoin:s[`stroke-linejoin`]}),e.strokeText(o,0,s.y),e.fillText(o,0,s.y))})}async function I({document_data:e,seal:t,stamps:n}){let r=await ie(e),{naturalWidth:i,naturalHeight:a}=r,o=Object.assign(document.createElement(`canvas`),{width:i,height:a}),s=o.getContext(`2d`);s.drawImage(r,0,0);for(let e of n)ae(s,e,C(i,a),i);return F(s,t,N(i,a)),new Promise((e,t)=>{o.toBlob(n=>n?e(n):t(/* @__PURE__ */ Error(`no picture`)),`image/png`)})}const L=Math.PI/36,R=.85,z={ArrowLeft:[-1,0,0],ArrowRight:[1,0,0],ArrowUp:[0,-1,0],ArrowDown:[0,1,0],PageUp:[0,0,-1],PageDown:[0,0,1]};function B({pos_x:e,pos_y:t,rotation:n},[r,i,a],o){let s=Math.max(1,Math.round(Math.min(o.width,o.height)*.02)),c={pos_x:e+r*s,pos_y:t+i*s,rotation:n+a*L};return V(c,o)}const V=({pos_x:e,pos_y:t,...n},{width:r,height:i})=>({...n,pos_x:Math.round(Math.min(r,Math.max(0,e))),pos_y:Math.round(Math.min(i,Math.max(0,t)))}),H=(e,t)=>t.has(`stamp.${e}`)?t(`stamp.${e}`):e;function U({type:e,size:t,maxWidth:n=1/0}){let r=Object.hasOwn(E,e)?E[e]:null;return r?m`<g class="stamp-shape" transform=${`scale(${t/100})`}>
    <path d=${r.path} fill=${r.fill} />
    <path class="shine" d=${r.shine} />
  </g>`:m`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${S(e,t,n).height}>${e}</text>`}function W(e,{clientX:t,clientY:n}){return new DOMPoint(t,n).matrixTransform(e.getScreenCTM().inverse())}function G({letter:e,image:t,selected:n,onSelect:r,onMove:a,onRemove:o,label:s,stage:c}){let{say:l}=i(),[u,d]=f(null),p=b(null),{width:h,height:g}=t,_=C(h,g),v=N(h,g),y=e=>Object.hasOwn(E,e)?_:Math.max(_,S(e,_,h).width),x=(e,t,n)=>{e.stopPropagation(),r(t.stamp_id);let{x:i,y:a}=W(c.current,e);p.current={isTurning:n,x:i-t.pos_x,y:a-t.pos_y,stamp:t},e.currentTarget.setPointerCapture(e.pointerId)},w=e=>{let{isTurning:n,x:r,y:i,stamp:a}=p.current??{};if(!a)return;let o=W(c.current,e),s=Math.atan2(o.x-a.pos_x,a.pos_y-o.y);d(n?{...a,rotation:s}:V({...a,pos_x:o.x-r,pos_y:o.y-i},t))},T=()=>{p.current&&u&&a(p.current.stamp,u),p.current=null,d(null)},D=(e,n)=>{if(e.key===`Delete`||e.key===`Backspace`)o(n);else if(e.key===`Enter`||e.key===` `)r(n.stamp_id);else if(z[e.key])a(n,B(n,z[e.key],t));else return;e.preventDefault()},O=e.stamps.map(e=>u?.stamp_id===e.stamp_id?u:e),k=({stamp_type:e},t)=>l(`letters.stamp_of`,{type:H(e,l),at:String(t+1),all:String(O.length)});return m`<svg ref=${c} class="stage" viewBox=${`0 0 ${h} ${g}`} role="group" aria-label=${s}
    tabindex="-1"
    onPointerMove=${w} onPointerUp=${T} onPointerCancel=${T} onPointerDown=${()=>r(null)}>
    <image href=${e.document_data} width=${h} height=${g} />
    <svg class="sealed" x=${v.x-v.size/2} y=${v.y-v.size/2} width=${v.size} height=${v.size}>
      <${j} seal=${e.seal} />
    </svg>
    ${O.map((e,t)=>m`<g key=${e.stamp_id} tabindex="0"
      role="button" data-id=${e.stamp_id}
      class=${e.stamp_id===n?`stamp selected`:`stamp`} aria-pressed=${e.stamp_id===n}
      aria-label=${k(e,t)}
      transform=${`translate(${e.pos_x} ${e.pos_y}) rotate(${e.rotation*180/Math.PI})`}
      onFocus=${()=>r(e.stamp_id)} onKeyDown=${t=>D(t,e)}
      onPointerDown=${t=>x(t,e,!1)}>
      <rect class="hit" x=${-y(e.stamp_type)/2} y=${-_/2} width=${y(e.stamp_type)}
        height=${_} />
      <${U} type=${e.stamp_type} size=${_} maxWidth=${h} />
      ${e.stamp_id===n&&m`<line class="arm" y1=${-_/2} y2=${-_*R} />
        <circle class="handle" cy=${-_*R} r=${_*.14}
          onPointerDown=${t=>x(t,e,!0)} />`}
    </g>`)}
  </svg>`}const K=[`seal`,`stamp`,`from`,`to`];function q(e){let t=new URLSearchParams,n=(e,t=0)=>new Date((/* @__PURE__ */ new Date(`${e}T00:00`)).getTime()+t).toISOString(),[r,i,a,o]=K.map(t=>e.get(t));return r&&t.set(`seal`,r),i&&t.set(`stamp_type`,i),a&&t.set(`created_after`,n(a,-1)),o&&t.set(`created_before`,n(o,864e5)),t}function J(e,t){let n=new URLSearchParams([...t].filter(([e])=>K.includes(e))),r=e?`#/letters/${e}`:`#/letters`;return String(n)?`${r}?${n}`:r}const Y=({metadata:e})=>e!==`alert`;function X(e,{type:t,subject:n,data:r}){let i=Number(n.split(`/`)[1]),a=e.stamps.some(({stamp_id:e})=>e===i);if(t===`stamp.deleted`){let t=({stamp_id:e})=>e!==i;return a?{...e,stamps:e.stamps.filter(t)}:e}if(!r||r.document_id!==e.document_id)return e;let o=e.stamps.map(e=>e.stamp_id===i?r:e);return{...e,stamps:a?o:[...e.stamps,r]}}const Z=async(e,t)=>(await e.page(`/events`,{query:{document_id:t,limit:1}})).records[0]??null;function oe(e,t){let{subscribe:n}=i(),r=h(e),[a,o]=f([]),[s,c]=f([]);p(()=>(o([]),c([]),n(e=>{e.type.startsWith(`stamp.`)&&c(t=>[...t,e]);let n=e.type===`event.created`&&e.data?.document;n&&t(n)&&o(t=>[{...n,event:e.data},...t])})),[e]);let l=new Set(r.records.map(({document_id:e})=>e)),u=[...a.filter(({document_id:e})=>!l.has(e)),...r.records].filter(Y).map(e=>s.reduce(X,e));return{...r,records:u}}function se(e){let{client:t,subscribe:n}=i(),{value:r,error:a,reload:o}=v(async()=>{let n=performance.now(),r=[t.get(`/documents/${e}`),Z(t,e)];return{startedAt:n,found:await Promise.all(r)}},e,1e4),[s,c]=f(void 0),l=b(/* @__PURE__ */ new Set),u=b(0);return p(()=>{l.current.size===0&&!(r?.startedAt<u.current)&&c(r?.found[0])},[r]),p(()=>n(t=>{let n=Number(t.subject.split(`/`)[1]);t.type.startsWith(`stamp.`)&&!l.current.has(n)&&c(e=>e&&X(e,t));let r=t.type===`event.updated`?t.data?.document:null;r?.document_id===Number(e)&&c(r)}),[e]),{letter:s,event:r?.found[1]??null,error:a,reload:o,apply:e=>{u.current=performance.now(),c(e)},moving:l.current}}function ce(){let{say:e,parameters:t}=i(),n=q(t);n.set(`limit`,`24`);let[r,o]=[n.get(`seal`),n.get(`stamp_type`)],s=[...n].length>1,l=({stamps:e})=>o===null||e.some(({stamp_type:e})=>e===o),u=e=>r===null||String(e.seal)===r,d=oe(`/documents?${n}`,e=>Y(e)&&u(e)&&l(e)&&!n.has(`created_before`)),f=d.records.length===0&&!d.busy&&!d.error&&!d.next;return m`<h1>${e(`nav.letters`)}</h1>
    ${(s||!f)&&m`<${le} seal=${r} stamp=${o} />`}
    ${f&&m`<${c}>${e(s?`letters.none`:`letters.empty`)}${` `}
      ${s?m`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:m`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${d.records.length>0&&m`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${d.records.map(e=>m`<${ue} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${a} list=${d} scrolls />`}function le({seal:t,stamp:n}){let{say:r,parameters:a,setParameters:o}=i(),s=[.../* @__PURE__ */ new Set([...Object.keys(E),...n?[n]:[]])].map(e=>({value:e,label:H(e,r)})),c=[{value:``,label:r(`letters.any_stamp`)},...s],l=({currentTarget:{name:e,value:t}})=>o({[e]:t}),u=e=>o({seal:String(e)===t?null:String(e)}),d=(t,n,i)=>m`<${e} label=${r(n)} name=${t} onChange=${l} ...${i}
    value=${a.get(t)??``} />`,f=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>a.get(e));return m`<details class="card letter-filters" open=${f}>
    <summary>${r(`letters.filters`)}</summary>
    <${M} selected=${t===null?null:Number(t)} onChoose=${u} />
    <div class="fields">
      ${d(`stamp`,`letters.stamp`,{options:c})}
      ${d(`from`,`analytics.from`,{type:`date`})}
      ${d(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function ue({letter:e}){let{client:t,say:n,parameters:r}=i(),a=b(null),[o,s]=f(!1),[c,l]=f(e.event),u=n(`overlay.document`);p(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&s(!0),{rootMargin:`300px`});return e.observe(a.current),()=>e.disconnect()},[]),p(()=>{o&&!c&&Z(t,e.document_id).then(l,()=>l(null))},[o]),p(()=>{let t=!1;return o&&T(e,u).then(e=>t||a.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[o,e.document_data,JSON.stringify(e.stamps)]);let d=String(e.document_id),h=c===void 0?m`<span class="bone"></span>`:c?.user_name??n(`letters.document`,{id:d}),g=e.created_at;return m`<li>
    <a class="letter-card" href=${J(e.document_id,r)}>
      <span class="sheet" ref=${a}></span>
      <${j} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${h}</strong>
        <time datetime=${g} title=${n.time(g)}>${n.ago(g)}</time></span>
      <span class="quiet line">${c&&(_(c,n)||n(`kind.plain`))}</span>
    </a>
  </li>`}function de({letter:e,apply:t,act:n,path:r,event:a,image:o}){let{client:s,say:c,parameters:l}=i(),[d,p]=f(``),h=b(null),[_,v]=f(null);return m`<section class="card letter-actions" aria-label=${c(`letters.actions`)}>
    ${a&&m`<${y} class="main" onClick=${async()=>{p(``),await n(s.request(`POST`,`/alerts`,{body:{event_id:a.event_id}}))&&p(c(await g(s).catch(()=>`alerts.sent`)))}}>${c(`letters.replay`)}<//>`}
    <button onClick=${async()=>{let t=await n(I(e).catch(()=>Promise.reject(Error(c(`letters.unreadable`)))));if(!t)return;let r=URL.createObjectURL(t);Object.assign(document.createElement(`a`),{href:r,download:`letter-${e.document_id}.png`}).click(),URL.revokeObjectURL(r)}}>${c(`letters.download`)}</button>
    ${_?m`<span class="asking">
          <${y} class="danger" onClick=${async()=>{let{file:i,width:a,height:c}=_;v(null);let l=new FormData;l.set(`document_data`,i);let u=await n(s.request(`PATCH`,r,{body:l}));if(!u)return;let d=!o||a===o.width&&c===o.height?null:await n(Promise.all(e.stamps.map(({stamp_id:e,pos_x:t,pos_y:n})=>s.patch(`/stamps/${e}`,{pos_x:Math.round(t*a/o.width),pos_y:Math.round(n*c/o.height)}))));t({...u.data,stamps:d??u.data.stamps})}}>${c(`letters.replace_sure`)}<//>
          <button onClick=${()=>v(null)}>${c(`cancel`)}</button>
        </span>`:m`<${y} onClick=${()=>h.current.click()}>${c(`letters.replace`)}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${c(`letters.replace`)} accept=${`image/png,image/jpeg,image/gif,image/webp`} ref=${h}
      onChange=${async()=>{let[e]=h.current.files;if(h.current.value=``,!e)return;let t=e=>Promise.reject(Error(c(e))),r=await n(e.size>4194304?t(`letters.too_large`):createImageBitmap(e).catch(()=>t(`letters.no_picture`)));v(r&&{file:e,width:r.width,height:r.height})}} />
    <${u} className="bad" label=${c(`delete`)} question=${c(`letters.delete_sure`)}
      note=${c(`letters.delete_note`)} act=${()=>n(s.delete(r)).then(e=>e&&(location.hash=J(null,l)))} />
    <span class="good" role="status">${d}</span>
  </section>`}function fe({stage:e,onPlace:t}){let{say:n}=i(),r=b(null),a=b(!1),[o,s]=f(null),c=(e,t)=>{a.current=!1,r.current={type:t,x:e.clientX,y:e.clientY},e.currentTarget.setPointerCapture(e.pointerId)},l=({clientX:e,clientY:t})=>{let n=r.current;n&&Math.hypot(e-n.x,t-n.y)>6&&s({type:n.type,x:e,y:t})},u=n=>{let{left:i,right:c,top:l,bottom:u}=e.current.getBoundingClientRect(),d=n.clientX>i&&n.clientX<c&&n.clientY>l&&n.clientY<u;a.current=!!o,o&&d&&t(o.type,W(e.current,n)),r.current=null,s(null)},p=()=>{r.current=null,s(null)},h=async({type:e})=>(await t(e,null),``),g=e=>a.current?a.current=!1:t(e,null);return m`<div class="stamp-palette" role="group" aria-label=${n(`letters.add_stamp`)}>
      ${Object.keys(E).map(e=>m`<${y} title=${n(`stamp.${e}`)}
        aria-label=${n(`letters.add_of`,{type:n(`stamp.${e}`)})} onClick=${()=>g(e)}
        onPointerDown=${t=>c(t,e)} onPointerMove=${l} onPointerUp=${u} onPointerCancel=${p}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${U} type=${e} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${n(`letters.other_stamp`)}</summary>
      <${x} submit=${n(`letters.add_stamp`)} isMain=${!1} send=${h}
        fields=${[{name:`type`,label:n(`letters.stamp_text`),required:!0,pattern:d,maxlength:40}]} />
    </details>
    ${o&&m`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{left:`${o.x}px`,top:`${o.y}px`}}><${U} type=${o.type} size=${90} /></svg>`}`}const Q={left:[-1,0,0],up:[0,-1,0],down:[0,1,0],right:[1,0,0],back:[0,0,-3],on:[0,0,3]},pe={left:`←`,up:`↑`,down:`↓`,right:`→`,back:`↺`,on:`↻`};function $({letter:e,apply:t,act:n,path:r,moving:a,image:o,label:s}){let{client:c,say:l}=i(),u=b(null),[d,h]=f(null),[g,_]=f(null);p(()=>u.current?.querySelector(`[data-id="${g}"]`)?.focus(),[g]);let v=b(/* @__PURE__ */ new Map),x=e=>{let{place:t,timer:r}=v.current.get(e);clearTimeout(r),v.current.delete(e);let{pos_x:i,pos_y:o,rotation:s}=t;return n(c.patch(`/stamps/${e}`,{pos_x:i,pos_y:o,rotation:s})).then(()=>v.current.has(e)||a.delete(e))};p(()=>()=>[...v.current.keys()].forEach(x),[]);let S=e=>t(t=>t&&{...t,stamps:e(t.stamps)}),C=({stamp_id:e},t)=>{S(n=>n.map(n=>n.stamp_id===e?{...n,...t}:n)),a.add(e),clearTimeout(v.current.get(e)?.timer),v.current.set(e,{place:t,timer:setTimeout(()=>x(e),300)})},w=async({stamp_id:e})=>{clearTimeout(v.current.get(e)?.timer),v.current.delete(e),h(null),await n(c.delete(`/stamps/${e}`))&&(u.current?.focus(),S(t=>t.filter(t=>t.stamp_id!==e)))},T=async(t,i)=>{let a=i?0:e.stamps.length%6*.06*Math.min(o.width,o.height),{x:s,y:l}=i??{x:o.width/2+a,y:o.height/2+a},u={stamp_type:t,pos_x:Math.round(s),pos_y:Math.round(l),rotation:0},d=await n(c.post(`${r}/stamps`,u));d&&(S(e=>[...e.filter(({stamp_id:e})=>e!==d.stamp_id),d]),h(d.stamp_id),_(d.stamp_id))},E=(e,t)=>C(e,B(e,Q[t],o)),D=e.stamps.find(({stamp_id:e})=>e===d);return m`<${G} letter=${e} image=${o} label=${s} stage=${u} selected=${d}
      onSelect=${h} onMove=${C} onRemove=${w} />
    <div class="card tools">
      <${fe} stage=${u} onPlace=${T} />
      ${D&&m`<div class="bar steps" role="group" aria-label=${l(`letters.move`)}>
        ${Object.keys(Q).map(e=>m`<${y} title=${l(`letters.step.${e}`)}
          aria-label=${l(`letters.step.${e}`)} onClick=${()=>E(D,e)}>${pe[e]}<//>`)}
        <${y} class="remove" onClick=${()=>w(D)}>${l(`letters.remove_stamp`)}<//>
      </div>`}
      <p class="quiet">${l(D?`letters.keys`:`letters.how`)}</p>
    </div>`}function me(e){let{client:t,parameters:n}=i(),r=q(n),a=async(n,i)=>{let a=new URLSearchParams(r);a.set(n,e.created_at),a.set(`order`,i),a.set(`limit`,`10`);let{records:o}=await t.page(`/documents?${a}`);return o.find(Y)??null};return v(()=>Promise.all([a(`created_after`,`asc`),a(`created_before`,`desc`)]),`${e.document_id} ${r}`).value??[null,null]}function he({letter:e}){let{say:t,parameters:a}=i(),[o,s]=me(e),c=[o,s].map(e=>e&&J(e.document_id,a)),l=b(c);l.current=c,r(()=>{let e=e=>{let t=[`ArrowLeft`,`ArrowRight`].indexOf(e.key),n=e.defaultPrevented||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey,{target:r}=e;if(t<0||n||r instanceof Element&&r.closest(`.stamp, input, select, textarea, dialog`))return;let i=l.current[t];i&&(location.hash=i)};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]);let u=(e,r,i)=>{let a=t(`letters.${r}`),o=m`<${n} name=${i} />`;return c[e]?m`<a class="button" href=${c[e]} title=${a} aria-label=${a}>${o}</a>`:m`<span class="button none" aria-hidden="true">${o}</span>`};return m`<nav class="neighbours" aria-label=${t(`letters.others`)}>
    ${u(0,`newer`,`left`)} ${u(1,`older`,`right`)}
  </nav>`}function ge({letter:e,apply:n,act:r,path:a}){let{client:o,say:c}=i(),l=async t=>{if(t===e.seal)return;let i=await r(o.patch(a,{seal:t}));i&&n(e=>({...e,seal:i.seal}))};return m`<section class="card seal-choice">
    <h2>${c(`letters.seal`)}</h2>
    <div class="current">
      <${j} seal=${e.seal} />
      <${t} label=${c(`letters.seal_number`)} type="number" step="1" required
        min=${-(2**53-1)} max=${2**53-1} value=${String(e.seal)}
        onCommit=${e=>l(Number(e))} ...${s()} />
    </div>
    <${M} selected=${e.seal} onChoose=${l} ...${s()} />
  </section>`}function _e({id:e}){let{say:t,parameters:n}=i(),{letter:r,event:a,error:s,reload:c,apply:u,moving:d}=se(e),[p,h]=f(null),g=ye(r?.document_data,()=>h(Error(t(`letters.no_image`)))),_=a?t(`letters.from`,{name:a.user_name}):t(`letters.document`,{id:e}),v=m`<p class="back"><a href=${J(null,n)}>← ${t(`nav.letters`)}</a></p>`,y=m`<${l} rows=${6} />`;if(!r||s?.status===404)return m`${v}${s?m`<${o} error=${s} onRetry=${c} />`:y}`;let b={letter:r,apply:u,act:async e=>{try{let t=await e;return h(null),t}catch(e){return h(e),null}},path:`/documents/${e}`};return m`<div class="bar spread">${v}<${he} letter=${r} /></div>
    <h1 dir="auto">${_}</h1>
    <${o} error=${p??s} onRetry=${p?null:c} />
    <div class="two letter">
      <div>
        ${g&&m`<${$} ...${b} moving=${d} image=${g} label=${_} />`}
        ${!g&&!p&&y}
      </div>
      <div class="column">
        <${ve} event=${a} />
        <${ge} ...${b} />
        <${de} ...${b} event=${a} image=${g} />
      </div>
    </div>`}function ve({event:e}){let{say:t}=i();if(!e)return m`<p class="card quiet sender">${t(`letters.no_event`)}</p>`;let n=D(e);return m`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${e.user_id}`}>${e.user_name}</a>${` `}
      ${_(e,t)}
    </p>
    ${n&&m`<p class="words" dir="auto">${n}</p>`}
    <time datetime=${e.occurred_at}>${t.time(e.occurred_at)}</time>
  </section>`}function ye(e,t){let[n,r]=f(null);return p(()=>{if(!e)return;let n=!1,i=Object.assign(new Image,{src:e});return i.decode().then(()=>n||r({width:i.naturalWidth,height:i.naturalHeight,url:e}),()=>n||t()),()=>{n=!0}},[e]),n?.url===e?n:null}const be=({id:e})=>e?m`<${_e} id=${e} />`:m`<${ce} />`;export{be as View};