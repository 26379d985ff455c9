
import{t as e}from"./thing.js";import{_ as t,c as n,d as r,f as i,l as a}from"./forms.js";import{C as o,S as s,T as c,f as l,g as u,h as d,k as f,l as p,r as m,t as h,u as g}from"./common.js";import{r as _,s as v}from"./sentences.js";import{n as y}from"./changes.js";const b={name:``,description:null,price:100,stock:null,max_per_user:null,cooldown:null,user_cooldown:null,question:null,item_name:null,automatic:!1,enabled:!0},x=31536e3,S={name:{required:!0,pattern:r,maxlength:1024,autofocus:!0,isWide:!0},price:{type:`number`,min:0,max:2**53-1,step:1,required:!0},description:{maxlength:1e5,rows:2,isWide:!0},stock:{type:`number`,min:0,max:2**53-1,step:1},max_per_user:{type:`number`,min:1,max:2**53-1,step:1},cooldown:{type:`number`,min:1,max:x,step:1},user_cooldown:{type:`number`,min:1,max:x,step:1},question:{pattern:r,maxlength:1024},item_name:{pattern:r,maxlength:1024}},C={offer:[`name`,`price`,`description`,`enabled`],purchase:[`item_name`,`question`,`automatic`],limits:[`stock`,`max_per_user`,`cooldown`,`user_cooldown`]},w=(e,t)=>Object.fromEntries(Object.entries(t).filter(([t,n])=>n!==e[t])),T=/* @__PURE__ */ new Map,E=(e,{type:t})=>e.includes(`cooldown`)?`product.none`:t?`product.unlimited`:`product.optional`;function D({product:n,onClose:r,onSaved:i}){let{client:l,say:u}=s(),m=n?.product_id??null,h=n??b,[{before:g,entries:y}]=o(()=>T.get(m)??{before:h,entries:h}),[x,D]=o(Object.fromEntries(Object.keys(b).map(e=>[e,y[e]]))),[O,k]=o(null),[A,j]=o(!1);c(()=>{Object.keys(w(g,x)).length>0?T.set(m,{before:g,entries:x}):T.delete(m)},[x]);let M=e=>{T.delete(m),e()},N=(e,t)=>D(n=>({...n,[e]:t})),P=e=>t=>{let n=t.currentTarget.value,{type:r,required:i}=S[e];n===``?N(e,i?``:null):N(e,r===`number`?Number(n):n)},F=async e=>{e.preventDefault(),j(!0);try{n?await l.patch(`/products/${n.product_id}`,w(g,x)):await l.post(`/products`,x),M(i)}catch(e){k(e),j(!1)}},I=e=>{let t=S[e];if(!t)return f`<label class="check">
        <input type="checkbox" checked=${x[e]}
          onChange=${t=>N(e,t.currentTarget.checked)} />${u(`product.${e}_label`)}</label>`;let n=t.required?void 0:u(E(e,t));return f`<${a} label=${u(`product.${e}_label`)} value=${x[e]??``}
      onInput=${P(e)} dir="auto" placeholder=${n} ...${t} />`};return f`<${t} title=${n?u(`store.edit_of`,{name:g.name}):u(`store.new`)}
    onClose=${r}>
    <form onSubmit=${F}>
      ${Object.entries(C).map(([e,t])=>f`<fieldset key=${e}>
        <legend>${u(`product.group.${e}`)}</legend>
        <div class="fields">${t.map(I)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${e} name=${x.name} />
        <p class="quiet" role="status">${[v(x.price||0,u),..._(x,u)].join(` · `)}</p>
      </div>
      <div class="ending">
        <${d} error=${O} />
        <${p} class="main" busy=${A}>${u(`save`)}<//>${` `}
        <button type="button" onClick=${()=>M(r)}>${u(`cancel`)}</button>
      </div>
    </form>
  <//>`}function O(){let{client:e,say:t,parameters:n,setParameters:r}=s(),{value:i,error:a,reload:o}=h(async()=>(await e.page(`/products`,{query:{limit:1e3}})).records,`products`,1e4);m(e=>e.startsWith(`purchase.`),o,500);let c=y(i,o),p=n.get(`open`),g=()=>r({open:null}),_=()=>r({open:`new`});if(!i)return a?f`<${d} error=${a} onRetry=${o} />`:f`<${u} rows=${4} />`;let v=i.find(({product_id:e})=>String(e)===p),b=f`<button class="main" onClick=${_}>${t(`store.new`)}</button>`,x=i.length===0;return f`<${d} error=${a} onRetry=${o} />
    ${x?f`<${l}>${t(`store.products_empty`)} ${b}<//>`:f`<p class="bar end">${b}</p>`}
    <ul class="products">
      ${i.map(e=>f`<${k} key=${e.product_id} product=${e}
        changes=${c} />`)}
    </ul>
    ${p&&!v&&p!==`new`&&f`<p class="error" role="alert">${t(`store.gone`,{id:p})}</p>`}
    ${(p===`new`||v)&&f`<${D} key=${p} product=${v??null} onClose=${g}
      onSaved=${()=>(g(),o())} />`}`}function k({product:t,changes:r}){let{client:a,say:c,setParameters:l}=s(),{product_id:u,name:p,description:m,price:h,stock:y,enabled:b}=t,x=`/products/${u}`,S=e=>r.change(u,e),[C,w]=o(``),T=e=>S(a.patch(x,{stock:e===``?null:Number(e)}).then(()=>w(c(`store.saved`)))),E=_(t,c),D=y===0;return f`<li class=${`card product ${b?``:`off`}`}>
    <div class="head">
      <${e} name=${p} />
      <h2 dir="auto">${p}</h2>
      <span class="price">${v(h,c)}</span>
    </div>
    ${m&&f`<p dir="auto">${m}</p>`}
    <p class="quiet" dir="auto">
      ${D&&f`<strong class="bad">${c(`product.sold_out`)}</strong>`}
      ${D&&E.length>0&&` · `}${E.join(` · `)}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${()=>w(``)}>
        <${i} label=${c(`product.stock`)} type="number" min="0"
          max=${2**53-1} step="1" value=${y??``}
          placeholder=${c(`product.unlimited`)} onCommit=${T} ...${g()} />
        <span class="good" role="status">${C}</span>
      </div>
      <span class="bar">
        <button aria-label=${c(`store.edit_of`,{name:p})}
          onClick=${()=>l({open:String(u)})}>${c(`edit`)}</button>
        <${n} className="bad" label=${c(`delete`)} description=${c(`delete_of`,{name:p})}
          question=${c(`store.delete_sure`)}
          note=${c(`store.delete_note`)} act=${()=>S(a.delete(x))} />
      </span>
    </div>
    <${d} error=${r.errorOf(u)} />
  </li>`}export{O as Products};