
import{t as e}from"./thing.js";import{_ as t,c as n,d as r,f as i,l as a}from"./forms.js";import{O as o,S as s,f as c,g as l,h as u,l as d,r as f,t as p,u as m,w as h,x as g}from"./common.js";import{r as _,s as v}from"./sentences.js";const y={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},b=31536e3,x={name:{required:!0,pattern:r,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:b,step:1},user_cooldown:{type:`number`,min:1,max:b,step:1},question:{pattern:r,maxlength:1024},item_name:{pattern:r,maxlength:1024}},S={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},C=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),w=/* @__PURE__ */ new Map,T=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function E({product:n,onClose:r,onSaved:i}){let{client:c,say:l}=g(),f=n?.product_id??null,p=n??y,[{before:m,entries:b}]=s(()=>w.get(f)??{before:p,entries:p}),[E,D]=s(Object.fromEntries(Object.keys(y).map(e=>[e,b[e]]))),[O,k]=s(null),[A,j]=s(!1);h(()=>{Object.keys(C(m,E)).length>0?w.set(f,{before:m,entries:E}):w.delete(f)},[E]);let M=e=>{w.delete(f),e()},N=(e,t)=>D(n=>({...n,[e]:t})),P=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=x[e];n===``?N(e,i?``:null):N(e,r===`number`?Number(n):n)},F=async e=>{e.preventDefault(),j(!0);try{n?await c.patch(`/products/${n.product_id}`,C(m,E)):await c.post(`/products`,E),M(i)}catch(e){k(e),j(!1)}},I=e=>{let t=x[e];if(!t)return o`<label class="check">
        <input type="checkbox" checked=${E[e]}
          onChange=${t=>N(e,t.currentTarget.checked)} />${l(`product.${e}_label`)}</label>`;let n=t.required?void 0:l(T(e,t));return o`<${a} label=${l(`product.${e}_label`)} value=${E[e]??``}
      onInput=${P(e)} dir="auto" placeholder=${n} ...${t} />`};return o`<${t} title=${n?l(`store.edit_of`,{name:m.name}):l(`store.new`)}
    onClose=${r}>
    <form onSubmit=${F}>
      ${Object.entries(S).map(([e,t])=>o`<fieldset key=${e}>
        <legend>${l(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(I)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${E.name} />
        <p class="quiet" role="status">${[v(E.price||0,l),..._(E,l)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${u} error=${O} />
        <${d} class="main" busy=${A}>${l(`save`)}<//>${` `}
        <button type="button" onClick=${()=>M(r)}>${l(`cancel`)}</button>
      </div>
    </form>
  <//>`}function D(){let{client:e,say:t,parameters:n,setParameters:r}=g(),{value:i,error:a,reload:s}=p(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);f(e=>e.startsWith(`purchase.`),s,500);let d=n.get(`open`),m=()=>r({open:null}),h=()=>r({open:`new`});if(!i)return a?o`<${u} error=${a} onRetry=${s} />`:o`<${l} rows=${4} />`;let _=i.find(({product_id:e})=>String(e)===d),v=o`<button class="main" onClick=${h}>${t(`store.new`)}</button>`,y=i.length===0;return o`<${u} error=${a} onRetry=${s} />
    ${y?o`<${c}>${t(`store.products_empty`)} ${v}<//>`:o`<p class="bar end">${v}</p>`}
    <ul class="products">
      ${i.map(e=>o`<${O} key=${e.product_id} product=${e}
        reload=${s} />`)}
    </ul>
    ${d&&!_&&d!==`new`&&o`<p class="error" role="alert">${t(`store.gone`,{id:d})}</p>`}
    ${(d===`new`||_)&&o`<${E} key=${d} product=${_??null} onClose=${m}
      onSaved=${()=>(m(),s())} />`}`}function O({product:t,reload:r}){let{client:a,say:c,setParameters:l}=g(),{product_id:d,name:f,description:p,price:h,stock:y,enabled:b}=t,[x,S]=s(null),C=`/products/${d}`,w=e=>e.then(()=>(S(null),r()),S),[T,E]=s(``),D=e=>w(a.patch(C,{stock:e===``?null:Number(e)}).then(()=>E(c(`store.saved`)))),O=_(t,c),k=y===0;return o`<li class=${`card product ${b?``:`off`}`}>
    <div class="head">
      <${e} name=${f} />
      <h2 dir="auto">${f}</h2>
      <span class="price">${v(h,c)}</span>
    </div>
    ${p&&o`<p dir="auto">${p}</p>`}
    <p class="quiet" dir="auto">
      ${k&&o`<strong class="bad">${c(`product.sold_out`)}</strong>`}
      ${k&&O.length>0&&` · `}${O.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>E(``)}>
        <${i} label=${c(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${y??``}
          placeholder=${c(`product.unlimited`)} onCommit=${D} ...${m()} />
        <span class="good" role="status">${T}</span>
      </div>
      <span class="bar">
        <button aria-label=${c(`store.edit_of`,{name:f})}
          onClick=${()=>l({open:String(d)})}>${c(`edit`)}</button>
        <${n} className="bad" label=${c(`delete`)} description=${c(`delete_of`,{name:f})}
          question=${c(`store.delete_sure`)}
          note=${c(`store.delete_note`)} act=${()=>w(a.delete(C))} />
      </span>
    </div>
    <${u} error=${x} />
  </li>`}export{D as Products};