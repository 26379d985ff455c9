
import{t as e}from"./thing.js";import{c as t,d as n,f as r,h as i,l as a,v as o}from"./forms.js";import{A as s,E as c,O as l,S as u,f as d,g as f,h as p,l as m,r as h,t as g,u as _,w as v}from"./common.js";import{t as y}from"./draft.js";import{r as b,s as x}from"./sentences.js";import{n as S}from"./changes.js";const C={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},w=31536e3,T={name:{required:!0,pattern:n,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:w,step:1},user_cooldown:{type:`number`,min:1,max:w,step:1},question:{pattern:n,maxlength:1024},item_name:{pattern:n,maxlength:1024}},E={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},D=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),O=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function k({product:t,onClose:n,onSaved:r}){let{client:d,say:f}=u(),h=Object.fromEntries(Object.keys(C).map(e=>[e,(t??C)[e]])),{before:g,values:_,set:S,discard:w}=y(`product ${t?.product_id}`,h),[k,A]=v(null),[j,M]=v(!1),N=l(null);c(()=>{k&&N.current.querySelector(`[aria-invalid]`)?.focus()},[k]);let P=e=>t=>{let n=t.currentTarget.value;A(null);let{type:r,required:i}=T[e];S(n===``?{[e]:i?``:null}:{[e]:r===`number`?Number(n):n})},F=async e=>{e.preventDefault(),M(!0);try{t?await d.patch(`/products/${t.product_id}`,D(g,_)):await d.post(`/products`,_),w(r)}catch(e){e.errors?.length>0&&await f.withTexts(Promise.resolve(),`errors`).catch(()=>{}),A(e),M(!1)}},I=k?.errors?.length>0&&k.errors.every(({pointer:e})=>T[e?.slice(1)]),L=e=>{let t=T[e];if(!t)return s`<label class="check">
        <input type="checkbox" checked=${_[e]}
          onChange=${t=>S({[e]:t.currentTarget.checked})} />${f(`product.${e}_label`)}</label>`;let n=t.required?void 0:f(O(e,t));return s`<${a} label=${f(`product.${e}_label`)} value=${_[e]??``} reason=${i(k,e,f)}
      onInput=${P(e)} dir="auto" placeholder=${n} ...${t} />`};return s`<${o} title=${t?f(`store.edit_of`,{name:g.name}):f(`store.new`)}
    onClose=${n}>
    <form ref=${N} onSubmit=${F}>
      ${Object.entries(E).map(([e,t])=>s`<fieldset key=${e}>
        <legend>${f(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(L)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${_.name} />
        <p class="quiet" role="status">${[x(_.price||0,f),...b(_,f)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${p} error=${I?null:k} />
        <${m} class="main" busy=${j}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${()=>w(n)}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}function A(){let{client:e,say:t,parameters:n,setParameters:r}=u(),{value:i,error:a,reload:o}=g(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);h(e=>e.startsWith(`purchase.`),o,500);let c=S(i,o),l=n.get(`open`),m=()=>r({open:null}),_=()=>r({open:`new`});if(!i)return a?s`<${p} error=${a} onRetry=${o} />`:s`<${f} rows=${4} />`;let v=i.find(({product_id:e})=>String(e)===l),y=s`<button class="main" onClick=${_}>${t(`store.new`)}</button>`,b=i.length===0;return s`<${p} error=${a} onRetry=${o} />
    ${b?s`<${d}>${t(`store.products_empty`)} ${y}<//>`:s`<p class="bar end">${y}</p>`}
    <ul class="products">
      ${i.map(e=>s`<${j} key=${e.product_id} product=${e}
        changes=${c} />`)}
    </ul>
    ${l&&!v&&l!==`new`&&s`<p class="error" role="alert">${t(`store.gone`,{id:l})}</p>`}
    ${(l===`new`||v)&&s`<${k} key=${l} product=${v??null} onClose=${m}
      onSaved=${()=>(m(),o())} />`}`}function j({product:n,changes:i}){let{client:a,say:o,setParameters:c}=u(),{product_id:l,name:d,description:f,price:m,stock:h,enabled:g}=n,y=`/products/${l}`,S=e=>i.change(l,e),[C,w]=v(``),T=e=>S(a.patch(y,{stock:e===``?null:Number(e)}).then(()=>w(o(`store.saved`)))),E=b(n,o),D=h===0;return s`<li class=${`card product ${g?``:`off`}`}>
    <div class="head">
      <${e} name=${d} />
      <h2 dir="auto">${d}</h2>
      <span class="price">${x(m,o)}</span>
    </div>
    ${f&&s`<p dir="auto">${f}</p>`}
    <p class="quiet" dir="auto">
      ${D&&s`<strong class="bad">${o(`product.sold_out`)}</strong>`}
      ${D&&E.length>0&&` · `}${E.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>w(``)}>
        <${r} label=${o(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${h??``}
          placeholder=${o(`product.unlimited`)} onCommit=${T} ...${_()} />
        <span class="good" role="status">${C}</span>
      </div>
      <span class="bar">
        <button aria-label=${o(`store.edit_of`,{name:d})}
          onClick=${()=>c({open:String(l)})}>${o(`edit`)}</button>
        <${t} className="bad" label=${o(`delete`)} description=${o(`delete_of`,{name:d})}
          question=${o(`store.delete_sure`)}
          note=${o(`store.delete_note`)} act=${()=>S(a.delete(y))} />
      </span>
    </div>
    <${p} error=${i.errorOf(l)} />
  </li>`}export{A as Products};