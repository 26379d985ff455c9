
import{t as e}from"./thing.js";import{_ as t,c as n,d as r,f as i,l as a}from"./forms.js";import{A as o,C as s,E as c,_ as l,d as u,g as d,l as f,p,r as m,t as h,u as g,w as _}from"./common.js";import{r as v,s as y}from"./sentences.js";const b={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},x=31536e3,S={name:{required:!0,pattern:r,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:x,step:1},user_cooldown:{type:`number`,min:1,max:x,step:1},question:{pattern:r,maxlength:1024},item_name:{pattern:r,maxlength:1024}},C={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},w=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),T=/* @__PURE__ */ new Map,E=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function D({product:n,onClose:r,onSaved:i}){let{client:l,say:u}=s(),p=n?.product_id??null,m=n??b,[{before:h,entries:g}]=_(()=>T.get(p)??{before:m,entries:m}),[x,D]=_(Object.fromEntries(Object.keys(b).map(e=>[e,g[e]]))),[O,k]=_(null),[A,j]=_(!1);c(()=>{Object.keys(w(h,x)).length>0?T.set(p,{before:h,entries:x}):T.delete(p)},[x]);let M=e=>{T.delete(p),e()},N=(e,t)=>D(n=>({...n,[e]:t})),P=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=S[e];n===``?N(e,i?``:null):N(e,r===`number`?Number(n):n)},F=async e=>{e.preventDefault(),j(!0);try{n?await l.patch(`/products/${n.product_id}`,w(h,x)):await l.post(`/products`,x),M(i)}catch(e){k(e),j(!1)}},I=e=>{let t=S[e];if(!t)return o`<label class="check">
        <input type="checkbox" checked=${x[e]}
          onChange=${t=>N(e,t.currentTarget.checked)} />${u(`product.${e}_label`)}</label>`;let n=t.required?void 0:u(E(e,t));return o`<${a} label=${u(`product.${e}_label`)} value=${x[e]??``}
      onInput=${P(e)} dir="auto" placeholder=${n} ...${t} />`};return o`<${t} title=${n?u(`store.edit_of`,{name:h.name}):u(`store.new`)}
    onClose=${r}>
    <form onSubmit=${F}>
      ${Object.entries(C).map(([e,t])=>o`<fieldset key=${e}>
        <legend>${u(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(I)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${x.name} />
        <p class="quiet" role="status">${[y(x.price||0,u),...v(x,u)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${d} error=${O} />
        <${f} class="main" busy=${A}>${u(`save`)}<//>${` `}
        <button type="button" onClick=${()=>M(r)}>${u(`cancel`)}</button>
      </div>
    </form>
  <//>`}function O(){let{client:e,say:t,parameters:n,setParameters:r}=s(),{value:i,error:a,reload:c}=h(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);m(e=>e.startsWith(`purchase.`),c,500);let u=g(c),f=n.get(`open`),_=()=>r({open:null}),v=()=>r({open:`new`});if(!i)return a?o`<${d} error=${a} onRetry=${c} />`:o`<${l} rows=${4} />`;let y=i.find(({product_id:e})=>String(e)===f),b=o`<button class="main" onClick=${v}>${t(`store.new`)}</button>`,x=i.length===0;return o`<${d} error=${a} onRetry=${c} />
    ${x?o`<${p}>${t(`store.products_empty`)} ${b}<//>`:o`<p class="bar end">${b}</p>`}
    <ul class="products">
      ${i.map(e=>o`<${k} key=${e.product_id} product=${e}
        changes=${u} />`)}
    </ul>
    ${f&&!y&&f!==`new`&&o`<p class="error" role="alert">${t(`store.gone`,{id:f})}</p>`}
    ${(f===`new`||y)&&o`<${D} key=${f} product=${y??null} onClose=${_}
      onSaved=${()=>(_(),c())} />`}`}function k({product:t,changes:r}){let{client:a,say:c,setParameters:l}=s(),{product_id:f,name:p,description:m,price:h,stock:g,enabled:b}=t,x=`/products/${f}`,S=e=>r.change(f,e),[C,w]=_(``),T=e=>S(a.patch(x,{stock:e===``?null:Number(e)}).then(()=>w(c(`store.saved`)))),E=v(t,c),D=g===0;return o`<li class=${`card product ${b?``:`off`}`}>
    <div class="head">
      <${e} name=${p} />
      <h2 dir="auto">${p}</h2>
      <span class="price">${y(h,c)}</span>
    </div>
    ${m&&o`<p dir="auto">${m}</p>`}
    <p class="quiet" dir="auto">
      ${D&&o`<strong class="bad">${c(`product.sold_out`)}</strong>`}
      ${D&&E.length>0&&` · `}${E.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>w(``)}>
        <${i} label=${c(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${g??``}
          placeholder=${c(`product.unlimited`)} onCommit=${T} ...${u()} />
        <span class="good" role="status">${C}</span>
      </div>
      <span class="bar">
        <button aria-label=${c(`store.edit_of`,{name:p})}
          onClick=${()=>l({open:String(f)})}>${c(`edit`)}</button>
        <${n} className="bad" label=${c(`delete`)} description=${c(`delete_of`,{name:p})}
          question=${c(`store.delete_sure`)}
          note=${c(`store.delete_note`)} act=${()=>S(a.delete(x))} />
      </span>
    </div>
    <${d} error=${r.errorOf(f)} />
  </li>`}export{O as Products};