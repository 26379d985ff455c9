
import{n as e,t}from"./purchases.js";import{f as n,l as r,m as i,n as a,o,s,u as c}from"./forms.js";import{O as l,S as u,f as d,g as f,h as p,l as m,r as h,t as g,u as _,w as v,x as y}from"./common.js";import{o as b,r as x}from"./sentences.js";const S={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},C=31536e3,w={name:{required:!0,pattern:r,maxlength:1024,autofocus:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:C,step:1},user_cooldown:{type:`number`,min:1,max:C,step:1},question:{pattern:r,maxlength:1024},item_name:{pattern:r,maxlength:1024}},T={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},E=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),D=/* @__PURE__ */ new Map;function O({product:t,onClose:n,onSaved:r}){let{client:a,say:o}=y(),c=t?.product_id??null,d=t??S,[{before:f,entries:h}]=u(()=>D.get(c)??{before:d,entries:d}),[g,_]=u(Object.fromEntries(Object.keys(S).map(e=>[e,h[e]]))),[C,O]=u(null),[k,A]=u(!1);v(()=>{Object.keys(E(f,g)).length>0?D.set(c,{before:f,entries:g}):D.delete(c)},[g]);let j=e=>{D.delete(c),e()},M=(e,t)=>_(n=>({...n,[e]:t})),N=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=w[e];n===``?M(e,i?``:null):M(e,r===`number`?Number(n):n)},P=async e=>{e.preventDefault(),A(!0);try{t?await a.patch(`/products/${t.product_id}`,E(f,g)):await a.post(`/products`,g),j(r)}catch(e){O(e),A(!1)}},F=e=>{let t=w[e];if(!t)return l`<label class="check">
        <input type="checkbox" checked=${g[e]}
          onChange=${t=>M(e,t.currentTarget.checked)} />${o(`product.${e}_label`)}</label>`;let n=t.required?void 0:o(e===`stock`?`product.unlimited`:`product.none`);return l`<${s} label=${o(`product.${e}_label`)} value=${g[e]??``}
      onInput=${N(e)} dir="auto" placeholder=${n} ...${t} />`};return l`<${i} title=${t?o(`store.edit_of`,{name:f.name}):o(`store.new`)}
    onClose=${n}>
    <form onSubmit=${P}>
      ${Object.entries(T).map(([e,t])=>l`<fieldset key=${e}>
        <legend>${o(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(F)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${g.name} />
        <p class="quiet" role="status">${[b(g.price||0,o),...x(g,o)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${p} error=${C} />
        <${m} class="main" disabled=${k}>${o(`save`)}<//>${` `}
        <button type="button" onClick=${()=>j(n)}>${o(`cancel`)}</button>
      </div>
    </form>
  <//>`}const k=[`pending`,`fulfilled`,`refunded`],A=({status:e})=>e===`pending`;function j(){let{say:e,setParameters:r}=y(),i={queue:e(`store.queue`),products:e(`store.products`),history:e(`store.history`)},a=()=>r({tab:`products`});return l`<h1>${e(`nav.store`)}</h1>
    <${n} label=${e(`nav.store`)} names=${i}>
      ${n=>l`${n===`queue`&&l`<${t} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${A}
          label=${i.queue} isQueue>
          <${d}>${e(`store.queue_empty`)} <button onClick=${a}>${e(`store.see_products`)}</button><//>
        <//>`}
        ${n===`products`&&l`<${N} />`}
        ${n===`history`&&l`<${M} label=${i.history} />`}`}
    <//>`}function M({label:e}){let{say:n,parameters:r,setParameters:i}=y(),a=k.find(e=>e===r.get(`status`)),o=[{value:``,label:n(`store.all`)},...k.map(e=>({value:e,label:n(`purchase.${e}`)}))];return l`<div class="bar end">
      <${s} label=${n(`store.status`)} value=${a??``} options=${o}
        onChange=${e=>i({status:e.currentTarget.value})} />
    </div>
    <${t} key=${a} path=${`/purchases?limit=50${a?`&status=${a}`:``}`} matches=${e=>!a||e.status===a}
      label=${e}>
      <${d}>${n(a?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}function N(){let{client:e,say:t,parameters:n,setParameters:r}=y(),{value:i,error:a,reload:o}=g(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);h(e=>e.startsWith(`purchase.`),o,500);let s=n.get(`open`),c=()=>r({open:null}),u=()=>r({open:`new`});if(!i)return a?l`<${p} error=${a} onRetry=${o} />`:l`<${f} rows=${4} />`;let m=i.find(({product_id:e})=>String(e)===s),_=l`<button class="main" onClick=${u}>${t(`store.new`)}</button>`,v=i.length===0;return l`<${p} error=${a} onRetry=${o} />
    ${v?l`<${d}>${t(`store.products_empty`)} ${_}<//>`:l`<p class="bar end">${_}</p>`}
    <ul class="products">
      ${i.map(e=>l`<${P} key=${e.product_id} product=${e}
        reload=${o} />`)}
    </ul>
    ${s&&!m&&s!==`new`&&l`<p class="error" role="alert">${t(`store.gone`,{id:s})}</p>`}
    ${(s===`new`||m)&&l`<${O} key=${s} product=${m??null} onClose=${c}
      onSaved=${()=>(c(),o())} />`}`}function P({product:t,reload:n}){let{client:r,say:i,setParameters:s}=y(),{product_id:d,name:f,description:m,price:h,stock:g,enabled:v}=t,[S,C]=u(null),w=`/products/${d}`,T=e=>e.then(()=>(C(null),n()),C),E=e=>T(r.patch(w,{stock:e===``?null:Number(e)})),D=x(t,i),O=g===0;return l`<li class=${`card product ${v?``:`off`}`}>
    <div class="head">
      <${e} name=${f} />
      <h2 dir="auto">${f}</h2>
      <span class="price">${b(h,i)}</span>
    </div>
    ${m&&l`<p dir="auto">${m}</p>`}
    <p class="quiet" dir="auto">
      ${O&&l`<strong class="bad">${i(`product.sold_out`)}</strong>`}
      ${O&&D.length>0&&` · `}${D.join(` · `)}
    </p>
    <div class="bar spread">
      <${c} label=${i(`product.stock`)} type="number" min="0"
        max=${2**53-1} step="1" value=${g??``}
        placeholder=${i(`product.unlimited`)} onCommit=${E} ...${_()} />
      <span class="bar">
        <button aria-label=${i(`store.edit_of`,{name:f})}
          onClick=${()=>s({open:String(d)})}>${i(`edit`)}</button>
        <${o} className="bad" label=${i(`delete`)} description=${i(`store.delete_of`,{name:f})}
          question=${i(`store.delete_sure`)}
          note=${i(`store.delete_note`)} act=${()=>T(r.delete(w).then(a))} />
      </span>
    </div>
    <${p} error=${S} />
  </li>`}export{j as View};