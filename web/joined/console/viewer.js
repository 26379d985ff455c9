
import{A as e,D as t,H as n,I as r,J as i,L as a,O as o,P as s,R as c,S as l,T as u,U as d,W as f,Y as p,_ as m,g as h,j as g,q as _,t as v,u as y,w as b}from"./common.js";import{i as x,n as S,o as C,r as w,t as T}from"./pet-drawing.js";import{t as E}from"./follow.js";import{t as D}from"./title.js";import{n as O}from"./privacy-words.js";import{r as k,t as A}from"./privacy.js";import{n as j,t as M}from"./purchases.js";import{D as N}from"./first.js";const P=e=>`#/data?${new URLSearchParams(e)}`,F={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>P({resource:`purchases`,open:e}),transfers:e=>P({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function I({amount:e,cause:t,description:n},r){let[i,a]=(t??``).split(`/`);return!F[i]||!a?n:r(i===`purchases`&&e>0?`cause.refund`:`cause.${i}`,{name:n})}function L({transaction:e}){let{cause:t,reference:r,description:i}=e,{say:a}=n(),[o,s]=(t??``).split(`/`),c=F[o],l=/^events\/(\d{1,16})$/.exec(r??``)?.[1];return!c||!s?p`<span dir="auto">${i}</span>${t&&p` <code>${t}</code>`}`:p`<a href=${c(s)} dir="auto">${I(e,a)}</a>
    ${l&&p` · <a href=${P({resource:`events`,open:l})}>${a(`cause.event`)}</a>`}`}const R=[`rules`,`purchases`,`transfers`],z=({cause:e})=>R.find(t=>e?.startsWith(`${t}/`))??`other`;function ee(e){let{client:t}=n(),r=`/users/${e.user_id}/transactions`;return h(async()=>{let{records:n}=await t.page(r,{query:{limit:100}}),i=e.wallet;return n.map(e=>{let t={transaction:e,balance:i,kind:z(e)};return i-=e.amount,t}).reverse()},`${r} ${e.wallet}`).value}function B(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function V({line:e,area:t,zero:n}){return p`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const H=({changes:e})=>p`<div class="balance-curve small"><${V} ...${B(e)} /></div>`;function U({changes:e}){let{say:t}=n(),[r,i]=d(e.length-1);f(()=>i(e.length-1),[e]);let{points:a,...o}=B(e),s=e.map(e=>e.balance),c=Math.min(r,e.length-1),{transaction:l,balance:u,kind:m}=e[c],h=`${l.amount>0?`+`:``}${t.number(l.amount)}`,g=`${h} · ${I(l,t)}`,_=t(`wallet.after`,{balance:u,time:t.time(l.created_at)}),v=t=>i(Math.max(0,Math.min(e.length-1,t))),y=t=>{let n={ArrowLeft:c-1,ArrowRight:c+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),v(n))},b=({currentTarget:e,clientX:t})=>{let{left:n,width:r}=e.getBoundingClientRect(),o=(t-n)/r*100,s=a.map(({x:e})=>Math.abs(e-o));i(s.lastIndexOf(Math.min(...s)))},x=[...R,`other`].filter(t=>e.some(e=>e.kind===t)),S=e=>p`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`;return p`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${c+1} aria-valuetext=${`${g}. ${_}`}
      onKeyDown=${y} onPointerMove=${b}>
      <${V} ...${o} />
      ${a.map(({x:t,y:n},r)=>p`<i class=${`${e[r].kind}${r===c?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    <p class="balance-axis quiet"><span>${t.date(e[0].transaction.created_at)}</span>
      <span>${t(`wallet.range`,{from:t.number(Math.min(...s)),to:t.number(Math.max(...s))})}</span>
      <span>${t.date(e[e.length-1].transaction.created_at)}</span></p>
    <p class="balance-change"><strong class=${m}>${h}</strong>${` `}
      <${L} transaction=${l} /> <span class="quiet">${_}</span></p>
    <p class="legend">${x.map(S)}</p>`}function W(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function G({user:e,reload:t}){let{client:i,say:o}=n(),[s,c]=d(null),f=`/users/${e.user_id}/inventory`,h=m(`${f}?active=false&limit=20`),_=()=>{c(null),t(),h.reload()},y=async({name:e,quantity:n})=>{await i.post(f,{name:e,quantity:Number(n)}),t()},x=e=>e.then(()=>(v(),_()),c),S=({item_id:e},t)=>x(i.patch(`/inventory/${e}`,{used_at:t})),C=async({item_id:e})=>{let t=`/inventory/${e}`,{data:n,etag:r}=await i.request(`GET`,t),{name:a,metadata:o,quantity:s}=n,c=await i.post(f,{name:a,metadata:o,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await i.patch(t,{quantity:s-1},{ifMatch:r})}catch(e){throw e.status<500&&await i.delete(`/inventory/${c.item_id}`),e}},w=e.inventory.reduce((e,{quantity:t})=>e+t,0),T=[{name:`name`,label:o(`items.item`),required:!0,pattern:u,maxlength:200},{name:`quantity`,label:o(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return p`<div class="two">
    <section class="card">
      <h2>${o(`items.title`)} ${w>0&&p`<span class="quiet">${o.number(w)}</span>`}</h2>
      ${w===0&&p`<p class="quiet">${o(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>p`<li class="usable" key=${e.item_id}>
          <${j} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${o.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&p`<${g} class="quiet" onClick=${()=>x(C(e))}
              aria-label=${o(`items.use_one_of`,{name:e.name})}>${o(`items.use_one`)}<//>`}
            <${g} class="quiet" onClick=${()=>S(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${o(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${o(`items.use`,{many:e.quantity})}<//>
            <${l} label=${o(`items.take`)} description=${o(`items.take_of`,{name:e.name})}
              question=${o(`items.take_sure`,{many:e.quantity})}
              act=${()=>x(i.delete(`/inventory/${e.item_id}`))} />
          </div>
        </li>`)}
      </ul>
      ${h.records.length>0&&p`<h3>${o(`items.used`)}</h3>
        <ul class="things used">
          ${h.records.map(e=>p`<li key=${e.item_id}>
            <${j} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${o.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${o.time(e.used_at)}>${o.ago(e.used_at)}</time>
            <${g} class="quiet" onClick=${()=>S(e,null)}
              aria-label=${o(`items.return_of`,{name:e.name})}>${o(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${r} list=${h} />
      <${a} error=${s} />
    </section>
    <section class="card">
      <h2>${o(`items.give`)}</h2>
      <${b} submit=${o(`items.give`)} send=${y} fields=${T} />
    </section>
  </div>`}const K=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function q({user:e}){let{client:t,say:r}=n(),[i,a]=d(!1),o=_(!1),[s,c]=d(null),[l,u]=d(null);return p`<${g} onClick=${async()=>{if(!o.current){if(l)a(!0);else{o.current=!0,c(null);try{let n=r(`link.token`,{name:e.name}).slice(0,100);u(await t.post(`/tokens`,{name:n,user_id:e.user_id}))}catch(e){c(e)}a(!0),o.current=!1}}}}>${r(`link.make`)}<//>
    ${i&&p`<${J} user=${e} created=${l} error=${s} onClose=${()=>a(!1)} />`}`}function J({user:t,created:r,error:i,onClose:o}){let{say:s,signOut:c}=n(),[l,u]=d(``),f=_(null),m=r&&`${N}/viewer/#user=${t.user_id}&token=${r.token}`,h=r?.expires_at;return p`<${e} title=${s(`link.of`,{name:t.name})} className="link-question" onClose=${o}>
    <${a} error=${i} />
    ${m&&p`<p>${s(`link.how`)}${` `}
        ${K.test(location.hostname)?p`<strong>${s(`link.local`)}</strong>`:s(`link.only`)}</p>
      <label class="field"><span>${s(`link.address`)}</span><input readonly value=${m} ref=${f} /></label>
      <p class="bar"><button class="main" onClick=${()=>navigator.clipboard.writeText(m).then(()=>u(`copied`),()=>(f.current.select(),u(`twitch.copy_failed`)))}>${s(`copy`)}</button>
        <a class="button" href=${m} target="_blank" rel="noopener">${s(`link.open`)}</a>
        <span class="good" role="status">${l&&s(l)}</span></p>
      <p class="quiet">
        ${c?p`${h&&s(`link.until`,{date:s.date(h)})} ${s(`link.once`)}`:s(`link.unchecked`)}
      </p>`}
  <//>`}function Y(e,t){let n=w(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function X({user:e,reload:t}){let{client:i,say:o}=n(),[s,c]=d(null),u=m(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),f=()=>{c(null),t(),u.reload()},h=e=>e.then(f,c),_=`/users/${e.user_id}/specimen`,v=e.specimen,y=()=>h(i.patch(_,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),b=e=>h(i.patch(`/specimens/${e}`,{forgotten_at:null})),x=e=>o(`pet.from_to`,{from:o.date(e.born_at),to:o.date(e.forgotten_at)}),C=u.records.length===0&&!u.busy&&!u.error;return p`<div class="two">
    <section class="card own-pet">
      <h2>${o(`viewer.pet`)}</h2>
      ${v?p`<div class="meadow"><${T} pet=${v} label=${o(`viewer.pet`)} /></div>
            <p class="big">${Y(v,o)}</p>
            <p class="quiet">${o(`pet.life.${S(w(v)).name}`)} ·${` `}
              ${o(`pet.born`,{date:o.time(v.born_at)})}</p>
            <${l} className="bad" label=${o(`pet.remove`)} question=${o(`pet.remove_sure`)}
              note=${o(`pet.remove_note`)} act=${y} />`:p`<p>${o(`pet.none`)}</p>
            <${g} class="main" onClick=${()=>h(i.post(_,{}))}>${o(`pet.give`)}<//>`}
      <${a} error=${s} />
    </section>
    <section class="card">
      <h2>${o(`pet.before`)}</h2>
      ${C&&p`<p class="quiet">${o(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${u.records.map(e=>p`<li key=${e.specimen_id}>
          <${T} pet=${e} label=${o(`viewer.pet`)} />
          <div>${o(`pet.lived`,{days:w(e)})}<p class="quiet">${x(e)}</p></div>
          ${!v&&p`<${g} class="quiet" onClick=${()=>b(e.specimen_id)}>${o(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${r} list=${u} />
    </section>
  </div>`}const Z=()=>p`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function Q({user:e,figures:t,changes:r}){let{client:i,say:a,setParameters:o}=n(),{value:s}=h(()=>i.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),c=(e,t)=>p`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:a.compact(t,1e7)}</strong>
  </div>`,l=W(e.inventory),u=r?.[r.length-1]?.transaction,d=(e,t,n)=>p`<section class=${`card shown shown-${e}`}>
    <h2><button aria-label=${a(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>${t} <span aria-hidden="true">→</span></button></h2>
    ${n}
  </section>`,f=e.specimen,m=l.length>4?3:4,g=l.length-m,_=l.length>2?`many`:l.length>0?`some`:``,v=u?.amount>0?`+`:``;return p`<div class="showcase">
    ${d(`pet`,a(`viewer.pet`),f?p`<${T} pet=${f} label=${a(`viewer.pet`)} /><p>${Y(f,a)}</p>`:p`<${Z} /><p class="quiet">${a(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${c(a(`viewers.bits`),t?.bits)}
      ${c(a(`viewers.messages`),t?.messages)}
      ${c(a(`viewer.raiders`),t?.raiders)}
      ${c(a(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${_}`}>
      ${d(`wallet`,a(`viewer.wallet`),p`<p class="big" title=${a.number(e.wallet)}>${a.compact(e.wallet,1e9)}</p>
        ${r?.length>1&&p`<${H} changes=${r} />`}
        ${u&&p`<p class="quiet last">
          <b>${v}${a.number(u.amount)}</b> <span dir="auto">${I(u,a)}</span>${` `}
          ${a.ago(u.created_at)}
        </p>`}`)}
      ${s&&l.length>0&&d(`items`,a(`viewer.items`),p`<ul class="chips">
          ${l.slice(0,m).map(([e,t])=>p`<li key=${e} title=${e}>
            <${j} name=${e} /><span dir="auto">${e}</span> <b>×${a.compact(t)}</b>
          </li>`)}
          ${g>0&&p`<li class="quiet">${a(`gaps.more`,{many:g})}</li>`}
        </ul>`)}
      ${s?.length>0&&d(`purchases`,a(`viewer.purchases`),p`<ul class="last-purchases">
          ${s.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>p`<li
            key=${e}>
            <${j} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?a(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${a.time(r)}>${a.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function te({user:e,changes:i,reload:o}){let{client:s,say:c}=n(),l=`/users/${e.user_id}/transactions`,h=m(`${l}?limit=20`),[_,v]=d(null),[y,x]=d(null),[S,C]=d(0),[w,T]=d(e.wallet);f(()=>{w!==e.wallet&&h.reload(),T(e.wallet)},[e.wallet]);let E=async({amount:t,description:n},r=!1)=>{let i=Number(t);if(v(null),i===0)throw Error(c(`wallet.zero`));if(i<0&&e.wallet+i<0&&!r)return v({amount:t,description:n}),null;await s.post(l,{amount:i,description:n}),r&&C(S+1),o()},D=({amount:t})=>e.wallet+Number(t),O=[{name:`amount`,label:c(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1},{name:`description`,label:c(`wallet.reason`),required:!0,pattern:u,maxlength:200}],k={label:c(`wallet.amount`),className:`amount`},A=[c(`when`),c(`wallet.reason`),k];return p`<div class="two wallet">
      <section class="card" aria-label=${c(`wallet.curve`)}>
        <h2>${c(`wallet.curve`)}</h2>
        ${i?.length>0?p`<${U} changes=${i} />`:p`<p class="quiet">${c(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${c(`wallet.adjust`)}</h2>
        <p class="big balance">${c.number(e.wallet)}</p>
        <div onInput=${()=>v(null)}>
          <${b} key=${S} submit=${c(`wallet.adjust`)} send=${E} fields=${O} />
        </div>
        ${_&&p`<p role="alert">${c(`wallet.overdraft`,{balance:D(_)})}</p>
          <${g} class="danger" onClick=${()=>E(_,!0).then(()=>x(null),x)}>
            ${c(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>v(null)}>${c(`cancel`)}</button>`}
        <${a} error=${y} />
      </section>
    </div>
    ${(h.records.length>0||h.error)&&p`<section class="card">
      <h2>${c(`wallet.transactions`)}</h2>
      <div class="transactions"><${t} label=${c(`wallet.transactions`)} columns=${A}>
        ${h.records.map(e=>p`<tr key=${e.transaction_id}>
          <td class="when">${c.time(e.created_at)}</td>
          <td><${L} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${c.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${r} list=${h} />
    </section>`}`}const ne=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],re=[`timeline`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function ie(e){let{client:t,subscribe:r}=n(),i=h(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=h(()=>x(t,e),e,3e4);return f(()=>r(({data:t})=>t?.user_id===Number(e)&&(i.reload(),o())),[e]),{...i,figures:a}}function ae({id:e}){let{say:t}=n(),{value:r,figures:i,error:o,reload:s}=ie(e);return r?p`<${oe} id=${e} user=${r} figures=${i} error=${o} reload=${s} />`:o?p`<h1>${t(`viewer.title`)}</h1><${a} error=${o} onRetry=${s} />`:p`<${c} rows=${6} />`}function oe({id:e,user:t,figures:r,error:i,reload:s}){let{client:c,say:l}=n();D(t.name);let u=ee(t),[f,m]=d(null),h=O(t),g=()=>se(c,t).then(()=>m(null),m),[_,v]=d(!1),y=Object.fromEntries(re.map(e=>[e,l(`viewer.${e}`)])),b=h&&p` <span class="mark-anonymized">${l(`privacy.is_anonymized`)}</span>`;return p`<p class="back"><a href="#/viewers">${l(`viewer.all`)}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${b}</h1>
        <p class="quiet">${$(t,r,l).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!h&&p`<${q} user=${t} />`}
        <button onClick=${g}>${l(`export`)}</button>
        <button class="bad" onClick=${()=>v(!0)}>${l(`delete`)}…</button>
      </div>
    </div>
    ${_&&p`<${A} user=${t} onClose=${()=>v(!1)}
      onDone=${()=>location.hash=`#/viewers`} />`}
    <${a} error=${f??i} onRetry=${f?null:s} />
    <${Q} user=${t} figures=${r} changes=${u} />
    <${o} label=${l(`viewer.title`)} names=${y}>
      ${n=>p`${n===`timeline`&&p`<${ce} id=${e} />`}
        ${n===`wallet`&&p`<${te} user=${t} changes=${u} reload=${s} />`}
        ${n===`purchases`&&p`<${le} id=${e} />`}
        ${n===`items`&&p`<${G} user=${t} reload=${s} />`}
        ${n===`pet`&&p`<${X} user=${t} reload=${s} />`}
        ${n===`privacy`&&p`<${k} user=${t} isAnonymized=${h} reload=${s} />`}`}
    <//>`}function $(e,t,n){let{sub:r,seen:i}=t??{};return[r&&n(`viewer.sub`,{tier:String(r.tier),months:r.subscribed_length}),n(`viewer.since`,{date:n.date(C(e,t))}),i&&n(`viewer.seen`,{ago:n.ago(i)})].filter(Boolean)}async function se(e,t){let n=t.user_id,r={user:t};for(let t of ne){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function ce({id:e}){let{say:t}=n(),a=i(()=>Object.assign(t=>t.user_id===Number(e),{key:e}),[e]),o=E({paths:i(()=>[`/users/${e}/events?`],[e]),matches:a});return p`<${y} chunks=${o.chunks} newIds=${o.newIds} label=${t(`viewer.timeline`)} />
    ${o.size===0&&!o.busy&&!o.error&&p`<${s}>${t(`viewer.no_events`)}<//>`}
    <${r} list=${o} scrolls />`}function le({id:e}){let{say:t}=n();return p`<${M} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${s}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{ae as Viewer};