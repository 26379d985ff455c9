
import{t as e}from"./thing.js";import{b as t,d as n,f as r,h as i,m as a,r as o}from"./forms.js";import{O as s,S as c,f as l,g as u,h as d,l as f,r as p,t as m,u as h,w as g,x as _}from"./common.js";import{r as v,s as y}from"./sentences.js";const b={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},x=31536e3,S={name:{required:!0,pattern:a,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:x,step:1},user_cooldown:{type:`number`,min:1,max:x,step:1},question:{pattern:a,maxlength:1024},item_name:{pattern:a,maxlength:1024}},C={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},w=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),T=/* @__PURE__ */ new Map,E=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function D({product:n,onClose:i,onSaved:a}){let{client:o,say:l}=_(),u=n?.product_id??null,p=n??b,[{before:m,entries:h}]=c(()=>T.get(u)??{before:p,entries:p}),[x,D]=c(Object.fromEntries(Object.keys(b).map(e=>[e,h[e]]))),[O,k]=c(null),[A,j]=c(!1);g(()=>{Object.keys(w(m,x)).length>0?T.set(u,{before:m,entries:x}):T.delete(u)},[x]);let M=e=>{T.delete(u),e()},N=(e,t)=>D(n=>({...n,[e]:t})),P=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=S[e];n===``?N(e,i?``:null):N(e,r===`number`?Number(n):n)},F=async e=>{e.preventDefault(),j(!0);try{n?await o.patch(`/products/${n.product_id}`,w(m,x)):await o.post(`/products`,x),M(a)}catch(e){k(e),j(!1)}},I=e=>{let t=S[e];if(!t)return s`<label class="check">
        <input type="checkbox" checked=${x[e]}
          onChange=${t=>N(e,t.currentTarget.checked)} />${l(`product.${e}_label`)}</label>`;let n=t.required?void 0:l(E(e,t));return s`<${r} label=${l(`product.${e}_label`)} value=${x[e]??``}
      onInput=${P(e)} dir="auto" placeholder=${n} ...${t} />`};return s`<${t} title=${n?l(`store.edit_of`,{name:m.name}):l(`store.new`)}
    onClose=${i}>
    <form onSubmit=${F}>
      ${Object.entries(C).map(([e,t])=>s`<fieldset key=${e}>
        <legend>${l(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(I)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${x.name} />
        <p class="quiet" role="status">${[y(x.price||0,l),...v(x,l)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${d} error=${O} />
        <${f} class="main" disabled=${A}>${l(`save`)}<//>${` `}
        <button type="button" onClick=${()=>M(i)}>${l(`cancel`)}</button>
      </div>
    </form>
  <//>`}function O(){let{client:e,say:t,parameters:n,setParameters:r}=_(),{value:i,error:a,reload:o}=m(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);p(e=>e.startsWith(`purchase.`),o,500);let c=n.get(`open`),f=()=>r({open:null}),h=()=>r({open:`new`});if(!i)return a?s`<${d} error=${a} onRetry=${o} />`:s`<${u} rows=${4} />`;let g=i.find(({product_id:e})=>String(e)===c),v=s`<button class="main" onClick=${h}>${t(`store.new`)}</button>`,y=i.length===0;return s`<${d} error=${a} onRetry=${o} />
    ${y?s`<${l}>${t(`store.products_empty`)} ${v}<//>`:s`<p class="bar end">${v}</p>`}
    <ul class="products">
      ${i.map(e=>s`<${k} key=${e.product_id} product=${e}
        reload=${o} />`)}
    </ul>
    ${c&&!g&&c!==`new`&&s`<p class="error" role="alert">${t(`store.gone`,{id:c})}</p>`}
    ${(c===`new`||g)&&s`<${D} key=${c} product=${g??null} onClose=${f}
      onSaved=${()=>(f(),o())} />`}`}function k({product:t,reload:r}){let{client:a,say:l,setParameters:u}=_(),{product_id:f,name:p,description:m,price:g,stock:b,enabled:x}=t,[S,C]=c(null),w=`/products/${f}`,T=e=>e.then(()=>(C(null),r()),C),[E,D]=c(``),O=e=>T(a.patch(w,{stock:e===``?null:Number(e)}).then(()=>D(l(`store.saved`)))),k=v(t,l),A=b===0;return s`<li class=${`card product ${x?``:`off`}`}>
    <div class="head">
      <${e} name=${p} />
      <h2 dir="auto">${p}</h2>
      <span class="price">${y(g,l)}</span>
    </div>
    ${m&&s`<p dir="auto">${m}</p>`}
    <p class="quiet" dir="auto">
      ${A&&s`<strong class="bad">${l(`product.sold_out`)}</strong>`}
      ${A&&k.length>0&&` · `}${k.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>D(``)}>
        <${i} label=${l(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${b??``}
          placeholder=${l(`product.unlimited`)} onCommit=${O} ...${h()} />
        <span class="good" role="status">${E}</span>
      </div>
      <span class="bar">
        <button aria-label=${l(`store.edit_of`,{name:p})}
          onClick=${()=>u({open:String(f)})}>${l(`edit`)}</button>
        <${n} className="bad" label=${l(`delete`)} description=${l(`delete_of`,{name:p})}
          question=${l(`store.delete_sure`)}
          note=${l(`store.delete_note`)} act=${()=>T(a.delete(w).then(o))} />
      </span>
    </div>
    <${d} error=${S} />
  </li>`}export{O as Products};