
import{O as e}from"./first.js";import{A as t,S as n,T as r,h as i,u as a,w as o}from"./common.js";const[s,c]=[6,3.4];function l(e,t,[n,r]){let i=new URL(e);return i.search=String(new URLSearchParams({"layer-name":t,"layer-width":String(n),"layer-height":String(r)})),i.href}function u({page:e,name:r,size:i,address:a,isReady:o,onCopy:u}){let{say:d}=n(),[f,p]=i,m=Math.min(s/f,c/p),h=({dataTransfer:e})=>{if(!e)return;let t=l(a,r,i);e.setData(`text/uri-list`,t),e.setData(`text/plain`,t),e.effectAllowed=`copyLink`},g=t`<span class="outline" aria-hidden="true">
      <i class=${e||`alerts`} style=${{width:`${f*m}rem`,height:`${p*m}rem`}}></i></span>
    <strong>${r}</strong> <small>${f} × ${p}</small>`;return t`<li>
    ${o?t`<a class="source" href=${a} target="_blank" rel="noopener" draggable="true"
          onDragStart=${h}>${g}</a>`:t`<div class="source">${g}</div>`}
    <button aria-label=${`${d(`alerts.copy`)}: ${r}`} onClick=${u}>${d(`copy`)}</button>
  </li>`}const d=[{page:``,size:[1920,1080]},{page:`emotes`,size:[1920,1080]},{page:`goal`,size:[700,200]},{page:`goal2`,size:[700,200]},{page:`leaderboard`,size:[400,560]},{page:`recent`,size:[700,420]},{page:`ticker`,size:[1920,80]},{page:`pets`,size:[1920,320]}],f=e=>d.find(({page:t})=>t===e)?.size??[1920,1080],p=(t,n)=>t===`goal2`?`${p(`goal`,n)}&second`:`${e}/overlay/${t&&`${t}/`}#${n}`,m=e=>e?.focus();function h({overlay:e}){let{client:s,say:c,key:l}=n(),[f,h]=o(null),[g,_]=o(``),[v,y]=o(!1),[b,x]=o(null),[S,C]=o(``),w=a(),T=l!==``,E=(t,n)=>p(t,`overlay=${e.overlay_id}${n?`&token=${n}`:``}`);r(()=>C(``),[g]);let D=e=>c(e===``?`nav.alerts`:e===`emotes`?`alerts.emotes`:`widget.${e}`),O=async(t,n,r=!1)=>{try{await navigator.clipboard.writeText(E(t,n)),C(c(r?`alerts.token_copied`:`copied`,{name:e.name}))}catch{C(c(r?`alerts.token_created`:`alerts.copy_failed`,{name:e.name}))}},k=async()=>{y(!1),x(null);try{let{token:t}=await s.post(`/tokens`,{name:e.name.slice(0,100)});h(t),await O(g,t,!0)}catch(e){x(e)}},A=!T||f!==null,j=e=>(_(e),A?O(e,f):y(!0));return t`<section class="card addresses" aria-label=${c(`alerts.address`)}>
    <p>${c(A?`alerts.address_how`:`alerts.address_token`)}</p>
    <ul class="tiles">
      ${d.map(({page:e,size:n})=>t`<${u} key=${e} page=${e} name=${D(e)} size=${n}
        address=${E(e,f)} isReady=${A} onCopy=${()=>j(e)} />`)}
    </ul>
    <p class="chosen-page"><strong>${D(g)}</strong>
      <code class="address">${E(g,f??(T?`…`:null))}</code></p>
    ${v&&t`<div class="question" role="group" aria-label=${c(`alerts.token_ask`)}>
      <p>${c(`alerts.token_ask`)}</p>
      <p class="bar">
        <button class="main" ref=${m} onClick=${k} ...${w}>${c(`alerts.token_yes`)}</button>
        <button onClick=${()=>y(!1)}>${c(`cancel`)}</button>
      </p>
    </div>`}
    <p class="good" role="status">${S}</p>
    <${i} error=${b} />
  </section>`}export{p as n,f as r,h as t};