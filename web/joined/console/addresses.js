
import{O as e}from"./first.js";import{C as t,S as n,h as r,k as i,u as a,w as o}from"./common.js";const[s,c]=[6,3.4];function l(e,t,[n,r]){let i=new URL(e);return i.search=String(new URLSearchParams({"layer-name":t,"layer-width":String(n),"layer-height":String(r)})),i.href}function u({page:e,name:t,size:r,address:a,isReady:o,onCopy:u}){let{say:d}=n(),[f,p]=r,m=Math.min(s/f,c/p),h=({dataTransfer:e})=>{if(!e)return;let n=l(a,t,r);e.setData(`text/uri-list`,n),e.setData(`text/plain`,n),e.effectAllowed=`copyLink`},g=i`<span class="outline" aria-hidden="true">
      <i class=${e||`alerts`} style=${{width:`${f*m}rem`,height:`${p*m}rem`}}></i></span>
    <strong>${t}</strong> <small>${f} × ${p}</small>`;return i`<li>
    ${o?i`<a class="source" href=${a} target="_blank" rel="noopener" draggable="true"
          onDragStart=${h}>${g}</a>`:i`<div class="source">${g}</div>`}
    <button aria-label=${`${d(`alerts.copy`)}: ${t}`} onClick=${u}>${d(`copy`)}</button>
  </li>`}const d=[{page:``,size:[1920,1080]},{page:`emotes`,size:[1920,1080]},{page:`goal`,size:[700,200]},{page:`goal2`,size:[700,200]},{page:`leaderboard`,size:[400,560]},{page:`recent`,size:[700,420]},{page:`ticker`,size:[1920,80]},{page:`pets`,size:[1920,320]}],f=e=>d.find(({page:t})=>t===e)?.size??[1920,1080],p=(t,n)=>t===`goal2`?`${p(`goal`,n)}&second`:`${e}/overlay/${t&&`${t}/`}#${n}`,m=e=>e?.focus();function h({overlay:e}){let{client:s,say:c,key:l}=n(),[f,h]=t(null),[g,_]=t(``),[v,y]=t(!1),[b,x]=t(null),[S,C]=t(``),w=a(),T=l!==``,E=(t,n)=>p(t,`overlay=${e.overlay_id}${n?`&token=${n}`:``}`);o(()=>C(``),[g]);let D=e=>c(e===``?`nav.alerts`:e===`emotes`?`alerts.emotes`:`widget.${e}`),O=async(t,n,r=!1)=>{try{await navigator.clipboard.writeText(E(t,n)),C(c(r?`alerts.token_copied`:`copied`,{name:e.name}))}catch{C(c(r?`alerts.token_created`:`alerts.copy_failed`,{name:e.name}))}},k=async()=>{y(!1),x(null);try{let{token:t}=await s.post(`/tokens`,{name:e.name.slice(0,100)});h(t),await O(g,t,!0)}catch(e){x(e)}},A=!T||f!==null,j=e=>(_(e),A?O(e,f):y(!0));return i`<section class="card addresses" aria-label=${c(`alerts.address`)}>
    <p>${c(A?`alerts.address_how`:`alerts.address_token`)}</p>
    <ul class="tiles">
      ${d.map(({page:e,size:t})=>i`<${u} key=${e} page=${e} name=${D(e)} size=${t}
        address=${E(e,f)} isReady=${A} onCopy=${()=>j(e)} />`)}
    </ul>
    <p class="chosen-page"><strong>${D(g)}</strong>
      <code class="address">${E(g,f??(T?`…`:null))}</code></p>
    ${v&&i`<div class="question" role="group" aria-label=${c(`alerts.token_ask`)}>
      <p>${c(`alerts.token_ask`)}</p>
      <p class="bar">
        <button class="main" ref=${m} onClick=${k} ...${w}>${c(`alerts.token_yes`)}</button>
        <button onClick=${()=>y(!1)}>${c(`cancel`)}</button>
      </p>
    </div>`}
    <p class="good" role="status">${S}</p>
    <${r} error=${b} />
  </section>`}export{p as n,f as r,h as t};