
import{t as e}from"./thing.js";import{c as t,d as n,f as r,h as i,l as a,v as o}from"./forms.js";import{C as s,D as c,S as l,T as u,f as d,g as f,h as p,k as m,l as h,r as g,t as _,u as v}from"./common.js";import{r as y,s as b}from"./sentences.js";import{n as x}from"./changes.js";const S={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},C=31536e3,w={name:{required:!0,pattern:n,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:C,step:1},user_cooldown:{type:`number`,min:1,max:C,step:1},question:{pattern:n,maxlength:1024},item_name:{pattern:n,maxlength:1024}},T={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},E=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),D=/* @__PURE__ */ new Map,O=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function k({product:t,onClose:n,onSaved:r}){let{client:d,say:f}=l(),g=t?.product_id??null,_=t??S,[{before:v,entries:x}]=s(()=>D.get(g)??{before:_,entries:_}),[C,k]=s(Object.fromEntries(Object.keys(S).map(e=>[e,x[e]]))),[A,j]=s(null),[M,N]=s(!1),P=c(null);u(()=>{A&&P.current.querySelector(`[aria-invalid]`)?.focus()},[A]),u(()=>{Object.keys(E(v,C)).length>0?D.set(g,{before:v,entries:C}):D.delete(g)},[C]);let F=e=>{D.delete(g),e()},I=(e,t)=>k(n=>({...n,[e]:t})),L=e=>t=>{let n=t.currentTarget.value;j(null);let{type:r,required:i}=w[e];n===``?I(e,i?``:null):I(e,r===`number`?Number(n):n)},R=async e=>{e.preventDefault(),N(!0);try{t?await d.patch(`/products/${t.product_id}`,E(v,C)):await d.post(`/products`,C),F(r)}catch(e){e.errors?.length>0&&await f.withTexts(Promise.resolve(),`errors`).catch(()=>{}),j(e),N(!1)}},z=e=>{let t=w[e];if(!t)return m`<label class="check">
        <input type="checkbox" checked=${C[e]}
          onChange=${t=>I(e,t.currentTarget.checked)} />${f(`product.${e}_label`)}</label>`;let n=t.required?void 0:f(O(e,t));return m`<${a} label=${f(`product.${e}_label`)} value=${C[e]??``} reason=${i(A,e,f)}
      onInput=${L(e)} dir="auto" placeholder=${n} ...${t} />`};return m`<${o} title=${t?f(`store.edit_of`,{name:v.name}):f(`store.new`)}
    onClose=${n}>
    <form ref=${P} onSubmit=${R}>
      ${Object.entries(T).map(([e,t])=>m`<fieldset key=${e}>
        <legend>${f(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(z)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${C.name} />
        <p class="quiet" role="status">${[b(C.price||0,f),...y(C,f)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${p} error=${A} />
        <${h} class="main" busy=${M}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${()=>F(n)}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}function A(){let{client:e,say:t,parameters:n,setParameters:r}=l(),{value:i,error:a,reload:o}=_(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);g(e=>e.startsWith(`purchase.`),o,500);let s=x(i,o),c=n.get(`open`),u=()=>r({open:null}),h=()=>r({open:`new`});if(!i)return a?m`<${p} error=${a} onRetry=${o} />`:m`<${f} rows=${4} />`;let v=i.find(({product_id:e})=>String(e)===c),y=m`<button class="main" onClick=${h}>${t(`store.new`)}</button>`,b=i.length===0;return m`<${p} error=${a} onRetry=${o} />
    ${b?m`<${d}>${t(`store.products_empty`)} ${y}<//>`:m`<p class="bar end">${y}</p>`}
    <ul class="products">
      ${i.map(e=>m`<${j} key=${e.product_id} product=${e}
        changes=${s} />`)}
    </ul>
    ${c&&!v&&c!==`new`&&m`<p class="error" role="alert">${t(`store.gone`,{id:c})}</p>`}
    ${(c===`new`||v)&&m`<${k} key=${c} product=${v??null} onClose=${u}
      onSaved=${()=>(u(),o())} />`}`}function j({product:n,changes:i}){let{client:a,say:o,setParameters:c}=l(),{product_id:u,name:d,description:f,price:h,stock:g,enabled:_}=n,x=`/products/${u}`,S=e=>i.change(u,e),[C,w]=s(``),T=e=>S(a.patch(x,{stock:e===``?null:Number(e)}).then(()=>w(o(`store.saved`)))),E=y(n,o),D=g===0;return m`<li class=${`card product ${_?``:`off`}`}>
    <div class="head">
      <${e} name=${d} />
      <h2 dir="auto">${d}</h2>
      <span class="price">${b(h,o)}</span>
    </div>
    ${f&&m`<p dir="auto">${f}</p>`}
    <p class="quiet" dir="auto">
      ${D&&m`<strong class="bad">${o(`product.sold_out`)}</strong>`}
      ${D&&E.length>0&&` · `}${E.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>w(``)}>
        <${r} label=${o(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${g??``}
          placeholder=${o(`product.unlimited`)} onCommit=${T} ...${v()} />
        <span class="good" role="status">${C}</span>
      </div>
      <span class="bar">
        <button aria-label=${o(`store.edit_of`,{name:d})}
          onClick=${()=>c({open:String(u)})}>${o(`edit`)}</button>
        <${t} className="bad" label=${o(`delete`)} description=${o(`delete_of`,{name:d})}
          question=${o(`store.delete_sure`)}
          note=${o(`store.delete_note`)} act=${()=>S(a.delete(x))} />
      </span>
    </div>
    <${p} error=${i.errorOf(u)} />
  </li>`}export{A as Products};