
import{n as e,t}from"./purchases.js";import{B as n,E as r,I as i,J as a,L as o,M as s,O as c,P as l,R as u,U as d,W as f,X as p,Y as m,Z as h,j as g,k as _,t as v,tt as y}from"./common.js";import{r as b}from"./sentences.js";import{n as x}from"./units.js";const S={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},C=31536e3,w={name:{required:!0,pattern:g,maxlength:1024,autofocus:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:C,step:1},user_cooldown:{type:`number`,min:1,max:C,step:1},question:{pattern:g,maxlength:1024},item_name:{pattern:g,maxlength:1024}},T=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),E=/* @__PURE__ */ new Map;function D({product:t,onClose:n,onSaved:r}){let{client:s,say:c}=a(),l=t?.product_id??null,u=t??S,[{before:f,entries:p}]=m(()=>E.get(l)??{before:u,entries:u}),[g,v]=m(Object.fromEntries(Object.keys(S).map(e=>[e,p[e]]))),[C,D]=m(null),[O,k]=m(!1);h(()=>{Object.keys(T(f,g)).length>0?E.set(l,{before:f,entries:g}):E.delete(l)},[g]);let A=e=>{E.delete(l),e()},j=(e,t)=>v(n=>({...n,[e]:t})),M=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=w[e];n===``?j(e,i?``:null):j(e,r===`number`?Number(n):n)},N=async e=>{e.preventDefault(),k(!0);try{t?await s.patch(`/products/${t.product_id}`,T(f,g)):await s.post(`/products`,g),A(r)}catch(e){D(e),k(!1)}},P=e=>y`<label class="check">
      <input type="checkbox" checked=${g[e]}
        onChange=${t=>j(e,t.currentTarget.checked)} />${c(`product.${e}_label`)}</label>`;return y`<${i} title=${t?c(`store.edit_of`,{name:f.name}):c(`store.new`)}
    onClose=${n}>
    <form onSubmit=${N}>
      <div class="fields">
        ${Object.entries(w).map(([e,t])=>y`<${_} key=${e}
          label=${c(`product.${e}_label`)} value=${g[e]??``} onInput=${M(e)} dir="auto"
          ...${t} />`)}
      </div>
      <p class="bar">${P(`automatic`)} ${P(`enabled`)}</p>
      <div class="product-look">
        <${e} name=${g.name} />
        <p class="quiet" role="status">${[x(g.price||0,c),...b(g,c)].join(` · `)}</p>
      </div>
      <${d} error=${C} />
      <${o} class="main" disabled=${O}>${c(`save`)}<//>${` `}
      <button type="button" onClick=${()=>A(n)}>${c(`cancel`)}</button>
    </form>
  <//>`}const O=[`pending`,`fulfilled`,`refunded`],k=({status:e})=>e===`pending`;function A(){let{say:e,setParameters:r}=a(),i={queue:e(`store.queue`),products:e(`store.products`),history:e(`store.history`)},o=()=>r({tab:`products`});return y`<h1>${e(`nav.store`)}</h1>
    <${l} label=${e(`nav.store`)} names=${i}>
      ${r=>y`${r===`queue`&&y`<${t} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${k}
          label=${i.queue}>
          <${n}>${e(`store.queue_empty`)} <button onClick=${o}>${e(`store.see_products`)}</button><//>
        <//>`}
        ${r===`products`&&y`<${N} />`}
        ${r===`history`&&y`<${j} label=${i.history} />`}`}
    <//>`}function j({label:e}){let{say:r,parameters:i,setParameters:o}=a(),s=O.find(e=>e===i.get(`status`)),c=[{value:``,label:r(`store.all`)},...O.map(e=>({value:e,label:r(`purchase.${e}`)}))];return y`<div class="bar end">
      <${_} label=${r(`store.status`)} value=${s??``} options=${c}
        onChange=${e=>o({status:e.currentTarget.value})} />
    </div>
    <${t} key=${s} path=${`/purchases?limit=50${s?`&status=${s}`:``}`} matches=${e=>!s||e.status===s}
      label=${e}>
      <${n}>${r(s?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}function M(){let{client:e,subscribe:t}=a(),n=r(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);return p(()=>{let e=null,r=t(({type:t})=>{t.startsWith(`purchase.`)&&(clearTimeout(e),e=setTimeout(n.reload,500))});return()=>{clearTimeout(e),r()}},[]),n}function N(){let{say:e,parameters:t,setParameters:r}=a(),{value:i,error:o,reload:s}=M(),c=t.get(`open`),l=()=>r({open:null}),u=()=>r({open:`new`});if(!i)return o?y`<${d} error=${o} onRetry=${s} />`:y`<${f} rows=${4} />`;let p=i.find(({product_id:e})=>String(e)===c),m=y`<button class="main" onClick=${u}>${e(`store.new`)}</button>`,h=i.length===0;return y`<${d} error=${o} onRetry=${s} />
    ${h?y`<${n}>${e(`store.products_empty`)} ${m}<//>`:y`<p class="bar end">${m}</p>`}
    <ul class="products">
      ${i.map(e=>y`<${P} key=${e.product_id} product=${e}
        reload=${s} />`)}
    </ul>
    ${c&&!p&&c!==`new`&&y`<p class="error" role="alert">${e(`store.gone`,{id:c})}</p>`}
    ${(c===`new`||p)&&y`<${D} key=${c} product=${p??null} onClose=${l}
      onSaved=${()=>(l(),s())} />`}`}function P({product:t,reload:n}){let{client:r,say:i,setParameters:o}=a(),{product_id:l,name:f,description:p,price:h,stock:g,enabled:_}=t,[S,C]=m(null),w=`/products/${l}`,T=e=>e.then(()=>(C(null),n()),C),E=e=>T(r.patch(w,{stock:e===``?null:Number(e)})),D=b(t,i),O=g===0;return y`<li class=${`card product ${_?``:`off`}`}>
    <div class="head">
      <${e} name=${f} />
      <h2 dir="auto">${f}</h2>
      <span class="price">${x(h,i)}</span>
    </div>
    ${p&&y`<p dir="auto">${p}</p>`}
    <p class="quiet" dir="auto">
      ${O&&y`<strong class="bad">${i(`product.sold_out`)}</strong>`}
      ${O&&D.length>0&&` · `}${D.join(` · `)}
    </p>
    <div class="bar spread">
      <${s} label=${i(`product.stock`)} type="number" min="0"
        max=${2**53-1} step="1" value=${g??``}
        placeholder=${i(`product.unlimited`)} onCommit=${E} ...${u()} />
      <span class="bar">
        <button aria-label=${i(`store.edit_of`,{name:f})}
          onClick=${()=>o({open:String(l)})}>${i(`edit`)}</button>
        <${c} className="" label=${i(`delete`)} description=${i(`store.delete_of`,{name:f})}
          question=${i(`store.delete_sure`)}
          note=${i(`store.delete_note`)} act=${()=>T(r.delete(w).then(v))} />
      </span>
    </div>
    <${d} error=${S} />
  </li>`}export{A as View};