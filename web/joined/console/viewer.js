
import{$ as e,A as t,B as n,D as r,E as i,H as a,I as o,J as s,L as c,N as l,O as u,P as d,U as f,W as p,X as m,Y as h,et as g,j as _,t as v,tt as y,u as b}from"./common.js";import{i as x,n as S,o as C,r as w,t as T}from"./pet-drawing.js";import{t as E}from"./follow.js";import{n as D}from"./privacy-words.js";import{r as O,t as k}from"./privacy.js";import{n as A,t as j}from"./purchases.js";import{g as M}from"./first.js";const N=e=>`#/data?${new URLSearchParams(e)}`,P={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>N({resource:`purchases`,open:e}),transfers:e=>N({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function F({transaction:{amount:e,cause:t,reference:n,description:r}}){let{say:i}=s(),[a,o]=(t??``).split(`/`),c=P[a],l=/^events\/(\d{1,16})$/.exec(n??``)?.[1];if(!c||!o)return y`<span dir="auto">${r}</span>${t&&y` <code>${t}</code>`}`;let u=a===`purchases`&&e>0?`cause.refund`:`cause.${a}`;return y`<a href=${c(o)} dir="auto">${i(u,{name:r})}</a>
    ${l&&y` · <a href=${N({resource:`events`,open:l})}>${i(`cause.event`)}</a>`}`}const I=[`rules`,`purchases`,`transfers`],L=({cause:e})=>I.find(t=>e?.startsWith(`${t}/`))??`other`;function R(e){let{client:t}=s(),n=`/users/${e.user_id}/transactions`;return i(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:L(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`).value}function z(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function B({line:e,area:t,zero:n}){return y`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const V=({changes:e})=>y`<div class="balance-curve small"><${B} ...${z(e)} /></div>`;function H({changes:e}){let{say:t}=s(),[n,r]=h(e.length-1);m(()=>r(e.length-1),[e]);let{points:i,...a}=z(e),o=Math.min(n,e.length-1),{transaction:c,balance:l,kind:u}=e[o],d=`${c.amount>0?`+`:``}${t.number(c.amount)}`,f=`${d} · ${c.description}`,p=t(`wallet.after`,{balance:l,time:t.time(c.created_at)}),g=t=>r(Math.max(0,Math.min(e.length-1,t))),_=t=>{let n={ArrowLeft:o-1,ArrowRight:o+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),g(n))},v=({currentTarget:e,clientX:t})=>{let{left:n,width:a}=e.getBoundingClientRect(),o=(t-n)/a*100,s=i.map(({x:e})=>Math.abs(e-o));r(s.lastIndexOf(Math.min(...s)))},b=[...I,`other`].filter(t=>e.some(e=>e.kind===t));return y`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${o+1} aria-valuetext=${`${f}. ${p}`}
      onKeyDown=${_} onPointerMove=${v}>
      <${B} ...${a} />
      ${i.map(({x:t,y:n},r)=>y`<i class=${`${e[r].kind}${r===o?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    <p class="balance-change"><strong class=${u}>${d}</strong>${` `}
      <${F} transaction=${c} /> <span class="quiet">${p}</span></p>
    <p class="legend">${b.map(e=>y`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`)}</p>`}function U(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function W({user:e,reload:n}){let{client:i,say:o}=s(),[l,d]=h(null),p=`/users/${e.user_id}/inventory`,m=r(`${p}?active=false&limit=20`),g=()=>{d(null),n(),m.reload()},b=async({name:e,quantity:t})=>{await i.post(p,{name:e,quantity:Number(t)}),n()},x=e=>e.then(()=>(v(),g()),d),S=({item_id:e},t)=>x(i.patch(`/inventory/${e}`,{used_at:t})),C=async({item_id:e})=>{let t=`/inventory/${e}`,{data:n,etag:r}=await i.request(`GET`,t),{name:a,metadata:o,quantity:s}=n,c=await i.post(p,{name:a,metadata:o,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await i.patch(t,{quantity:s-1},{ifMatch:r})}catch(e){throw e.status<500&&await i.delete(`/inventory/${c.item_id}`),e}},w=e.inventory.reduce((e,{quantity:t})=>e+t,0),T=[{name:`name`,label:o(`items.item`),required:!0,pattern:_,maxlength:200},{name:`quantity`,label:o(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return y`<div class="two">
    <section class="card">
      <h2>${o(`items.title`)} ${w>0&&y`<span class="quiet">${o.number(w)}</span>`}</h2>
      ${w===0&&y`<p class="quiet">${o(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>y`<li class="usable" key=${e.item_id}>
          <${A} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${o.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&y`<${c} class="quiet" onClick=${()=>x(C(e))}
              aria-label=${o(`items.use_one_of`,{name:e.name})}>${o(`items.use_one`)}<//>`}
            <${c} class="quiet" onClick=${()=>S(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${o(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${o(`items.use`,{many:e.quantity})}<//>
            <${u} label=${o(`items.take`)} description=${o(`items.take_of`,{name:e.name})}
              question=${o(`items.take_sure`,{many:e.quantity})}
              act=${()=>x(i.delete(`/inventory/${e.item_id}`))} />
          </div>
        </li>`)}
      </ul>
      ${m.records.length>0&&y`<h3>${o(`items.used`)}</h3>
        <ul class="things used">
          ${m.records.map(e=>y`<li key=${e.item_id}>
            <${A} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${o.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${o.time(e.used_at)}>${o.ago(e.used_at)}</time>
            <${c} class="quiet" onClick=${()=>S(e,null)}
              aria-label=${o(`items.return_of`,{name:e.name})}>${o(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${a} list=${m} />
      <${f} error=${l} />
    </section>
    <section class="card">
      <h2>${o(`items.give`)}</h2>
      <${t} submit=${o(`items.give`)} send=${b} fields=${T} />
    </section>
  </div>`}const G=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function K({user:t}){let{client:n,say:r}=s(),[i,a]=h(!1),o=e(!1),[l,u]=h(null),[d,f]=h(null);return y`<${c} onClick=${async()=>{if(!o.current){if(d)a(!0);else{o.current=!0,u(null);try{let e=r(`link.token`,{name:t.name}).slice(0,100);f(await n.post(`/tokens`,{name:e,user_id:t.user_id}))}catch(e){u(e)}a(!0),o.current=!1}}}}>${r(`link.make`)}<//>
    ${i&&y`<${q} user=${t} created=${d} error=${l} onClose=${()=>a(!1)} />`}`}function q({user:t,created:n,error:r,onClose:i}){let{say:a,signOut:c}=s(),[l,u]=h(``),d=e(null),p=n&&`${M}/viewer/#user=${t.user_id}&token=${n.token}`,m=n?.expires_at;return y`<${o} title=${a(`link.of`,{name:t.name})} className="link-question" onClose=${i}>
    <${f} error=${r} />
    ${p&&y`<p>${a(`link.how`)}${` `}
        ${G.test(location.hostname)?y`<strong>${a(`link.local`)}</strong>`:a(`link.only`)}</p>
      <label class="field"><span>${a(`link.address`)}</span><input readonly value=${p} ref=${d} /></label>
      <p class="bar"><button class="main" onClick=${()=>navigator.clipboard.writeText(p).then(()=>u(`copied`),()=>(d.current.select(),u(`twitch.copy_failed`)))}>${a(`copy`)}</button>
        <a class="button" href=${p} target="_blank" rel="noopener">${a(`link.open`)}</a>
        <span class="good" role="status">${l&&a(l)}</span></p>
      <p class="quiet">
        ${c?y`${m&&a(`link.until`,{date:a.date(m)})} ${a(`link.once`)}`:a(`link.unchecked`)}
      </p>`}
  <//>`}function J(e,t){let n=w(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function Y({user:e,reload:t}){let{client:n,say:i}=s(),[o,l]=h(null),d=r(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),p=()=>{l(null),t(),d.reload()},m=e=>e.then(p,l),g=`/users/${e.user_id}/specimen`,_=e.specimen,v=()=>m(n.patch(g,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),b=e=>m(n.patch(`/specimens/${e}`,{forgotten_at:null})),x=e=>i(`pet.from_to`,{from:i.date(e.born_at),to:i.date(e.forgotten_at)}),C=d.records.length===0&&!d.busy&&!d.error;return y`<div class="two">
    <section class="card own-pet">
      <h2>${i(`viewer.pet`)}</h2>
      ${_?y`<div class="meadow"><${T} pet=${_} label=${i(`viewer.pet`)} /></div>
            <p class="big">${J(_,i)}</p>
            <p class="quiet">${i(`pet.life.${S(w(_)).name}`)} ·${` `}
              ${i(`pet.born`,{date:i.time(_.born_at)})}</p>
            <${u} className="" label=${i(`pet.remove`)} question=${i(`pet.remove_sure`)}
              note=${i(`pet.remove_note`)} act=${v} />`:y`<p>${i(`pet.none`)}</p>
            <${c} class="main" onClick=${()=>m(n.post(g,{}))}>${i(`pet.give`)}<//>`}
      <${f} error=${o} />
    </section>
    <section class="card">
      <h2>${i(`pet.before`)}</h2>
      ${C&&y`<p class="quiet">${i(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${d.records.map(e=>y`<li key=${e.specimen_id}>
          <${T} pet=${e} label=${i(`viewer.pet`)} />
          <div>${i(`pet.lived`,{days:w(e)})}<p class="quiet">${x(e)}</p></div>
          ${!_&&y`<${c} class="quiet" onClick=${()=>b(e.specimen_id)}>${i(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${a} list=${d} />
    </section>
  </div>`}const X=()=>y`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function Z({user:e,figures:t,changes:n}){let{client:r,say:a,setParameters:o}=s(),{value:c}=i(()=>r.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),l=(e,t)=>y`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:a.compact(t,1e7)}</strong>
  </div>`,u=U(e.inventory),d=n?.[n.length-1]?.transaction,f=(e,t,n)=>y`<section class=${`card shown shown-${e}`}>
    <h2>${t} <button class="quiet" aria-label=${a(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>→</button></h2>
    ${n}
  </section>`,p=e.specimen,m=u.length-6,h=d?.amount>0?`+`:``;return y`<div class="showcase">
    ${f(`pet`,a(`viewer.pet`),p?y`<${T} pet=${p} label=${a(`viewer.pet`)} /><p>${J(p,a)}</p>`:y`<${X} /><p class="quiet">${a(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${l(a(`viewers.bits`),t?.bits)}
      ${l(a(`viewers.messages`),t?.messages)}
      ${l(a(`viewer.raiders`),t?.raiders)}
      ${l(a(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${u.length>0?`many`:``}`}>
      ${f(`wallet`,a(`viewer.wallet`),y`<p class="big" title=${a.number(e.wallet)}>${a.compact(e.wallet,1e9)}</p>
        ${n?.length>1&&y`<${V} changes=${n} />`}
        ${d&&y`<p class="quiet last">
          <b>${h}${a.number(d.amount)}</b> <span dir="auto">${d.description}</span>${` `}
          ${a.ago(d.created_at)}
        </p>`}`)}
      ${c&&u.length>0&&f(`items`,a(`viewer.items`),y`<ul class="chips">
          ${u.slice(0,6).map(([e,t])=>y`<li key=${e} title=${e}>
            <${A} name=${e} /><span dir="auto">${e}</span> <b>×${a.compact(t)}</b>
          </li>`)}
          ${m>0&&y`<li class="quiet">${a(`gaps.more`,{many:m})}</li>`}
        </ul>`)}
      ${c?.length>0&&f(`purchases`,a(`viewer.purchases`),y`<ul class="last-purchases">
          ${c.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>y`<li
            key=${e}>
            <${A} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?a(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${a.time(r)}>${a.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function Q({user:e,changes:n,reload:i}){let{client:o,say:u}=s(),d=`/users/${e.user_id}/transactions`,p=r(`${d}?limit=20`),[g,v]=h(null),[b,x]=h(null),[S,C]=h(0),[w,T]=h(e.wallet);m(()=>{w!==e.wallet&&p.reload(),T(e.wallet)},[e.wallet]);let E=async({amount:t,description:n},r=!1)=>{let a=Number(t);if(v(null),a===0)throw Error(u(`wallet.zero`));if(a<0&&e.wallet+a<0&&!r)return v({amount:t,description:n}),null;await o.post(d,{amount:a,description:n}),r&&C(S+1),i()},D=({amount:t})=>e.wallet+Number(t),O=[{name:`amount`,label:u(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1},{name:`description`,label:u(`wallet.reason`),required:!0,pattern:_,maxlength:200}],k={label:u(`wallet.amount`),className:`amount`},A=[u(`when`),u(`wallet.reason`),k];return y`<div class="two wallet">
      <section class="card" aria-label=${u(`wallet.curve`)}>
        <h2>${u(`wallet.curve`)}</h2>
        ${n?.length>0?y`<${H} changes=${n} />`:y`<p class="quiet">${u(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${u(`wallet.adjust`)}</h2>
        <p class="big balance">${u.number(e.wallet)}</p>
        <div onInput=${()=>v(null)}>
          <${t} key=${S} submit=${u(`wallet.adjust`)} send=${E} fields=${O} />
        </div>
        ${g&&y`<p role="alert">${u(`wallet.overdraft`,{balance:D(g)})}</p>
          <${c} class="danger" onClick=${()=>E(g,!0).then(()=>x(null),x)}>
            ${u(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>v(null)}>${u(`cancel`)}</button>`}
        <${f} error=${b} />
      </section>
    </div>
    ${(p.records.length>0||p.error)&&y`<section class="card">
      <h2>${u(`wallet.transactions`)}</h2>
      <div class="transactions"><${l} label=${u(`wallet.transactions`)} columns=${A}>
        ${p.records.map(e=>y`<tr key=${e.transaction_id}>
          <td class="when">${u.time(e.created_at)}</td>
          <td><${F} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${u.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${a} list=${p} />
    </section>`}`}const $=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],ee=[`timeline`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function te(e){let{client:t,subscribe:n}=s(),r=i(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=i(()=>x(t,e),e,3e4);return m(()=>n(({data:t})=>t?.user_id===Number(e)&&(r.reload(),o())),[e]),{...r,figures:a}}function ne({id:e}){let{say:t}=s(),{value:n,figures:r,error:i,reload:a}=te(e);return n?y`<${re} id=${e} user=${n} figures=${r} error=${i} reload=${a} />`:i?y`<h1>${t(`viewer.title`)}</h1><${f} error=${i} onRetry=${a} />`:y`<${p} rows=${6} />`}function re({id:e,user:t,figures:n,error:r,reload:i}){let{client:a,say:o}=s(),c=R(t),[l,u]=h(null),p=D(t),m=()=>ae(a,t).then(()=>u(null),u),[g,_]=h(!1),v=Object.fromEntries(ee.map(e=>[e,o(`viewer.${e}`)])),b=p&&y` <span class="mark-anonymized">${o(`privacy.is_anonymized`)}</span>`;return y`<div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${b}</h1>
        <p class="quiet">${ie(t,n,o).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!p&&y`<${K} user=${t} />`}
        <button onClick=${m}>${o(`export`)}</button>
        <button class="bad" onClick=${()=>_(!0)}>${o(`delete`)}…</button>
      </div>
    </div>
    ${g&&y`<${k} user=${t} onClose=${()=>_(!1)}
      onDone=${()=>location.hash=`#/viewers`} />`}
    <${f} error=${l??r} onRetry=${l?null:i} />
    <${Z} user=${t} figures=${n} changes=${c} />
    <${d} label=${o(`viewer.title`)} names=${v}>
      ${n=>y`${n===`timeline`&&y`<${oe} id=${e} />`}
        ${n===`wallet`&&y`<${Q} user=${t} changes=${c} reload=${i} />`}
        ${n===`purchases`&&y`<${se} id=${e} />`}
        ${n===`items`&&y`<${W} user=${t} reload=${i} />`}
        ${n===`pet`&&y`<${Y} user=${t} reload=${i} />`}
        ${n===`privacy`&&y`<${O} user=${t} isAnonymized=${p} reload=${i} />`}`}
    <//>`}function ie(e,t,n){let{sub:r,seen:i}=t??{};return[r&&n(`viewer.sub`,{tier:String(r.tier),months:r.subscribed_length}),n(`viewer.since`,{date:n.date(C(e,t))}),i&&n(`viewer.seen`,{ago:n.ago(i)})].filter(Boolean)}async function ae(e,t){let n=t.user_id,r={user:t};for(let t of $){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function oe({id:e}){let{say:t}=s(),r=g(()=>Object.assign(t=>t.user_id===Number(e),{key:e}),[e]),i=E({paths:g(()=>[`/users/${e}/events?`],[e]),matches:r});return y`<${b} chunks=${i.chunks} newIds=${i.newIds} label=${t(`viewer.timeline`)} />
    ${i.size===0&&!i.busy&&!i.error&&y`<${n}>${t(`viewer.no_events`)}<//>`}
    <${a} list=${i} scrolls />`}function se({id:e}){let{say:t}=s();return y`<${j} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${n}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{ne as Viewer};