
import{r as e}from"./rows.js";import{i as t,n,o as r,r as i}from"./viewers.js";import{t as a}from"./follow.js";import{_ as o,a as s,b as c,d as l,f as u,g as d,m as f,p,r as m,t as h}from"./forms.js";import{C as g,D as _,E as v,O as y,S as b,f as x,g as S,h as C,l as w,m as T,n as E,t as D,x as O}from"./common.js";import{n as k}from"./privacy.js";import{t as A}from"./purchases.js";import{t as j}from"./thing.js";import{O as M}from"./first.js";import{n as ee,r as N,t as P}from"./pet-drawing.js";const F=e=>`#/data?${new URLSearchParams(e)}`,I={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>F({resource:`purchases`,open:e}),transfers:e=>F({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function L({amount:e,cause:t,description:n},r){let[i,a]=(t??``).split(`/`);return!I[i]||!a?n:r(i===`purchases`&&e>0?`cause.refund`:`cause.${i}`,{name:n})}function R({transaction:e}){let{cause:t,reference:n,description:r}=e,{say:i}=O(),[a,o]=(t??``).split(`/`),s=I[a],c=/^events\/(\d{1,16})$/.exec(n??``)?.[1];return!s||!o?y`<span dir="auto">${r}</span>${t&&y` <code>${t}</code>`}`:y`<a href=${s(o)} dir="auto">${L(e,i)}</a>
    ${c&&y` · <a href=${F({resource:`events`,open:c})}>${i(`cause.event`)}</a>`}`}const z=[`rules`,`purchases`,`transfers`],B=({cause:e})=>z.find(t=>e?.startsWith(`${t}/`))??`other`;function te(e){let{client:t}=O(),n=`/users/${e.user_id}/transactions`;return D(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:B(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`).value}function V(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function H({line:e,area:t,zero:n}){return y`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const U=({changes:e})=>y`<div class="balance-curve small"><${H} ...${V(e)} /></div>`;function W({changes:e}){let{say:t}=O(),[n,r]=b(e.length-1);g(()=>r(e.length-1),[e]);let{points:i,...a}=V(e),o=[e[0].balance-e[0].transaction.amount,...e.map(e=>e.balance)],s=[e[0],e[e.length-1]].map(e=>e.transaction.created_at),[c,l]=new Set(s.map(t.date)).size>1?s.map(t.date):s.map(t.clock),u=Math.min(n,e.length-1),{transaction:d,balance:f,kind:p}=e[u],m=`${d.amount>0?`+`:``}${t.number(d.amount)}`,h=`${m} · ${L(d,t)}`,_=t(`wallet.after`,{balance:f,time:t.time(d.created_at)}),v=t=>r(Math.max(0,Math.min(e.length-1,t))),x=t=>{let n={ArrowLeft:u-1,ArrowRight:u+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),v(n))},S=({currentTarget:e,clientX:t})=>{let{left:n,width:a}=e.getBoundingClientRect(),o=(t-n)/a*100,s=i.map(({x:e})=>Math.abs(e-o));r(s.lastIndexOf(Math.min(...s)))},C=[...z,`other`].filter(t=>e.some(e=>e.kind===t)),w=e=>y`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`;return y`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${u+1} aria-valuetext=${`${h}. ${_}`}
      onKeyDown=${x} onPointerMove=${S}>
      <${H} ...${a} />
      ${i.map(({x:t,y:n},r)=>y`<i class=${`${e[r].kind}${r===u?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    ${e.length>1&&y`<p class="balance-axis quiet"><span>${c}</span>
      <span>${t(`wallet.range`,{from:t.number(Math.min(...o)),to:t.number(Math.max(...o))})}</span>
      <span>${l}</span></p>`}
    <p class="balance-change"><strong class=${p}>${m}</strong>${` `}
      <${R} transaction=${d} /> <span class="quiet">${_}</span></p>
    <p class="legend">${C.map(w)}</p>`}function G(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function K({item:{item_id:e,name:t,quantity:n},act:r}){let{client:i,say:a}=O(),[o,s]=b(``),c=Math.min(n,Math.max(1,Math.floor(Number(o))||1)),d=async()=>{let t=`/inventory/${e}`,{data:n,etag:r}=await i.request(`GET`,t),a=n.quantity-c;return a>0?i.patch(t,{quantity:a},{ifMatch:r}):i.delete(t,{ifMatch:r})};return y`<${l} label=${a(`items.take`)} description=${a(`items.take_of`,{name:t})}
    onOpen=${()=>s(String(n))}
    note=${n>1&&y`<${u} label=${a(`items.quantity`)} type="number" min="1" max=${n} step="1"
      value=${o} onInput=${e=>s(e.currentTarget.value)} />`}
    question=${a(`items.take_sure`,{many:c})} act=${()=>r(d(),c===n)} />`}function q({user:e,reload:t}){let{client:n,say:r}=O(),[i,a]=b(null),o=`/users/${e.user_id}/inventory`,s=E(`${o}?active=false&limit=20`),{value:c}=D(()=>n.page(`/products`,{query:{limit:100}}),`items`),l=[...(c?.records??[]).map(e=>e.item_name),...e.inventory.map(e=>e.name)],u=()=>{a(null),t(),s.reload()},d=async({name:e,quantity:r})=>{await n.post(o,{name:e,quantity:Number(r)}),t()},h=(e,t=!0)=>e.then(()=>(t&&m(),u()),a),g=({item_id:e},t)=>h(n.patch(`/inventory/${e}`,{used_at:t})),_=async({item_id:e})=>{let t=`/inventory/${e}`,{data:r,etag:i}=await n.request(`GET`,t),{name:a,metadata:s,quantity:c}=r,l=await n.post(o,{name:a,metadata:s,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await n.patch(t,{quantity:c-1},{ifMatch:i})}catch(e){throw e.status<500&&await n.delete(`/inventory/${l.item_id}`),e}},v=e.inventory.reduce((e,{quantity:t})=>e+t,0),x=[{name:`name`,label:r(`items.item`),required:!0,pattern:f,maxlength:200,list:`known-items`},{name:`quantity`,label:r(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return y`<div class="two">
    <section class="card">
      <h2>${r(`items.title`)} ${v>0&&y`<span class="quiet">${r.number(v)}</span>`}</h2>
      ${v===0&&y`<p class="quiet">${r(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>y`<li key=${e.item_id}>
          <${j} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${r.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&y`<${w} class="quiet" onClick=${()=>h(_(e),!1)}
              aria-label=${r(`items.use_one_of`,{name:e.name})}>${r(`items.use_one`)}<//>`}
            <${w} class="quiet" onClick=${()=>g(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${r(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${r(`items.use`,{many:e.quantity})}<//>
            <${K} item=${e} act=${h} />
          </div>
        </li>`)}
      </ul>
      ${s.records.length>0&&y`<h3>${r(`items.used`)}</h3>
        <ul class="things used">
          ${s.records.map(e=>y`<li key=${e.item_id}>
            <${j} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${r.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${r.time(e.used_at)}>${r.ago(e.used_at)}</time>
            <${w} class="quiet" onClick=${()=>g(e,null)}
              aria-label=${r(`items.return_of`,{name:e.name})}>${r(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${T} list=${s} />
      <${C} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`items.give`)}</h2>
      <${p} submit=${r(`items.give`)} send=${d} fields=${x} />
      <datalist id="known-items">${[...new Set(l)].filter(Boolean).map(e=>y`<option value=${e} />`)}</datalist>
    </section>
  </div>`}const J=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function Y({user:e}){let{say:t}=O(),[n,r]=b(!1),i=v(null);return y`<${w} onClick=${()=>r(!0)}>${t(`link.make`)}<//>
    ${n&&y`<${X} user=${e} created=${i} onClose=${()=>r(!1)} />`}`}function X({user:e,created:t,onClose:n}){let{client:r,say:i,signOut:a}=O(),[o,s]=b(null),[l,u]=b(!1),d=async()=>{u(!0),s(null);try{let n=i(`link.token`,{name:e.name}).slice(0,100);t.current=await r.post(`/tokens`,{name:n,user_id:e.user_id})}catch(e){s(e)}u(!1)},{token:f,expires_at:p}=t.current??{};return y`<${c} title=${i(`link.of`,{name:e.name})} className="link-question" onClose=${n}>
    <p>${i(`link.how`)}${` `}
      ${J.test(location.hostname)?y`<strong>${i(`link.local`)}</strong>`:i(`link.only`)}</p>
    <${C} error=${o} />
    ${f?y`<${Z} address=${`${M}/viewer/#user=${e.user_id}&token=${f}`} />
          <p class="quiet">
            ${a?y`${p&&i(`link.until`,{date:i.date(p)})} ${i(`link.once`)}`:i(`link.unchecked`)}
          </p>`:y`<${w} class="main" disabled=${l} onClick=${d}>${i(`link.create`)}<//>`}
  <//>`}function Z({address:e}){let{say:t}=O(),[n,r]=b(``),i=v(null),a=s();return y`<label class="field"><span>${t(`link.address`)}</span><input readonly value=${e} ref=${i} /></label>
    <p class="bar"><button class="main" ref=${a} onClick=${()=>navigator.clipboard.writeText(e).then(()=>r(`copied`),()=>(i.current.select(),r(`twitch.copy_failed`)))}>${t(`copy`)}</button>
      <a class="button" href=${e} target="_blank" rel="noopener">${t(`link.open`)}</a>
      <span class="good" role="status">${n&&t(n)}</span></p>`}function Q(e,t){let n=N(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function ne({user:e,reload:t}){let{client:n,say:r}=O(),[i,a]=b(null),o=E(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),s=()=>{a(null),t(),o.reload()},c=e=>e.then(s,a),u=`/users/${e.user_id}/specimen`,d=e.specimen,f=()=>c(n.patch(u,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),p=e=>c(n.patch(`/specimens/${e}`,{forgotten_at:null})),m=e=>r(`pet.from_to`,{from:r.date(e.born_at),to:r.date(e.forgotten_at)}),h=o.records.length===0&&!o.busy&&!o.error;return y`<div class="two">
    <section class="card own-pet">
      <h2>${r(`viewer.pet`)}</h2>
      ${d?y`<div class="meadow"><${P} pet=${d} label=${r(`viewer.pet`)} /></div>
            <p class="big">${Q(d,r)}</p>
            <p class="quiet">${r(`pet.life.${ee(N(d)).name}`)} ·${` `}
              ${r(`pet.born`,{date:r.time(d.born_at)})}</p>
            <${l} className="bad" label=${r(`pet.remove`)} description=${`${r(`pet.remove`)}: ${e.name}`}
              question=${r(`pet.remove_sure`)} note=${r(`pet.remove_note`)} act=${f} />`:y`<p>${r(`pet.none`)}</p>
            <${w} class="main" onClick=${()=>c(n.post(u,{}))}>${r(`pet.give`)}<//>`}
      <${C} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`pet.before`)}</h2>
      ${h&&y`<p class="quiet">${r(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${o.records.map(e=>y`<li key=${e.specimen_id}>
          <${P} pet=${e} label=${r(`viewer.pet`)} />
          <div>${r(`pet.lived`,{days:N(e)})}<p class="quiet">${m(e)}</p></div>
          ${!d&&y`<${w} class="quiet" onClick=${()=>p(e.specimen_id)}>${r(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${T} list=${o} />
    </section>
  </div>`}const re=()=>y`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function ie({user:e,figures:t,changes:r}){let{client:i,say:a,setParameters:o}=O(),{value:s}=D(()=>i.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),c=t&&n(t.headers,e),l=e=>e===0&&!c?`–`:a.compact(e,1e7),u=(e,t)=>y`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:l(t)}</strong>
  </div>`,d=G(e.inventory),f=r?.[r.length-1]?.transaction,p=(e,t,n)=>y`<section class=${`card shown shown-${e}`}>
    <h2><button title=${a(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>${t} <span aria-hidden="true">→</span></button></h2>
    ${n}
  </section>`,m=e.specimen,h=d.length>4?3:4,g=d.length-h,_=d.length>2?`many`:d.length>0?`some`:``,v=f?.amount>0?`+`:``;return y`<div class="showcase">
    ${p(`pet`,a(`viewer.pet`),m?y`<${P} pet=${m} label=${a(`viewer.pet`)} /><p>${Q(m,a)}</p>`:y`<${re} /><p class="quiet">${a(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${u(a(`viewers.bits`),t?.bits)}
      ${u(a(`viewers.messages`),t?.messages)}
      ${u(a(`viewer.raiders`),t?.raiders)}
      ${u(a(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${_}`}>
      ${p(`wallet`,a(`viewer.wallet`),y`<p class="big" title=${a.number(e.wallet)}>${a.compact(e.wallet,1e9)}</p>
        ${r?.length>1&&y`<${U} changes=${r} />`}
        ${f&&y`<p class="quiet last">
          <b>${v}${a.number(f.amount)}</b> <span dir="auto">${L(f,a)}</span>${` `}
          ${a.ago(f.created_at)}
        </p>`}`)}
      ${s&&d.length>0&&p(`items`,a(`viewer.items`),y`<ul class="chips">
          ${d.slice(0,h).map(([e,t])=>y`<li key=${e} title=${e}>
            <${j} name=${e} /><span dir="auto">${e}</span> <b>×${a.compact(t)}</b>
          </li>`)}
          ${g>0&&y`<li class="quiet">${a(`count_more`,{many:g})}</li>`}
        </ul>`)}
      ${s?.length>0&&p(`purchases`,a(`viewer.purchases`),y`<ul class="last-purchases">
          ${s.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>y`<li
            key=${e}>
            <${j} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?a(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${a.time(r)}>${a.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function ae({user:e,changes:t,reload:n}){let{client:r,say:i}=O(),a=`/users/${e.user_id}/transactions`,o=E(`${a}?limit=20`),[s,c]=b(null),[l,u]=b(null),[m,h]=b(0),[_,v]=b(e.wallet);g(()=>{_!==e.wallet&&o.reload(),v(e.wallet)},[e.wallet]);let x=async({amount:t,description:i},o=!1)=>{let s=Number(t);if(c(null),s<0&&e.wallet+s<0&&!o)return c({amount:t,description:i}),null;await r.post(a,{amount:s,description:i}),o&&h(m+1),n()},S=({currentTarget:e})=>e.setCustomValidity(Number(e.value)===0?i(`wallet.zero`):``),D=({amount:t})=>e.wallet+Number(t),k=[{name:`amount`,label:i(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1,onInput:S},{name:`description`,label:i(`wallet.reason`),required:!0,pattern:f,maxlength:200}],A={label:i(`wallet.amount`),className:`amount`},j=[i(`when`),i(`wallet.reason`),A];return y`<div class="two wallet">
      <section class="card" aria-label=${i(`wallet.curve`)}>
        <h2>${i(`wallet.curve`)}</h2>
        ${t?.length>0?y`<${W} changes=${t} />`:y`<p class="quiet">${i(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${i(`wallet.adjust`)}</h2>
        <p class="big balance">${i.number(e.wallet)}</p>
        <div onInput=${()=>c(null)}>
          <${p} key=${m} submit=${i(`wallet.adjust`)} send=${x} fields=${k} />
        </div>
        ${s&&y`<p role="alert">${i(`wallet.overdraft`,{balance:D(s)})}</p>
          <${w} class="danger" onClick=${()=>x(s,!0).then(()=>u(null),u)}>
            ${i(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>c(null)}>${i(`cancel`)}</button>`}
        <${C} error=${l} />
      </section>
    </div>
    ${(o.records.length>0||o.error)&&y`<section class="card">
      <h2>${i(`wallet.transactions`)}</h2>
      <div class="transactions"><${d} label=${i(`wallet.transactions`)} columns=${j}>
        ${o.records.map(e=>y`<tr key=${e.transaction_id}>
          <td class="when">${i.time(e.created_at)}</td>
          <td><${R} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${i.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${T} list=${o} />
    </section>`}`}const oe=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],se=[`overview`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function ce(e){let{client:t,subscribe:n}=O(),r=D(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=D(()=>i(t,e),e,3e4);return g(()=>n(({data:t})=>t?.user_id===Number(e)&&(r.reload(),o())),[e]),{...r,figures:a}}function le({id:e}){let{say:t}=O(),{value:n,figures:r,error:i,reload:a}=ce(e);return n?y`<${$} id=${e} user=${n} figures=${r} error=${i} reload=${a} />`:i?y`<h1>${t(`viewer.title`)}</h1><${C} error=${i} onRetry=${a} />`:y`<${S} rows=${6} />`}function $({id:e,user:t,figures:n,error:i,reload:a}){let{client:s,say:c}=O();h(t.name);let l=te(t),[u,d]=b(null),f=r(t),p=()=>de(s,t).then(()=>d(null),d),m=Object.fromEntries(se.map(e=>[e,c(`viewer.${e}`)])),g=f&&y` <span class="mark-anonymized">${c(`privacy.is_anonymized`)}</span>`;return y`<p class="back"><a href="#/viewers">${c(`viewer.all`)}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${g}</h1>
        <p class="quiet">${ue(t,n,c).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!f&&y`<${Y} user=${t} />`}
        <button onClick=${p}>${c(`export`)}</button>
      </div>
    </div>
    <${C} error=${u??i} onRetry=${u?null:a} />
    <${o} label=${c(`viewer.title`)} names=${m}>
      ${r=>y`${r===`overview`&&y`<${ie} user=${t} figures=${n} changes=${l} />
          <${fe} id=${e} />`}
        ${r===`wallet`&&y`<${ae} user=${t} changes=${l} reload=${a} />`}
        ${r===`purchases`&&y`<${pe} id=${e} />`}
        ${r===`items`&&y`<${q} user=${t} reload=${a} />`}
        ${r===`pet`&&y`<${ne} user=${t} reload=${a} />`}
        ${r===`privacy`&&y`<${k} user=${t} isAnonymized=${f} reload=${a} />`}`}
    <//>`}function ue(e,n,r){let{sub:i,seen:a}=n??{};return[i&&r(`viewer.sub`,{tier:String(i.tier),months:i.subscribed_length}),r(`viewer.since`,{date:r.date(t(e,n))}),a&&r(`viewer.seen`,{ago:r.ago(a)})].filter(Boolean)}async function de(e,t){let n=t.user_id,r={user:t};for(let t of oe){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function fe({id:t}){let{say:n}=O(),r=_(()=>Object.assign(e=>e.user_id===Number(t),{key:t}),[t]),i=a({paths:_(()=>[`/users/${t}/events?`],[t]),matches:r});return y`<${e} chunks=${i.chunks} newIds=${i.newIds} label=${n(`nav.activity`)} />
    ${i.size===0&&!i.busy&&!i.error&&y`<${x}>${n(`viewer.no_events`)}<//>`}
    <${T} list=${i} scrolls />`}function pe({id:e}){let{say:t}=O();return y`<${A} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${x}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{le as Viewer};