
import{r as e}from"./rows.js";import{i as t,n,o as r,r as i}from"./viewers.js";import{t as a}from"./follow.js";import{c as o,d as s,l as c,m as l,p as u,t as d,u as f,v as p,y as m}from"./forms.js";import{A as h,O as g,S as _,T as v,f as y,g as b,h as x,k as S,l as C,m as w,n as T,t as E,w as D}from"./common.js";import{n as O}from"./privacy.js";import{t as k}from"./purchases.js";import{t as A}from"./thing.js";import{O as j}from"./first.js";import{n as ee,r as M,t as N}from"./pet-drawing.js";const P=e=>`#/data?${new URLSearchParams(e)}`,F={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>P({resource:`purchases`,open:e}),transfers:e=>P({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function I({amount:e,cause:t,description:n},r){let[i,a]=(t??``).split(`/`);return!F[i]||!a?n:r(i===`purchases`&&e>0?`cause.refund`:`cause.${i}`,{name:n})}function L({transaction:e}){let{cause:t,reference:n,description:r}=e,{say:i}=_(),[a,o]=(t??``).split(`/`),s=F[a],c=/^events\/(\d{1,16})$/.exec(n??``)?.[1];return!s||!o?h`<span dir="auto">${r}</span>${t&&h` <code>${t}</code>`}`:h`<a href=${s(o)} dir="auto">${I(e,i)}</a>
    ${c&&h` · <a href=${P({resource:`events`,open:c})}>${i(`cause.event`)}</a>`}`}const R=[`rules`,`purchases`,`transfers`],z=({cause:e})=>R.find(t=>e?.startsWith(`${t}/`))??`other`;function B(e){let{client:t}=_(),n=`/users/${e.user_id}/transactions`;return E(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:z(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`)}function V(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function H({line:e,area:t,zero:n}){return h`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const U=({changes:e})=>h`<div class="balance-curve small"><${H} ...${V(e)} /></div>`;function W({changes:e}){let{say:t}=_(),[n,r]=D(e.length-1);v(()=>r(e.length-1),[e]);let{points:i,...a}=V(e),o=[e[0].balance-e[0].transaction.amount,...e.map(e=>e.balance)],s=[e[0],e[e.length-1]].map(e=>e.transaction.created_at),[c,l]=new Set(s.map(t.date)).size>1?s.map(t.date):s.map(t.clock),u=Math.min(n,e.length-1),{transaction:d,balance:f,kind:p}=e[u],m=`${d.amount>0?`+`:``}${t.number(d.amount)}`,g=`${m} · ${I(d,t)}`,y=t(`wallet.after`,{balance:f,time:t.time(d.created_at)}),b=t=>r(Math.max(0,Math.min(e.length-1,t))),x=t=>{let n={ArrowLeft:u-1,ArrowRight:u+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),b(n))},S=({currentTarget:e,clientX:t})=>{let{left:n,width:a}=e.getBoundingClientRect(),o=(t-n)/a*100,s=i.map(({x:e})=>Math.abs(e-o));r(s.lastIndexOf(Math.min(...s)))},C=[...R,`other`].filter(t=>e.some(e=>e.kind===t)),w=e=>h`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`;return h`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${u+1} aria-valuetext=${`${g}. ${y}`}
      onKeyDown=${x} onPointerMove=${S}>
      <${H} ...${a} />
      ${i.map(({x:t,y:n},r)=>h`<i class=${`${e[r].kind}${r===u?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    ${e.length>1&&h`<p class="balance-axis quiet"><span>${c}</span>
      <span>${t(`wallet.range`,{from:t.number(Math.min(...o)),to:t.number(Math.max(...o))})}</span>
      <span>${l}</span></p>`}
    <p class="balance-change"><strong class=${p}>${m}</strong>${` `}
      <${L} transaction=${d} /> <span class="quiet">${y}</span></p>
    <p class="legend">${C.map(w)}</p>`}function G(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function K({item:{item_id:e,name:t,quantity:n},act:r}){let{client:i,say:a}=_(),[s,l]=D(``),u=Number(s),d=async()=>{let t=`/inventory/${e}`,{data:n,etag:r}=await i.request(`GET`,t),a=n.quantity-u;return a>0?i.patch(t,{quantity:a},{ifMatch:r}):i.delete(t,{ifMatch:r})};return h`<${o} label=${a(`items.take`)} description=${a(`items.take_of`,{name:t})}
    onOpen=${()=>l(String(n))}
    note=${n>1&&h`<${c} label=${a(`items.quantity`)} type="number" min="1" max=${n} step="1" required
      value=${s} onInput=${e=>l(e.currentTarget.value)} />`}
    question=${a(`items.take_sure`,{many:u})} act=${()=>r(d())} />`}function q({user:e,reload:t}){let{client:n,say:r}=_(),[i,a]=D(null),o=`/users/${e.user_id}/inventory`,c=T(`${o}?active=false&limit=20`),{value:l}=E(()=>n.page(`/products`,{query:{limit:100}}),`items`),u=[...(l?.records??[]).map(e=>e.item_name),...e.inventory.map(e=>e.name)],d=()=>{a(null),t(),c.reload()},p=async({name:e,quantity:r})=>{await n.post(o,{name:e,quantity:Number(r)}),t()},m=e=>e.then(d,a),g=({item_id:e},t)=>m(n.patch(`/inventory/${e}`,{used_at:t})),v=async({item_id:e})=>{let t=`/inventory/${e}`,{data:r,etag:i}=await n.request(`GET`,t),{name:a,metadata:s,quantity:c}=r,l=await n.post(o,{name:a,metadata:s,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await n.patch(t,{quantity:c-1},{ifMatch:i})}catch(e){throw e.status<500&&await n.delete(`/inventory/${l.item_id}`),e}},y=e.inventory.reduce((e,{quantity:t})=>e+t,0),b=[{name:`name`,label:r(`items.item`),required:!0,pattern:s,maxlength:200,list:`known-items`},{name:`quantity`,label:r(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return h`<div class="two">
    <section class="card">
      <h2>${r(`items.title`)} ${y>0&&h`<span class="quiet">${r.number(y)}</span>`}</h2>
      ${y===0&&h`<p class="quiet">${r(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>h`<li key=${e.item_id}>
          <${A} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${r.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&h`<${C} class="quiet" onClick=${()=>m(v(e))}
              aria-label=${r(`items.use_one_of`,{name:e.name})}>${r(`items.use_one`)}<//>`}
            <${C} class="quiet" onClick=${()=>g(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${r(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${r(`items.use`,{many:e.quantity})}<//>
            <${K} item=${e} act=${m} />
          </div>
        </li>`)}
      </ul>
      ${c.records.length>0&&h`<h3>${r(`items.used`)}</h3>
        <ul class="things used">
          ${c.records.map(e=>h`<li key=${e.item_id}>
            <${A} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${r.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${r.time(e.used_at)}>${r.ago(e.used_at)}</time>
            <${C} class="quiet" onClick=${()=>g(e,null)}
              aria-label=${r(`items.return_of`,{name:e.name})}>${r(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${w} list=${c} />
      <${x} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`items.give`)}</h2>
      <${f} submit=${r(`items.give`)} send=${p} fields=${b} />
      <datalist id="known-items">${[...new Set(u)].filter(Boolean).map(e=>h`<option value=${e} />`)}</datalist>
    </section>
  </div>`}const J=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function Y({user:e}){let{say:t}=_(),[n,r]=D(!1),i=g(null);return h`<${C} onClick=${()=>r(!0)}>${t(`link.make`)}<//>
    ${n&&h`<${X} user=${e} created=${i} onClose=${()=>r(!1)} />`}`}function X({user:e,created:t,onClose:n}){let{client:r,say:i,signOut:a}=_(),[o,s]=D(null),[c,l]=D(!1),u=async()=>{l(!0),s(null);try{let n=i(`link.token`,{name:e.name}).slice(0,100);t.current=await r.post(`/tokens`,{name:n,user_id:e.user_id})}catch(e){s(e)}l(!1)},{token:d,expires_at:f}=t.current??{};return h`<${p} title=${i(`link.of`,{name:e.name})} className="link-question" onClose=${n}>
    <p>${i(`link.how`)}${` `}
      ${J.test(location.hostname)?h`<strong>${i(`link.local`)}</strong>`:i(`link.only`)}</p>
    <${x} error=${o} />
    ${d?h`<${Z} address=${`${j}/viewer/#user=${e.user_id}&token=${d}`} />
          <p class="quiet">
            ${a?h`${f&&i(`link.until`,{date:i.date(f)})} ${i(`link.once`)}`:i(`link.unchecked`)}
          </p>`:h`<${C} class="main" busy=${c} onClick=${u}>${i(`link.create`)}<//>`}
  <//>`}function Z({address:e}){let{say:t}=_(),[n,r]=D(``),i=g(null),a=m();return h`<label class="field"><span>${t(`link.address`)}</span><input readonly value=${e} ref=${i} /></label>
    <p class="bar"><button class="main" ref=${a} onClick=${()=>navigator.clipboard.writeText(e).then(()=>r(`copied`),()=>(i.current.select(),r(`twitch.copy_failed`)))}>${t(`copy`)}</button>
      <a class="button" href=${e} target="_blank" rel="noopener">${t(`link.open`)}</a>
      <span class="good" role="status">${n&&t(n)}</span></p>`}function Q(e,t){let n=M(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function te({user:e,reload:t}){let{client:n,say:r}=_(),[i,a]=D(null),s=T(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),c=()=>{a(null),t(),s.reload()},l=e=>e.then(c,a),u=`/users/${e.user_id}/specimen`,d=e.specimen,f=()=>l(n.patch(u,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),p=e=>l(n.patch(`/specimens/${e}`,{forgotten_at:null})),m=e=>r(`pet.from_to`,{from:r.date(e.born_at),to:r.date(e.forgotten_at)}),g=s.records.length===0&&!s.busy&&!s.error;return h`<div class="two">
    <section class="card own-pet">
      <h2>${r(`viewer.pet`)}</h2>
      ${d?h`<div class="meadow"><${N} pet=${d} label=${r(`viewer.pet`)} /></div>
            <p class="big">${Q(d,r)}</p>
            <p class="quiet">${r(`pet.life.${ee(M(d)).name}`)} ·${` `}
              ${r(`pet.born`,{date:r.time(d.born_at)})}</p>
            <${o} className="bad" label=${r(`pet.remove`)} description=${`${r(`pet.remove`)}: ${e.name}`}
              question=${r(`pet.remove_sure`)} note=${r(`pet.remove_note`)} act=${f} />`:h`<p>${r(`pet.none`)}</p>
            <${C} class="main" onClick=${()=>l(n.post(u,{}))}>${r(`pet.give`)}<//>`}
      <${x} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`pet.before`)}</h2>
      ${g&&h`<p class="quiet">${r(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${s.records.map(e=>h`<li key=${e.specimen_id}>
          <${N} pet=${e} label=${r(`viewer.pet`)} />
          <div>${r(`pet.lived`,{days:M(e)})}<p class="quiet">${m(e)}</p></div>
          ${!d&&h`<${C} class="quiet" onClick=${()=>p(e.specimen_id)}>${r(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${w} list=${s} />
    </section>
  </div>`}const ne=()=>h`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function re({user:e,figures:t,changes:r}){let{client:i,say:a,setParameters:o}=_(),{value:s,error:c,reload:l}=E(()=>i.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),u=t&&n(t.headers,e),d=e=>e===0&&!u?`–`:a.compact(e),f=(e,t)=>h`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:d(t)}</strong>
  </div>`,p=G(e.inventory),m=r?.[r.length-1]?.transaction,g=(e,t,n)=>h`<section class=${`card shown shown-${e}`}>
    <h2><button title=${a(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>${t} <span aria-hidden="true">→</span></button></h2>
    ${n}
  </section>`,v=e.specimen,y=p.length>4?3:4,b=p.length-y,S=p.length>2?`many`:p.length>0?`some`:``,C=m?.amount>0?`+`:``;return h`<${x} error=${c} onRetry=${l} /><div class="showcase">
    ${g(`pet`,a(`viewer.pet`),v?h`<${N} pet=${v} label=${a(`viewer.pet`)} /><p>${Q(v,a)}</p>`:h`<${ne} /><p class="quiet">${a(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${f(a(`viewers.bits`),t?.bits)}
      ${f(a(`viewers.messages`),t?.messages)}
      ${f(a(`viewer.raiders`),t?.raiders)}
      ${f(a(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${S}`}>
      ${g(`wallet`,a(`viewer.wallet`),h`<p class="big" title=${a.number(e.wallet)}>${a.compact(e.wallet,1e9)}</p>
        ${r?.length>1&&h`<${U} changes=${r} />`}
        ${m&&h`<p class="quiet last">
          <b>${C}${a.number(m.amount)}</b> <span dir="auto">${I(m,a)}</span>${` `}
          ${a.ago(m.created_at)}
        </p>`}`)}
      ${s&&p.length>0&&g(`items`,a(`viewer.items`),h`<ul class="chips">
          ${p.slice(0,y).map(([e,t])=>h`<li key=${e} title=${e}>
            <${A} name=${e} /><span dir="auto">${e}</span> <b>×${a.compact(t)}</b>
          </li>`)}
          ${b>0&&h`<li class="quiet">${a(`count_more`,{many:b})}</li>`}
        </ul>`)}
      ${s?.length>0&&g(`purchases`,a(`viewer.purchases`),h`<ul class="last-purchases">
          ${s.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>h`<li
            key=${e}>
            <${A} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?a(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${a.time(r)}>${a.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function ie({user:e,changes:t,reload:n}){let{client:r,say:i}=_(),a=`/users/${e.user_id}/transactions`,o=T(`${a}?limit=20`),[c,l]=D(null),[d,p]=D(null),[m,g]=D(0),[y,b]=D(e.wallet);v(()=>{y!==e.wallet&&o.reload(),b(e.wallet)},[e.wallet]);let S=async({amount:t,description:i},o=!1)=>{let s=Number(t);if(l(null),s<0&&e.wallet+s<0&&!o)return l({amount:t,description:i}),null;await r.post(a,{amount:s,description:i}),o&&g(m+1),n()},E=({currentTarget:e})=>e.setCustomValidity(Number(e.value)===0?i(`wallet.zero`):``),O=({amount:t})=>e.wallet+Number(t),k=[{name:`amount`,label:i(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1,onInput:E},{name:`description`,label:i(`wallet.reason`),required:!0,pattern:s,maxlength:200}],A={label:i(`wallet.amount`),className:`amount`},j=[i(`when`),i(`wallet.reason`),A];return h`<div class="two wallet">
      <section class="card" aria-label=${i(`wallet.curve`)}>
        <h2>${i(`wallet.curve`)}</h2>
        ${t?.length>0?h`<${W} changes=${t} />`:t&&h`<p class="quiet">${i(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${i(`wallet.adjust`)}</h2>
        <p class="big balance">${i.number(e.wallet)}</p>
        <div onInput=${()=>l(null)}>
          <${f} key=${m} submit=${i(`wallet.adjust`)} send=${S} fields=${k} />
        </div>
        ${c&&h`<p role="alert">${i(`wallet.overdraft`,{balance:O(c)})}</p>
          <${C} class="danger" onClick=${()=>S(c,!0).then(()=>p(null),p)}>
            ${i(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>l(null)}>${i(`cancel`)}</button>`}
        <${x} error=${d} />
      </section>
    </div>
    ${(o.records.length>0||o.error)&&h`<section class="card">
      <h2>${i(`wallet.transactions`)}</h2>
      <div class="transactions"><${u} label=${i(`wallet.transactions`)} columns=${j}>
        ${o.records.map(e=>h`<tr key=${e.transaction_id}>
          <td class="when">${i.time(e.created_at)}</td>
          <td><${L} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${i.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${w} list=${o} />
    </section>`}`}const ae=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],oe=[`overview`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function se(e){let{client:t,subscribe:n}=_(),r=E(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=E(()=>i(t,e),e,3e4);return v(()=>n(({data:t})=>t?.user_id===Number(e)&&(r.reload(),o())),[e]),{...r,figures:a}}function ce({id:e}){let{say:t}=_(),{value:n,figures:r,error:i,reload:a}=se(e);return n?h`<${$} id=${e} user=${n} figures=${r} error=${i} reload=${a} />`:i?h`<h1>${t(`viewer.title`)}</h1><${x} error=${i} onRetry=${a} />`:h`<${b} rows=${6} />`}function $({id:e,user:t,figures:n,error:i,reload:a}){let{client:o,say:s}=_();d(t.name);let c=B(t),u=c.value,[f,p]=D(null),m=r(t),g=()=>ue(o,t).then(()=>p(null),p),v=Object.fromEntries(oe.map(e=>[e,s(`viewer.${e}`)])),y=m&&h` <span class="mark-anonymized">${s(`privacy.is_anonymized`)}</span>`;return h`<p class="back"><a href="#/viewers">${s(`viewer.all`)}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${y}</h1>
        <p class="quiet">${le(t,n,s).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!m&&h`<${Y} user=${t} />`}
        <button onClick=${g}>${s(`export`)}</button>
      </div>
    </div>
    <${x} error=${f??i} onRetry=${f?null:a} />
    <${x} error=${c.error} onRetry=${c.reload} />
    <${l} label=${s(`viewer.title`)} names=${v}>
      ${r=>h`${r===`overview`&&h`<${re} user=${t} figures=${n} changes=${u} />
          <${de} id=${e} />`}
        ${r===`wallet`&&h`<${ie} user=${t} changes=${u} reload=${a} />`}
        ${r===`purchases`&&h`<${fe} id=${e} />`}
        ${r===`items`&&h`<${q} user=${t} reload=${a} />`}
        ${r===`pet`&&h`<${te} user=${t} reload=${a} />`}
        ${r===`privacy`&&h`<${O} user=${t} isAnonymized=${m} reload=${a} />`}`}
    <//>`}function le(e,n,r){let{sub:i,seen:a}=n??{};return[i&&r(`viewer.sub`,{tier:String(i.tier),months:i.subscribed_length}),r(`viewer.since`,{date:r.date(t(e,n))}),a&&r(`viewer.seen`,{ago:r.ago(a)})].filter(Boolean)}async function ue(e,t){let n=t.user_id,r={user:t};for(let t of ae){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function de({id:t}){let{say:n}=_(),r=S(()=>Object.assign(e=>e.user_id===Number(t),{key:t}),[t]),i=a({paths:S(()=>[`/users/${t}/events?`],[t]),matches:r});return h`<${e} chunks=${i.chunks} newIds=${i.newIds} label=${n(`nav.activity`)} />
    ${i.size===0&&!i.busy&&!i.error&&h`<${y}>${n(`viewer.no_events`)}<//>`}
    <${w} list=${i} scrolls />`}function fe({id:e}){let{say:t}=_();return h`<${k} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${y}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{ce as Viewer};