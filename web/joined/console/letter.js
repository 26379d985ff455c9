
import{i as e}from"./rows.js";import{A as t,E as n,O as r,S as i,T as a,g as o,h as s,l as c,p as l,t as u,u as d,w as f}from"./common.js";import{C as p,w as m}from"./first.js";import{c as h,d as g,f as _,u as v}from"./forms.js";import{a as y,i as b,n as x,t as S}from"./picture.js";import{n as C,t as w}from"./seal.js";import{i as T,l as E,n as D,o as O,r as k,s as A,t as j,u as M}from"./seal-buttons.js";import{c as N}from"./overlay.js";function P(e,t){let n=Math.min(e,t),r=n*.24,i=r/2+n*.03;return{x:e-i,y:t-i,size:r}}async function F(e){let t=new Image;return t.crossOrigin=`anonymous`,t.src=e,await t.decode(),t}function I(e,{x:t,y:n,rotation:r=0,scale:i},a){e.save(),e.translate(t,n),e.rotate(r),e.scale(i,i),a(),e.restore()}function L(e,{stamp_type:t,pos_x:n,pos_y:r,rotation:i},a,o){I(e,{x:n,y:r,rotation:i,scale:a/100},()=>{if(e.lineJoin=`round`,e.strokeStyle=`#fff`,Object.hasOwn(S,t)){let{path:n,shine:r,fill:i}=S[t],o=new Path2D(n);e.lineWidth=9,e.shadowColor=`rgb(0 0 0 / 40%)`,e.shadowBlur=e.shadowOffsetY=a*.04,e.stroke(o),e.shadowColor=`transparent`,e.fillStyle=i,e.fill(o),Object.assign(e,{strokeStyle:x,lineCap:`round`,lineWidth:5}),e.stroke(new Path2D(r));return}let{height:n}=y(t,100,o*100/a);e.font=`700 ${n}px ${getComputedStyle(document.body).fontFamily}`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineWidth=n*.15,e.strokeText(t,0,0),e.fillStyle=`#c2274b`,e.fillText(t,0,0)})}function R(e,t,{x:n,y:r,size:i}){let{layers:a,number:o,digits:s}=C(t);I(e,{x:n,y:r,scale:i/104},()=>{e.lineCap=`round`;for(let{d:t,fill:n=`transparent`,stroke:r=`transparent`,width:i=1,at:o=0}of a){let a=new Path2D(t);e.translate(o,o),Object.assign(e,{fillStyle:n,strokeStyle:r,lineWidth:i}),e.fill(a,`evenodd`),e.stroke(a),e.translate(-o,-o)}o&&(e.font=`${s[`font-weight`]} ${s[`font-size`]}px ${getComputedStyle(document.body).fontFamily}`,Object.assign(e,{fillStyle:s.fill,strokeStyle:s.stroke,lineWidth:s[`stroke-width`]}),Object.assign(e,{textAlign:`center`,lineJoin:s[`stroke-linejoin`]}),e.strokeText(o,0,s.y),e.fillText(o,0,s.y))})}async function z({document_data:e,seal:t,stamps:n}){let r=await F(e),{naturalWidth:i,naturalHeight:a}=r,o=Object.assign(document.createElement(`canvas`),{width:i,height:a}),s=o.getContext(`2d`);s.drawImage(r,0,0);for(let e of n)L(s,e,b(i,a),i);return R(s,t,P(i,a)),new Promise((e,t)=>{o.toBlob(n=>n?e(n):t(/* @__PURE__ */ Error(`no picture`)),`image/png`)})}function B({letter:e,title:n,apply:a,act:o,path:s,event:l,image:u}){let{client:d,say:m,parameters:g}=i(),[_,v]=f(``),y=r(null),[b,x]=f(null);return t`<section class="card letter-actions" aria-label=${m(`letters.actions`)}>
    ${l&&t`<${c} class="main" onClick=${async()=>{v(``),await o(d.request(`POST`,`/alerts`,{body:{event_id:l.event_id}}))&&v(await N(d,m,{kind:p(l),event:l}).catch(()=>m(`alerts.sent`)))}}>${m(`letters.replay`)}<//>`}
    <button onClick=${async()=>{let t=await o(z(e).catch(()=>Promise.reject(Error(m(`letters.unreadable`)))));if(!t)return;let n=URL.createObjectURL(t);Object.assign(document.createElement(`a`),{href:n,download:`letter-${e.document_id}.png`}).click(),URL.revokeObjectURL(n)}}>${m(`letters.download`)}</button>
    ${b?t`<span class="asking">
          <${c} class="danger" onClick=${async()=>{let{file:t,width:n,height:r}=b;x(null);let i=new FormData;i.set(`document_data`,t);let c=await o(d.request(`PATCH`,s,{body:i}));if(!c)return;let l=!u||n===u.width&&r===u.height?null:await o(Promise.all(e.stamps.map(({stamp_id:e,pos_x:t,pos_y:i})=>d.patch(`/stamps/${e}`,{pos_x:Math.round(t*n/u.width),pos_y:Math.round(i*r/u.height)}))));a({...c.data,stamps:l??c.data.stamps})}}>${m(`letters.replace_sure`)}<//>
          <button onClick=${()=>x(null)}>${m(`cancel`)}</button>
        </span>`:t`<${c} onClick=${()=>y.current.click()}>${m(`letters.replace`)}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${m(`letters.replace`)} accept=${`image/png,image/jpeg,image/gif,image/webp`} ref=${y}
      onChange=${async()=>{let[e]=y.current.files;if(y.current.value=``,!e)return;let t=e=>Promise.reject(Error(m(e))),n=await o(e.size>4194304?t(`letters.too_large`):createImageBitmap(e).catch(()=>t(`letters.no_picture`)));x(n&&{file:e,width:n.width,height:n.height})}} />
    <${h} className="bad" label=${m(`delete`)} description=${m(`delete_of`,{name:n})}
      question=${m(`letters.delete_sure`)}
      note=${m(`letters.delete_note`)} act=${()=>o(d.delete(s)).then(e=>e&&(location.hash=E(null,g)))} />
    <span class="good" role="status">${_}</span>
  </section>`}const V=Math.PI/36,H=.85,U={ArrowLeft:[-1,0,0],ArrowRight:[1,0,0],ArrowUp:[0,-1,0],ArrowDown:[0,1,0],PageUp:[0,0,-1],PageDown:[0,0,1]};function W({pos_x:e,pos_y:t,rotation:n},[r,i,a],o){let s=Math.max(1,Math.round(Math.min(o.width,o.height)*.02)),c={pos_x:e+r*s,pos_y:t+i*s,rotation:n+a*V};return G(c,o)}const G=({pos_x:e,pos_y:t,...n},{width:r,height:i})=>({...n,pos_x:Math.round(Math.min(r,Math.max(0,e))),pos_y:Math.round(Math.min(i,Math.max(0,t)))});function K({type:e,size:n,maxWidth:r=1/0}){let i=Object.hasOwn(S,e)?S[e]:null;return i?t`<g class="stamp-shape" transform=${`scale(${n/100})`}>
    <path d=${i.path} fill=${i.fill} />
    <path class="shine" d=${i.shine} />
  </g>`:t`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${y(e,n,r).height}>${e}</text>`}function q(e,{clientX:t,clientY:n}){return new DOMPoint(t,n).matrixTransform(e.getScreenCTM().inverse())}function J({letter:e,image:n,selected:a,onSelect:o,onMove:s,onRemove:c,label:l,stage:u}){let{say:d}=i(),[p,m]=f(null),h=r(null),{width:g,height:_}=n,v=b(g,_),x=P(g,_),C=e=>Object.hasOwn(S,e)?v:Math.max(v,y(e,v,g).width),T=(e,t,n)=>{e.stopPropagation(),o(t.stamp_id);let{x:r,y:i}=q(u.current,e);h.current={isTurning:n,x:r-t.pos_x,y:i-t.pos_y,stamp:t},e.currentTarget.setPointerCapture(e.pointerId)},E=e=>{let{isTurning:t,x:r,y:i,stamp:a}=h.current??{};if(!a)return;let o=q(u.current,e),s=Math.atan2(o.x-a.pos_x,a.pos_y-o.y);m(t?{...a,rotation:s}:G({...a,pos_x:o.x-r,pos_y:o.y-i},n))},D=()=>{h.current&&p&&s(h.current.stamp,p),h.current=null,m(null)},k=(e,t)=>{if(e.key===`Delete`||e.key===`Backspace`)c(t);else if(e.key===`Enter`||e.key===` `)o(t.stamp_id);else if(U[e.key])s(t,W(t,U[e.key],n));else return;e.preventDefault()},A=e.stamps.map(e=>p?.stamp_id===e.stamp_id?p:e),j=({stamp_type:e},t)=>d(`letters.stamp_of`,{type:O(e,d),at:String(t+1),all:String(A.length)});return t`<svg ref=${u} class="stage" viewBox=${`0 0 ${g} ${_}`} role="group" aria-label=${l}
    tabindex="-1"
    onPointerMove=${E} onPointerUp=${D} onPointerCancel=${D} onPointerDown=${()=>o(null)}>
    <image href=${e.document_data} width=${g} height=${_} />
    <svg class="sealed" x=${x.x-x.size/2} y=${x.y-x.size/2} width=${x.size} height=${x.size}>
      <${w} seal=${e.seal} />
    </svg>
    ${A.map((e,n)=>t`<g key=${e.stamp_id} tabindex="0"
      role="button" data-id=${e.stamp_id}
      class=${e.stamp_id===a?`stamp selected`:`stamp`} aria-pressed=${e.stamp_id===a}
      aria-label=${j(e,n)}
      transform=${`translate(${e.pos_x} ${e.pos_y}) rotate(${e.rotation*180/Math.PI})`}
      onFocus=${()=>o(e.stamp_id)} onKeyDown=${t=>k(t,e)}
      onPointerDown=${t=>T(t,e,!1)}>
      <rect class="hit" x=${-C(e.stamp_type)/2} y=${-v/2} width=${C(e.stamp_type)}
        height=${v} />
      <${K} type=${e.stamp_type} size=${v} maxWidth=${g} />
      ${e.stamp_id===a&&t`<line class="arm" y1=${-v/2} y2=${-v*H} />
        <circle class="handle" cy=${-v*H} r=${v*.14}
          onPointerDown=${t=>T(t,e,!0)} />`}
    </g>`)}
  </svg>`}function Y({stage:e,onPlace:n}){let{say:a}=i(),o=r(null),s=r(!1),[l,u]=f(null),d=(e,t)=>{s.current=!1,o.current={type:t,x:e.clientX,y:e.clientY},e.currentTarget.setPointerCapture(e.pointerId)},p=({clientX:e,clientY:t})=>{let n=o.current;n&&Math.hypot(e-n.x,t-n.y)>6&&u({type:n.type,x:e,y:t})},m=t=>{let{left:r,right:i,top:a,bottom:c}=e.current.getBoundingClientRect(),d=t.clientX>r&&t.clientX<i&&t.clientY>a&&t.clientY<c;s.current=!!l,l&&d&&n(l.type,q(e.current,t)),o.current=null,u(null)},h=()=>{o.current=null,u(null)},_=async({type:e})=>(await n(e,null),``),y=e=>s.current?s.current=!1:n(e,null);return t`<div class="stamp-palette" role="group" aria-label=${a(`letters.add_stamp`)}>
      ${Object.keys(S).map(e=>t`<${c} title=${a(`stamp.${e}`)}
        aria-label=${a(`letters.add_of`,{type:a(`stamp.${e}`)})} onClick=${()=>y(e)}
        onPointerDown=${t=>d(t,e)} onPointerMove=${p} onPointerUp=${m} onPointerCancel=${h}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${K} type=${e} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${a(`letters.other_stamp`)}</summary>
      <${v} submit=${a(`letters.add_stamp`)} isMain=${!1} send=${_}
        fields=${[{name:`type`,label:a(`letters.stamp_text`),required:!0,pattern:g,maxlength:40}]} />
    </details>
    ${l&&t`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{left:`${l.x}px`,top:`${l.y}px`}}><${K} type=${l.type} size=${90} /></svg>`}`}const X={left:[-1,0,0],up:[0,-1,0],down:[0,1,0],right:[1,0,0],back:[0,0,-3],on:[0,0,3]},Z={left:`←`,up:`↑`,down:`↓`,right:`→`,back:`↺`,on:`↻`};function Q({letter:e,apply:n,act:o,path:s,moving:l,image:u,label:d}){let{client:p,say:m}=i(),h=r(null),[g,_]=f(null),[v,y]=f(null);a(()=>h.current?.querySelector(`[data-id="${v}"]`)?.focus(),[v]);let b=r(/* @__PURE__ */ new Map),x=e=>{let{place:t,timer:n}=b.current.get(e);clearTimeout(n),b.current.delete(e);let{pos_x:r,pos_y:i,rotation:a}=t;return o(p.patch(`/stamps/${e}`,{pos_x:r,pos_y:i,rotation:a})).then(()=>b.current.has(e)||l.delete(e))};a(()=>()=>[...b.current.keys()].forEach(x),[]);let S=e=>n(t=>t&&{...t,stamps:e(t.stamps)}),C=({stamp_id:e},t)=>{S(n=>n.map(n=>n.stamp_id===e?{...n,...t}:n)),l.add(e),clearTimeout(b.current.get(e)?.timer),b.current.set(e,{place:t,timer:setTimeout(()=>x(e),300)})},w=async({stamp_id:e})=>{clearTimeout(b.current.get(e)?.timer),b.current.delete(e),_(null),await o(p.delete(`/stamps/${e}`))&&(h.current?.focus(),S(t=>t.filter(t=>t.stamp_id!==e)))},T=async(t,n)=>{let r=n?0:e.stamps.length%6*.06*Math.min(u.width,u.height),{x:i,y:a}=n??{x:u.width/2+r,y:u.height/2+r},c={stamp_type:t,pos_x:Math.round(i),pos_y:Math.round(a),rotation:0},l=await o(p.post(`${s}/stamps`,c));l&&(S(e=>[...e.filter(({stamp_id:e})=>e!==l.stamp_id),l]),_(l.stamp_id),y(l.stamp_id))},E=(e,t)=>C(e,W(e,X[t],u)),D=e.stamps.find(({stamp_id:e})=>e===g);return t`<${J} letter=${e} image=${u} label=${d} stage=${h} selected=${g}
      onSelect=${_} onMove=${C} onRemove=${w} />
    <div class="card tools">
      <${Y} stage=${h} onPlace=${T} />
      ${D&&t`<div class="bar steps" role="group" aria-label=${m(`letters.move`)}>
        ${Object.keys(X).map(e=>t`<${c} title=${m(`letters.step.${e}`)}
          aria-label=${m(`letters.step.${e}`)} onClick=${()=>E(D,e)}>${Z[e]}<//>`)}
        <${c} class="remove" onClick=${()=>w(D)}>${m(`letters.remove_stamp`)}<//>
      </div>`}
      <p class="quiet">${m(D?`letters.keys`:`letters.how`)}</p>
    </div>`}function $(e){let{client:t,parameters:n}=i(),r=M(n),a=async(n,i)=>{let a=new URLSearchParams(r);a.set(n,e.created_at),a.set(`order`,i),a.set(`limit`,`10`);let{records:o}=await t.page(`/documents?${a}`);return o.find(T)??null};return u(()=>Promise.all([a(`created_after`,`asc`),a(`created_before`,`desc`)]),`${e.document_id} ${r}`).value??[null,null]}function ee({letter:e}){let{say:a,parameters:o}=i(),[s,c]=$(e),u=[s,c].map(e=>e&&E(e.document_id,o)),d=r(u);d.current=u,n(()=>{let e=e=>{let t=[`ArrowLeft`,`ArrowRight`].indexOf(e.key),n=e.defaultPrevented||e.ctrlKey||e.altKey||e.metaKey||e.shiftKey,{target:r}=e;if(t<0||n||r instanceof Element&&r.closest(`.stamp, input, select, textarea, dialog`))return;let i=d.current[t];i&&(location.hash=i)};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]);let f=(e,n,r)=>{let i=a(`letters.${n}`),o=t`<${l} name=${r} />`;return u[e]?t`<a class="button" href=${u[e]} title=${i} aria-label=${i}>${o}</a>`:t`<span class="button none" aria-hidden="true">${o}</span>`};return t`<nav class="neighbours" aria-label=${a(`letters.others`)}>
    ${f(0,`newer`,`left`)} ${f(1,`older`,`right`)}
  </nav>`}function te({letter:e,apply:n,act:r,path:a}){let{client:o,say:s}=i(),c=async t=>{if(t===e.seal)return;let i=await r(o.patch(a,{seal:t}));i&&n(e=>({...e,seal:i.seal}))};return t`<section class="card seal-choice">
    <h2>${s(`letters.seal`)}</h2>
    <p class="current"><${j} seal=${e.seal} /></p>
    <${D} selected=${e.seal} onChoose=${c} ...${d()} />
    <details open=${!k[e.seal]}>
      <summary>${s(`letters.seal_other`)}</summary>
      <${_} label=${s(`letters.seal_number`)} type="number" step="1" required
        min=${-(2**53-1)} max=${2**53-1} value=${String(e.seal)}
        onCommit=${e=>c(Number(e))} ...${d()} />
      <p class="quiet">${s(`letters.seal_how`)}</p>
    </details>
  </section>`}function ne({id:e}){let{say:n,parameters:r}=i(),{letter:a,event:c,error:l,reload:u,apply:d,moving:p}=A(e),[m,h]=f(null),g=ie(a?.document_data,()=>h(Error(n(`letters.no_image`)))),_=c?n(`letters.from`,{name:c.user_name}):n(`letters.document`,{id:e}),v=t`<p class="back"><a href=${E(null,r)}>← ${n(`nav.letters`)}</a></p>`,y=t`<${o} rows=${6} />`;if(!a||l?.status===404)return t`${v}${l?t`<h1>${_}</h1><${s} error=${l} onRetry=${u} />`:y}`;let b={letter:a,apply:d,act:async e=>{try{let t=await e;return h(null),t}catch(e){return h(e),null}},path:`/documents/${e}`};return t`<div class="bar spread">${v}<${ee} letter=${a} /></div>
    <h1 dir="auto">${_}</h1>
    <${s} error=${m??l} onRetry=${m?null:u} />
    <div class="two letter">
      <div>
        ${g&&t`<${Q} ...${b} moving=${p} image=${g} label=${_} />`}
        ${!g&&!m&&y}
      </div>
      <div class="column">
        <${re} event=${c} />
        <${te} ...${b} />
        <${B} ...${b} title=${_} event=${c} image=${g} />
      </div>
    </div>`}function re({event:n}){let{say:r}=i();if(!n)return t`<p class="card quiet sender">${r(`letters.no_event`)}</p>`;let a=m(n);return t`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${n.user_id}`}>${n.user_name}</a>${` `}
      ${e(n,r)}
    </p>
    ${a&&t`<p class="words" dir="auto">${a}</p>`}
    <time datetime=${n.occurred_at}>${r.time(n.occurred_at)}</time>
  </section>`}function ie(e,t){let[n,r]=f(null);return a(()=>{if(!e)return;let n=!1,i=Object.assign(new Image,{src:e});return i.decode().then(()=>n||r({width:i.naturalWidth,height:i.naturalHeight,url:e}),()=>n||t()),()=>{n=!0}},[e]),n?.url===e?n:null}export{ne as Letter};