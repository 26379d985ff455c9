
import{A as e,E as t,O as n,S as r,h as i,l as a,u as o,w as s}from"./common.js";import{f as c}from"./forms.js";import{_ as l,a as u,m as d}from"./overlay.js";function f({own:t,automatic:n,onCommit:i}){let{say:a}=r();return e`<div class="color">
    <${c} label=${a(`alerts.color`)} type="color" value=${t??n} onCommit=${i} />
    ${t?e`<button class="quiet" onClick=${({currentTarget:e})=>{e.parentElement.querySelector(`input`).focus(),i(void 0)}}>${a(`alerts.color_reset`)}</button>`:e`<small class="quiet">${a(`alerts.color_automatic`)}</small>`}
  </div>`}const p=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],m=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function h(e){let{client:t}=r();return{upload:async e=>{let n={document_data:await m(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function g({picture:t,hint:n,change:c,flush:l}){let{say:d}=r(),{upload:f,forget:m}=h(l),[g,_]=s(null),[v,y]=s(``),[b,x]=s(!1),S=e=>(c([`picture`],e),m([t])),C=async e=>{if(_(null),!p.includes(e.type)||e.size>2097152)return y(d(`alerts.picture_wrong`));y(d(`alerts.picture_loading`));try{await S(await f(e))}catch(e){_(e)}return y(``)},w=e=>{e.preventDefault(),x(e.type===`dragover`)};return e`<div class=${`own-picture ${b?`over`:``}`} onDragOver=${w} onDragLeave=${w}
    onDrop=${e=>{w(e);let t=e.dataTransfer?.files[0];t&&C(t)}}>
    ${t&&e`<img src=${t.url} alt=${d(`alerts.picture`)} />`}
    <div class="bar">
      <${u} label=${d(`alerts.picture`)} accept=${p.join(`,`)} onFile=${C}
        ...${o()} />
      ${t&&e`<${a} onClick=${()=>S(void 0)}>${d(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${n}</span>
    <span role="status">${v}</span>
    <${i} error=${g} />
  </div>`}function _(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const v=(e,t)=>[...new Set([...e.matchAll(/\{(\w+)\}/g)].map(([,e])=>e))].filter(e=>!d[t].includes(e)&&!(e===`amount`&&l(t))).map(e=>`{${e}}`);function y({kind:i,value:a,placeholder:o,onType:c,onCommit:l,hasChips:u=!1}){let{say:f}=r(),p=n(null),m=v(a,i),[h,g]=s(null),y=h??a;t(()=>_(p.current),[y,o]);let b=e=>{g(null),l(e)},x=({currentTarget:e})=>{let t=e.value.replace(/\s*\n\s*/g,` `);g(t),c(t)},S=({currentTarget:e})=>{y===``&&(e.value=o,e.select(),g(o))},C=()=>h===o&&a===``?g(null):h!==null&&b(h),w=e=>{let t=p.current,n=t.value===``;t.focus(),n&&(t.value=`${o} `);let{selectionStart:r,selectionEnd:i}=t;t.setRangeText(`{${e}}`,r,i,`end`),b(t.value.slice(0,300))};return e`<div class="template">
    <label class="field"><span>${f(`alerts.text`)}</span>
      <textarea ref=${p} rows="1" maxlength=${300} value=${y} placeholder=${o}
        onInput=${x} onFocus=${S} onBlur=${C}></textarea>
    </label>
    ${m.length>0&&e`<p class="quiet bad" role="status">
      ${f(`alerts.unknown_placeholder`,{many:m.length,names:m.join(`, `)})}</p>`}
    ${u&&e`<ul class="placeholders" aria-label=${f(`alerts.placeholders`)}>
      ${d[i].map(t=>{let n=f(t===`amount`?`placeholder.amount.${i}`:`placeholder.${t}`);return e`<li key=${t}>
          <button onClick=${()=>w(t)}><code>${`{${t}}`}</code> ${n}</button></li>`})}
    </ul>`}
  </div>`}export{f as i,g as n,h as r,y as t};