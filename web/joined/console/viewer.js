
import{A as e,B as t,C as n,D as r,E as i,G as a,M as o,N as s,P as c,R as l,U as u,W as d,_ as f,b as p,g as m,t as h,u as g,v as _,w as v,x as y,z as b}from"./common.js";import{i as x,n as S,o as C,r as w,t as T}from"./pet-drawing.js";import{t as E}from"./follow.js";import{n as D}from"./privacy-words.js";import{r as O,t as k}from"./privacy.js";import{n as A,t as j}from"./purchases.js";import{E as M}from"./first.js";const N=e=>`#/data?${new URLSearchParams(e)}`,P={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>N({resource:`purchases`,open:e}),transfers:e=>N({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function F({transaction:{amount:e,cause:t,reference:n,description:r}}){let{say:i}=l(),[o,s]=(t??``).split(`/`),c=P[o],u=/^events\/(\d{1,16})$/.exec(n??``)?.[1];if(!c||!s)return a`<span dir="auto">${r}</span>${t&&a` <code>${t}</code>`}`;let d=o===`purchases`&&e>0?`cause.refund`:`cause.${o}`;return a`<a href=${c(s)} dir="auto">${i(d,{name:r})}</a>
    ${u&&a` · <a href=${N({resource:`events`,open:u})}>${i(`cause.event`)}</a>`}`}const I=[`rules`,`purchases`,`transfers`],L=({cause:e})=>I.find(t=>e?.startsWith(`${t}/`))??`other`;function R(e){let{client:t}=l(),n=`/users/${e.user_id}/transactions`;return m(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:L(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`).value}function z(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function B({line:e,area:t,zero:n}){return a`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const V=({changes:e})=>a`<div class="balance-curve small"><${B} ...${z(e)} /></div>`;function H({changes:e}){let{say:n}=l(),[r,i]=b(e.length-1);t(()=>i(e.length-1),[e]);let{points:o,...s}=z(e),c=Math.min(r,e.length-1),{transaction:u,balance:d,kind:f}=e[c],p=`${u.amount>0?`+`:``}${n.number(u.amount)}`,m=`${p} · ${u.description}`,h=n(`wallet.after`,{balance:d,time:n.time(u.created_at)}),g=t=>i(Math.max(0,Math.min(e.length-1,t))),_=t=>{let n={ArrowLeft:c-1,ArrowRight:c+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),g(n))},v=({currentTarget:e,clientX:t})=>{let{left:n,width:r}=e.getBoundingClientRect(),a=(t-n)/r*100,s=o.map(({x:e})=>Math.abs(e-a));i(s.lastIndexOf(Math.min(...s)))},y=[...I,`other`].filter(t=>e.some(e=>e.kind===t));return a`<div class="balance-curve" role="slider" tabindex="0" aria-label=${n(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${c+1} aria-valuetext=${`${m}. ${h}`}
      onKeyDown=${_} onPointerMove=${v}>
      <${B} ...${s} />
      ${o.map(({x:t,y:n},r)=>a`<i class=${`${e[r].kind}${r===c?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    <p class="balance-change"><strong class=${f}>${p}</strong>${` `}
      <${F} transaction=${u} /> <span class="quiet">${h}</span></p>
    <p class="legend">${y.map(e=>a`<span><i class=${e}></i>${n(`wallet.kind.${e}`)}</span>`)}</p>`}function U(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function W({user:e,reload:t}){let{client:n,say:i}=l(),[c,u]=b(null),d=`/users/${e.user_id}/inventory`,m=f(`${d}?active=false&limit=20`),g=()=>{u(null),t(),m.reload()},v=async({name:e,quantity:r})=>{await n.post(d,{name:e,quantity:Number(r)}),t()},x=e=>e.then(()=>(h(),g()),u),S=({item_id:e},t)=>x(n.patch(`/inventory/${e}`,{used_at:t})),C=async({item_id:e})=>{let t=`/inventory/${e}`,{data:r,etag:i}=await n.request(`GET`,t),{name:a,metadata:o,quantity:s}=r,c=await n.post(d,{name:a,metadata:o,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await n.patch(t,{quantity:s-1},{ifMatch:i})}catch(e){throw e.status<500&&await n.delete(`/inventory/${c.item_id}`),e}},w=e.inventory.reduce((e,{quantity:t})=>e+t,0),T=[{name:`name`,label:i(`items.item`),required:!0,pattern:y,maxlength:200},{name:`quantity`,label:i(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return a`<div class="two">
    <section class="card">
      <h2>${i(`items.title`)} ${w>0&&a`<span class="quiet">${i.number(w)}</span>`}</h2>
      ${w===0&&a`<p class="quiet">${i(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>a`<li class="usable" key=${e.item_id}>
          <${A} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${i.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&a`<${r} class="quiet" onClick=${()=>x(C(e))}
              aria-label=${i(`items.use_one_of`,{name:e.name})}>${i(`items.use_one`)}<//>`}
            <${r} class="quiet" onClick=${()=>S(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${i(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${i(`items.use`,{many:e.quantity})}<//>
            <${_} label=${i(`items.take`)} description=${i(`items.take_of`,{name:e.name})}
              question=${i(`items.take_sure`,{many:e.quantity})}
              act=${()=>x(n.delete(`/inventory/${e.item_id}`))} />
          </div>
        </li>`)}
      </ul>
      ${m.records.length>0&&a`<h3>${i(`items.used`)}</h3>
        <ul class="things used">
          ${m.records.map(e=>a`<li key=${e.item_id}>
            <${A} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${i.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${i.time(e.used_at)}>${i.ago(e.used_at)}</time>
            <${r} class="quiet" onClick=${()=>S(e,null)}
              aria-label=${i(`items.return_of`,{name:e.name})}>${i(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${o} list=${m} />
      <${s} error=${c} />
    </section>
    <section class="card">
      <h2>${i(`items.give`)}</h2>
      <${p} submit=${i(`items.give`)} send=${v} fields=${T} />
    </section>
  </div>`}const G=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function K({user:e}){let{client:t,say:n}=l(),[i,o]=b(!1),s=u(!1),[c,d]=b(null),[f,p]=b(null);return a`<${r} onClick=${async()=>{if(!s.current){if(f)o(!0);else{s.current=!0,d(null);try{let r=n(`link.token`,{name:e.name}).slice(0,100);p(await t.post(`/tokens`,{name:r,user_id:e.user_id}))}catch(e){d(e)}o(!0),s.current=!1}}}}>${n(`link.make`)}<//>
    ${i&&a`<${q} user=${e} created=${f} error=${c} onClose=${()=>o(!1)} />`}`}function q({user:e,created:t,error:n,onClose:r}){let{say:o,signOut:c}=l(),[d,f]=b(``),p=u(null),m=t&&`${M}/viewer/#user=${e.user_id}&token=${t.token}`,h=t?.expires_at;return a`<${i} title=${o(`link.of`,{name:e.name})} className="link-question" onClose=${r}>
    <${s} error=${n} />
    ${m&&a`<p>${o(`link.how`)}${` `}
        ${G.test(location.hostname)?a`<strong>${o(`link.local`)}</strong>`:o(`link.only`)}</p>
      <label class="field"><span>${o(`link.address`)}</span><input readonly value=${m} ref=${p} /></label>
      <p class="bar"><button class="main" onClick=${()=>navigator.clipboard.writeText(m).then(()=>f(`copied`),()=>(p.current.select(),f(`twitch.copy_failed`)))}>${o(`copy`)}</button>
        <a class="button" href=${m} target="_blank" rel="noopener">${o(`link.open`)}</a>
        <span class="good" role="status">${d&&o(d)}</span></p>
      <p class="quiet">
        ${c?a`${h&&o(`link.until`,{date:o.date(h)})} ${o(`link.once`)}`:o(`link.unchecked`)}
      </p>`}
  <//>`}function J(e,t){let n=w(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function Y({user:e,reload:t}){let{client:n,say:i}=l(),[c,u]=b(null),d=f(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),p=()=>{u(null),t(),d.reload()},m=e=>e.then(p,u),h=`/users/${e.user_id}/specimen`,g=e.specimen,v=()=>m(n.patch(h,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),y=e=>m(n.patch(`/specimens/${e}`,{forgotten_at:null})),x=e=>i(`pet.from_to`,{from:i.date(e.born_at),to:i.date(e.forgotten_at)}),C=d.records.length===0&&!d.busy&&!d.error;return a`<div class="two">
    <section class="card own-pet">
      <h2>${i(`viewer.pet`)}</h2>
      ${g?a`<div class="meadow"><${T} pet=${g} label=${i(`viewer.pet`)} /></div>
            <p class="big">${J(g,i)}</p>
            <p class="quiet">${i(`pet.life.${S(w(g)).name}`)} ·${` `}
              ${i(`pet.born`,{date:i.time(g.born_at)})}</p>
            <${_} className="" label=${i(`pet.remove`)} question=${i(`pet.remove_sure`)}
              note=${i(`pet.remove_note`)} act=${v} />`:a`<p>${i(`pet.none`)}</p>
            <${r} class="main" onClick=${()=>m(n.post(h,{}))}>${i(`pet.give`)}<//>`}
      <${s} error=${c} />
    </section>
    <section class="card">
      <h2>${i(`pet.before`)}</h2>
      ${C&&a`<p class="quiet">${i(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${d.records.map(e=>a`<li key=${e.specimen_id}>
          <${T} pet=${e} label=${i(`viewer.pet`)} />
          <div>${i(`pet.lived`,{days:w(e)})}<p class="quiet">${x(e)}</p></div>
          ${!g&&a`<${r} class="quiet" onClick=${()=>y(e.specimen_id)}>${i(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${o} list=${d} />
    </section>
  </div>`}const X=()=>a`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function Z({user:e,figures:t,changes:n}){let{client:r,say:i,setParameters:o}=l(),{value:s}=m(()=>r.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),c=(e,t)=>a`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:i.compact(t,1e7)}</strong>
  </div>`,u=U(e.inventory),d=n?.[n.length-1]?.transaction,f=(e,t,n)=>a`<section class=${`card shown shown-${e}`}>
    <h2>${t} <button class="quiet" aria-label=${i(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>→</button></h2>
    ${n}
  </section>`,p=e.specimen,h=u.length-6,g=d?.amount>0?`+`:``;return a`<div class="showcase">
    ${f(`pet`,i(`viewer.pet`),p?a`<${T} pet=${p} label=${i(`viewer.pet`)} /><p>${J(p,i)}</p>`:a`<${X} /><p class="quiet">${i(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${c(i(`viewers.bits`),t?.bits)}
      ${c(i(`viewers.messages`),t?.messages)}
      ${c(i(`viewer.raiders`),t?.raiders)}
      ${c(i(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${u.length>0?`many`:``}`}>
      ${f(`wallet`,i(`viewer.wallet`),a`<p class="big" title=${i.number(e.wallet)}>${i.compact(e.wallet,1e9)}</p>
        ${n?.length>1&&a`<${V} changes=${n} />`}
        ${d&&a`<p class="quiet last">
          <b>${g}${i.number(d.amount)}</b> <span dir="auto">${d.description}</span>${` `}
          ${i.ago(d.created_at)}
        </p>`}`)}
      ${s&&u.length>0&&f(`items`,i(`viewer.items`),a`<ul class="chips">
          ${u.slice(0,6).map(([e,t])=>a`<li key=${e} title=${e}>
            <${A} name=${e} /><span dir="auto">${e}</span> <b>×${i.compact(t)}</b>
          </li>`)}
          ${h>0&&a`<li class="quiet">${i(`gaps.more`,{many:h})}</li>`}
        </ul>`)}
      ${s?.length>0&&f(`purchases`,i(`viewer.purchases`),a`<ul class="last-purchases">
          ${s.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>a`<li
            key=${e}>
            <${A} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?i(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${i.time(r)}>${i.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function Q({user:e,changes:i,reload:c}){let{client:u,say:d}=l(),m=`/users/${e.user_id}/transactions`,h=f(`${m}?limit=20`),[g,_]=b(null),[v,x]=b(null),[S,C]=b(0),[w,T]=b(e.wallet);t(()=>{w!==e.wallet&&h.reload(),T(e.wallet)},[e.wallet]);let E=async({amount:t,description:n},r=!1)=>{let i=Number(t);if(_(null),i===0)throw Error(d(`wallet.zero`));if(i<0&&e.wallet+i<0&&!r)return _({amount:t,description:n}),null;await u.post(m,{amount:i,description:n}),r&&C(S+1),c()},D=({amount:t})=>e.wallet+Number(t),O=[{name:`amount`,label:d(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1},{name:`description`,label:d(`wallet.reason`),required:!0,pattern:y,maxlength:200}],k={label:d(`wallet.amount`),className:`amount`},A=[d(`when`),d(`wallet.reason`),k];return a`<div class="two wallet">
      <section class="card" aria-label=${d(`wallet.curve`)}>
        <h2>${d(`wallet.curve`)}</h2>
        ${i?.length>0?a`<${H} changes=${i} />`:a`<p class="quiet">${d(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${d(`wallet.adjust`)}</h2>
        <p class="big balance">${d.number(e.wallet)}</p>
        <div onInput=${()=>_(null)}>
          <${p} key=${S} submit=${d(`wallet.adjust`)} send=${E} fields=${O} />
        </div>
        ${g&&a`<p role="alert">${d(`wallet.overdraft`,{balance:D(g)})}</p>
          <${r} class="danger" onClick=${()=>E(g,!0).then(()=>x(null),x)}>
            ${d(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>_(null)}>${d(`cancel`)}</button>`}
        <${s} error=${v} />
      </section>
    </div>
    ${(h.records.length>0||h.error)&&a`<section class="card">
      <h2>${d(`wallet.transactions`)}</h2>
      <div class="transactions"><${n} label=${d(`wallet.transactions`)} columns=${A}>
        ${h.records.map(e=>a`<tr key=${e.transaction_id}>
          <td class="when">${d.time(e.created_at)}</td>
          <td><${F} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${d.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${o} list=${h} />
    </section>`}`}const $=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],ee=[`timeline`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function te(e){let{client:n,subscribe:r}=l(),i=m(()=>n.get(`/users/${e}`),e,5e3),{value:a,reload:o}=m(()=>x(n,e),e,3e4);return t(()=>r(({data:t})=>t?.user_id===Number(e)&&(i.reload(),o())),[e]),{...i,figures:a}}function ne({id:e}){let{say:t}=l(),{value:n,figures:r,error:i,reload:o}=te(e);return n?a`<${re} id=${e} user=${n} figures=${r} error=${i} reload=${o} />`:i?a`<h1>${t(`viewer.title`)}</h1><${s} error=${i} onRetry=${o} />`:a`<${c} rows=${6} />`}function re({id:e,user:t,figures:n,error:r,reload:i}){let{client:o,say:c}=l(),u=R(t),[d,f]=b(null),p=D(t),m=()=>ae(o,t).then(()=>f(null),f),[h,g]=b(!1),_=Object.fromEntries(ee.map(e=>[e,c(`viewer.${e}`)])),y=p&&a` <span class="mark-anonymized">${c(`privacy.is_anonymized`)}</span>`;return a`<div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${y}</h1>
        <p class="quiet">${ie(t,n,c).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!p&&a`<${K} user=${t} />`}
        <button onClick=${m}>${c(`export`)}</button>
        <button class="bad" onClick=${()=>g(!0)}>${c(`delete`)}…</button>
      </div>
    </div>
    ${h&&a`<${k} user=${t} onClose=${()=>g(!1)}
      onDone=${()=>location.hash=`#/viewers`} />`}
    <${s} error=${d??r} onRetry=${d?null:i} />
    <${Z} user=${t} figures=${n} changes=${u} />
    <${v} label=${c(`viewer.title`)} names=${_}>
      ${n=>a`${n===`timeline`&&a`<${oe} id=${e} />`}
        ${n===`wallet`&&a`<${Q} user=${t} changes=${u} reload=${i} />`}
        ${n===`purchases`&&a`<${se} id=${e} />`}
        ${n===`items`&&a`<${W} user=${t} reload=${i} />`}
        ${n===`pet`&&a`<${Y} user=${t} reload=${i} />`}
        ${n===`privacy`&&a`<${O} user=${t} isAnonymized=${p} reload=${i} />`}`}
    <//>`}function ie(e,t,n){let{sub:r,seen:i}=t??{};return[r&&n(`viewer.sub`,{tier:String(r.tier),months:r.subscribed_length}),n(`viewer.since`,{date:n.date(C(e,t))}),i&&n(`viewer.seen`,{ago:n.ago(i)})].filter(Boolean)}async function ae(e,t){let n=t.user_id,r={user:t};for(let t of $){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function oe({id:t}){let{say:n}=l(),r=d(()=>Object.assign(e=>e.user_id===Number(t),{key:t}),[t]),i=E({paths:d(()=>[`/users/${t}/events?`],[t]),matches:r});return a`<${g} chunks=${i.chunks} newIds=${i.newIds} label=${n(`viewer.timeline`)} />
    ${i.size===0&&!i.busy&&!i.error&&a`<${e}>${n(`viewer.no_events`)}<//>`}
    <${o} list=${i} scrolls />`}function se({id:t}){let{say:n}=l();return a`<${j} path=${`/users/${t}/purchases?limit=20`} matches=${({user_id:e})=>e===Number(t)} label=${n(`viewer.purchases`)}>
    <${e}>${n(`viewer.no_purchases`)}<//>
  <//>`}export{ne as Viewer};