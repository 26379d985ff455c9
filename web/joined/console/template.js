
import{C as e,D as t,S as n,T as r,h as i,k as a,l as o,u as s}from"./common.js";import{f as c}from"./forms.js";import{_ as l,a as u,m as d}from"./overlay.js";function f({own:e,automatic:t,onCommit:r}){let{say:i}=n();return a`<div class="color">
    <${c} label=${i(`alerts.color`)} type="color" value=${e??t} onCommit=${r} />
    ${e?a`<button class="quiet" onClick=${({currentTarget:e})=>{e.parentElement.querySelector(`input`).focus(),r(void 0)}}>${i(`alerts.color_reset`)}</button>`:a`<small class="quiet">${i(`alerts.color_automatic`)}</small>`}
  </div>`}const p=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],m=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function h(e){let{client:t}=n();return{upload:async e=>{let n={document_data:await m(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function g({picture:t,hint:r,change:c,flush:l}){let{say:d}=n(),{upload:f,forget:m}=h(l),[g,_]=e(null),[v,y]=e(``),[b,x]=e(!1),S=e=>(c([`picture`],e),m([t])),C=async e=>{if(_(null),!p.includes(e.type)||e.size>2097152)return y(d(`alerts.picture_wrong`));y(d(`alerts.picture_loading`));try{await S(await f(e))}catch(e){_(e)}return y(``)},w=e=>{e.preventDefault(),x(e.type===`dragover`)};return a`<div class=${`own-picture ${b?`over`:``}`} onDragOver=${w} onDragLeave=${w}
    onDrop=${e=>{w(e);let t=e.dataTransfer?.files[0];t&&C(t)}}>
    ${t&&a`<img src=${t.url} alt=${d(`alerts.picture`)} />`}
    <div class="bar">
      <${u} label=${d(`alerts.picture`)} accept=${p.join(`,`)} onFile=${C}
        ...${s()} />
      ${t&&a`<${o} onClick=${()=>S(void 0)}>${d(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${r}</span>
    <span role="status">${v}</span>
    <${i} error=${g} />
  </div>`}function _(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const v=(e,t)=>[...new Set([...e.matchAll(/\{(\w+)\}/g)].map(([,e])=>e))].filter(e=>!d[t].includes(e)&&!(e===`amount`&&l(t))).map(e=>`{${e}}`);function y({kind:i,value:o,placeholder:s,onType:c,onCommit:l,hasChips:u=!1}){let{say:f}=n(),p=t(null),m=v(o,i),[h,g]=e(null),y=h??o;r(()=>_(p.current),[y,s]);let b=e=>{g(null),l(e)},x=({currentTarget:e})=>{let t=e.value.replace(/\s*\n\s*/g,` `);g(t),c(t)},S=({currentTarget:e})=>{y===``&&(e.value=s,e.select(),g(s))},C=()=>h===s&&o===``?g(null):h!==null&&b(h),w=e=>{let t=p.current,n=t.value===``;t.focus(),n&&(t.value=`${s} `);let{selectionStart:r,selectionEnd:i}=t;t.setRangeText(`{${e}}`,r,i,`end`),b(t.value.slice(0,300))};return a`<div class="template">
    <label class="field"><span>${f(`alerts.text`)}</span>
      <textarea ref=${p} rows="1" maxlength=${300} value=${y} placeholder=${s}
        onInput=${x} onFocus=${S} onBlur=${C}></textarea>
    </label>
    ${m.length>0&&a`<p class="quiet bad" role="status">
      ${f(`alerts.unknown_placeholder`,{many:m.length,names:m.join(`, `)})}</p>`}
    ${u&&a`<ul class="placeholders" aria-label=${f(`alerts.placeholders`)}>
      ${d[i].map(e=>{let t=f(e===`amount`?`placeholder.amount.${i}`:`placeholder.${e}`);return a`<li key=${e}>
          <button onClick=${()=>w(e)}><code>${`{${e}}`}</code> ${t}</button></li>`})}
    </ul>`}
  </div>`}export{f as i,g as n,h as r,y as t};