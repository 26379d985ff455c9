
import{n as e,t}from"./purchases.js";import{A as n,C as r,E as i,G as a,H as o,L as s,M as c,O as l,P as u,R as d,S as f,T as p,U as m,W as h,Y as g,g as _,j as v,t as y}from"./common.js";import{r as b}from"./sentences.js";import{n as x}from"./units.js";const S={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},C=31536e3,w={name:{required:!0,pattern:p,maxlength:1024,autofocus:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:C,step:1},user_cooldown:{type:`number`,min:1,max:C,step:1},question:{pattern:p,maxlength:1024},item_name:{pattern:p,maxlength:1024}},T=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),E=/* @__PURE__ */ new Map;function D({product:t,onClose:i,onSaved:c}){let{client:l,say:u}=o(),d=t?.product_id??null,f=t??S,[{before:p,entries:h}]=m(()=>E.get(d)??{before:f,entries:f}),[_,y]=m(Object.fromEntries(Object.keys(S).map(e=>[e,h[e]]))),[C,D]=m(null),[O,k]=m(!1);a(()=>{Object.keys(T(p,_)).length>0?E.set(d,{before:p,entries:_}):E.delete(d)},[_]);let A=e=>{E.delete(d),e()},j=(e,t)=>y(n=>({...n,[e]:t})),M=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=w[e];n===``?j(e,i?``:null):j(e,r===`number`?Number(n):n)},N=async e=>{e.preventDefault(),k(!0);try{t?await l.patch(`/products/${t.product_id}`,T(p,_)):await l.post(`/products`,_),A(c)}catch(e){D(e),k(!1)}},P=e=>g`<label class="check">
      <input type="checkbox" checked=${_[e]}
        onChange=${t=>j(e,t.currentTarget.checked)} />${u(`product.${e}_label`)}</label>`;return g`<${n} title=${t?u(`store.edit_of`,{name:p.name}):u(`store.new`)}
    onClose=${i}>
    <form onSubmit=${N}>
      <div class="fields">
        ${Object.entries(w).map(([e,t])=>g`<${r} key=${e}
          label=${u(`product.${e}_label`)} value=${_[e]??``} onInput=${M(e)} dir="auto"
          placeholder=${t.required?void 0:u(e===`stock`?`product.unlimited`:`product.none`)}
          ...${t} />`)}
      </div>
      <p class="bar">${P(`automatic`)} ${P(`enabled`)}</p>
      <div class="product-look">
        <${e} name=${_.name} />
        <p class="quiet" role="status">${[x(_.price||0,u),...b(_,u)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${s} error=${C} />
        <${v} class="main" disabled=${O}>${u(`save`)}<//>${` `}
        <button type="button" onClick=${()=>A(i)}>${u(`cancel`)}</button>
      </div>
    </form>
  <//>`}const O=[`pending`,`fulfilled`,`refunded`],k=({status:e})=>e===`pending`;function A(){let{say:e,setParameters:n}=o(),r={queue:e(`store.queue`),products:e(`store.products`),history:e(`store.history`)},i=()=>n({tab:`products`});return g`<h1>${e(`nav.store`)}</h1>
    <${l} label=${e(`nav.store`)} names=${r}>
      ${n=>g`${n===`queue`&&g`<${t} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${k}
          label=${r.queue} isQueue>
          <${u}>${e(`store.queue_empty`)} <button onClick=${i}>${e(`store.see_products`)}</button><//>
        <//>`}
        ${n===`products`&&g`<${N} />`}
        ${n===`history`&&g`<${j} label=${r.history} />`}`}
    <//>`}function j({label:e}){let{say:n,parameters:i,setParameters:a}=o(),s=O.find(e=>e===i.get(`status`)),c=[{value:``,label:n(`store.all`)},...O.map(e=>({value:e,label:n(`purchase.${e}`)}))];return g`<div class="bar end">
      <${r} label=${n(`store.status`)} value=${s??``} options=${c}
        onChange=${e=>a({status:e.currentTarget.value})} />
    </div>
    <${t} key=${s} path=${`/purchases?limit=50${s?`&status=${s}`:``}`} matches=${e=>!s||e.status===s}
      label=${e}>
      <${u}>${n(s?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}function M(){let{client:e,subscribe:t}=o(),n=_(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);return h(()=>{let e=null,r=t(({type:t})=>{t.startsWith(`purchase.`)&&(clearTimeout(e),e=setTimeout(n.reload,500))});return()=>{clearTimeout(e),r()}},[]),n}function N(){let{say:e,parameters:t,setParameters:n}=o(),{value:r,error:i,reload:a}=M(),c=t.get(`open`),l=()=>n({open:null}),f=()=>n({open:`new`});if(!r)return i?g`<${s} error=${i} onRetry=${a} />`:g`<${d} rows=${4} />`;let p=r.find(({product_id:e})=>String(e)===c),m=g`<button class="main" onClick=${f}>${e(`store.new`)}</button>`,h=r.length===0;return g`<${s} error=${i} onRetry=${a} />
    ${h?g`<${u}>${e(`store.products_empty`)} ${m}<//>`:g`<p class="bar end">${m}</p>`}
    <ul class="products">
      ${r.map(e=>g`<${P} key=${e.product_id} product=${e}
        reload=${a} />`)}
    </ul>
    ${c&&!p&&c!==`new`&&g`<p class="error" role="alert">${e(`store.gone`,{id:c})}</p>`}
    ${(c===`new`||p)&&g`<${D} key=${c} product=${p??null} onClose=${l}
      onSaved=${()=>(l(),a())} />`}`}function P({product:t,reload:n}){let{client:r,say:a,setParameters:l}=o(),{product_id:u,name:d,description:p,price:h,stock:_,enabled:v}=t,[S,C]=m(null),w=`/products/${u}`,T=e=>e.then(()=>(C(null),n()),C),E=e=>T(r.patch(w,{stock:e===``?null:Number(e)})),D=b(t,a),O=_===0;return g`<li class=${`card product ${v?``:`off`}`}>
    <div class="head">
      <${e} name=${d} />
      <h2 dir="auto">${d}</h2>
      <span class="price">${x(h,a)}</span>
    </div>
    ${p&&g`<p dir="auto">${p}</p>`}
    <p class="quiet" dir="auto">
      ${O&&g`<strong class="bad">${a(`product.sold_out`)}</strong>`}
      ${O&&D.length>0&&` · `}${D.join(` · `)}
    </p>
    <div class="bar spread">
      <${i} label=${a(`product.stock`)} type="number" min="0"
        max=${2**53-1} step="1" value=${_??``}
        placeholder=${a(`product.unlimited`)} onCommit=${E} ...${c()} />
      <span class="bar">
        <button aria-label=${a(`store.edit_of`,{name:d})}
          onClick=${()=>l({open:String(u)})}>${a(`edit`)}</button>
        <${f} className="bad" label=${a(`delete`)} description=${a(`store.delete_of`,{name:d})}
          question=${a(`store.delete_sure`)}
          note=${a(`store.delete_note`)} act=${()=>T(r.delete(w).then(y))} />
      </span>
    </div>
    <${s} error=${S} />
  </li>`}export{A as View};