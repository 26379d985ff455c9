
import{n as e,t}from"./purchases.js";import{A as n,B as r,D as i,E as a,G as o,N as s,O as c,P as l,R as u,S as d,V as f,g as p,t as m,v as h,w as g,x as _,y as v,z as y}from"./common.js";import{r as b}from"./sentences.js";import{n as x}from"./units.js";const S={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},C=31536e3,w={name:{required:!0,pattern:_,maxlength:1024,autofocus:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:C,step:1},user_cooldown:{type:`number`,min:1,max:C,step:1},question:{pattern:_,maxlength:1024},item_name:{pattern:_,maxlength:1024}},T=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),E=/* @__PURE__ */ new Map;function D({product:t,onClose:n,onSaved:r}){let{client:c,say:l}=u(),d=t?.product_id??null,p=t??S,[{before:m,entries:h}]=y(()=>E.get(d)??{before:p,entries:p}),[g,_]=y(Object.fromEntries(Object.keys(S).map(e=>[e,h[e]]))),[C,D]=y(null),[O,k]=y(!1);f(()=>{Object.keys(T(m,g)).length>0?E.set(d,{before:m,entries:g}):E.delete(d)},[g]);let A=e=>{E.delete(d),e()},j=(e,t)=>_(n=>({...n,[e]:t})),M=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=w[e];n===``?j(e,i?``:null):j(e,r===`number`?Number(n):n)},N=async e=>{e.preventDefault(),k(!0);try{t?await c.patch(`/products/${t.product_id}`,T(m,g)):await c.post(`/products`,g),A(r)}catch(e){D(e),k(!1)}},P=e=>o`<label class="check">
      <input type="checkbox" checked=${g[e]}
        onChange=${t=>j(e,t.currentTarget.checked)} />${l(`product.${e}_label`)}</label>`;return o`<${a} title=${t?l(`store.edit_of`,{name:m.name}):l(`store.new`)}
    onClose=${n}>
    <form onSubmit=${N}>
      <div class="fields">
        ${Object.entries(w).map(([e,t])=>o`<${v} key=${e}
          label=${l(`product.${e}_label`)} value=${g[e]??``} onInput=${M(e)} dir="auto"
          ...${t} />`)}
      </div>
      <p class="bar">${P(`automatic`)} ${P(`enabled`)}</p>
      <div class="product-look">
        <${e} name=${g.name} />
        <p class="quiet" role="status">${[x(g.price||0,l),...b(g,l)].join(` · `)}</p>
      </div>
      <${s} error=${C} />
      <${i} class="main" disabled=${O}>${l(`save`)}<//>${` `}
      <button type="button" onClick=${()=>A(n)}>${l(`cancel`)}</button>
    </form>
  <//>`}const O=[`pending`,`fulfilled`,`refunded`],k=({status:e})=>e===`pending`;function A(){let{say:e,setParameters:r}=u(),i={queue:e(`store.queue`),products:e(`store.products`),history:e(`store.history`)},a=()=>r({tab:`products`});return o`<h1>${e(`nav.store`)}</h1>
    <${g} label=${e(`nav.store`)} names=${i}>
      ${r=>o`${r===`queue`&&o`<${t} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${k}
          label=${i.queue}>
          <${n}>${e(`store.queue_empty`)} <button onClick=${a}>${e(`store.see_products`)}</button><//>
        <//>`}
        ${r===`products`&&o`<${N} />`}
        ${r===`history`&&o`<${j} label=${i.history} />`}`}
    <//>`}function j({label:e}){let{say:r,parameters:i,setParameters:a}=u(),s=O.find(e=>e===i.get(`status`)),c=[{value:``,label:r(`store.all`)},...O.map(e=>({value:e,label:r(`purchase.${e}`)}))];return o`<div class="bar end">
      <${v} label=${r(`store.status`)} value=${s??``} options=${c}
        onChange=${e=>a({status:e.currentTarget.value})} />
    </div>
    <${t} key=${s} path=${`/purchases?limit=50${s?`&status=${s}`:``}`} matches=${e=>!s||e.status===s}
      label=${e}>
      <${n}>${r(s?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}function M(){let{client:e,subscribe:t}=u(),n=p(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);return r(()=>{let e=null,r=t(({type:t})=>{t.startsWith(`purchase.`)&&(clearTimeout(e),e=setTimeout(n.reload,500))});return()=>{clearTimeout(e),r()}},[]),n}function N(){let{say:e,parameters:t,setParameters:r}=u(),{value:i,error:a,reload:c}=M(),d=t.get(`open`),f=()=>r({open:null}),p=()=>r({open:`new`});if(!i)return a?o`<${s} error=${a} onRetry=${c} />`:o`<${l} rows=${4} />`;let m=i.find(({product_id:e})=>String(e)===d),h=o`<button class="main" onClick=${p}>${e(`store.new`)}</button>`,g=i.length===0;return o`<${s} error=${a} onRetry=${c} />
    ${g?o`<${n}>${e(`store.products_empty`)} ${h}<//>`:o`<p class="bar end">${h}</p>`}
    <ul class="products">
      ${i.map(e=>o`<${P} key=${e.product_id} product=${e}
        reload=${c} />`)}
    </ul>
    ${d&&!m&&d!==`new`&&o`<p class="error" role="alert">${e(`store.gone`,{id:d})}</p>`}
    ${(d===`new`||m)&&o`<${D} key=${d} product=${m??null} onClose=${f}
      onSaved=${()=>(f(),c())} />`}`}function P({product:t,reload:n}){let{client:r,say:i,setParameters:a}=u(),{product_id:l,name:f,description:p,price:g,stock:_,enabled:v}=t,[S,C]=y(null),w=`/products/${l}`,T=e=>e.then(()=>(C(null),n()),C),E=e=>T(r.patch(w,{stock:e===``?null:Number(e)})),D=b(t,i),O=_===0;return o`<li class=${`card product ${v?``:`off`}`}>
    <div class="head">
      <${e} name=${f} />
      <h2 dir="auto">${f}</h2>
      <span class="price">${x(g,i)}</span>
    </div>
    ${p&&o`<p dir="auto">${p}</p>`}
    <p class="quiet" dir="auto">
      ${O&&o`<strong class="bad">${i(`product.sold_out`)}</strong>`}
      ${O&&D.length>0&&` · `}${D.join(` · `)}
    </p>
    <div class="bar spread">
      <${d} label=${i(`product.stock`)} type="number" min="0"
        max=${2**53-1} step="1" value=${_??``}
        placeholder=${i(`product.unlimited`)} onCommit=${E} ...${c()} />
      <span class="bar">
        <button aria-label=${i(`store.edit_of`,{name:f})}
          onClick=${()=>a({open:String(l)})}>${i(`edit`)}</button>
        <${h} className="" label=${i(`delete`)} description=${i(`store.delete_of`,{name:f})}
          question=${i(`store.delete_sure`)}
          note=${i(`store.delete_note`)} act=${()=>T(r.delete(w).then(m))} />
      </span>
    </div>
    <${s} error=${S} />
  </li>`}export{A as View};