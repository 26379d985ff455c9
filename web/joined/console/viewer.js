
import{r as e}from"./rows.js";import{i as t,n,o as r,r as i}from"./viewers.js";import{t as a}from"./follow.js";import{f as o,g as s,h as c,p as l,r as u,t as d,u as f,y as p}from"./forms.js";import{C as m,D as h,E as g,O as _,S as v,f as y,g as b,h as x,l as S,m as C,n as w,t as T,x as E}from"./common.js";import{n as D}from"./privacy.js";import{t as O}from"./purchases.js";import{t as k}from"./thing.js";import{O as A}from"./first.js";import{n as j,r as M,t as N}from"./pet-drawing.js";const P=e=>`#/data?${new URLSearchParams(e)}`,F={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>P({resource:`purchases`,open:e}),transfers:e=>P({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function I({amount:e,cause:t,description:n},r){let[i,a]=(t??``).split(`/`);return!F[i]||!a?n:r(i===`purchases`&&e>0?`cause.refund`:`cause.${i}`,{name:n})}function L({transaction:e}){let{cause:t,reference:n,description:r}=e,{say:i}=E(),[a,o]=(t??``).split(`/`),s=F[a],c=/^events\/(\d{1,16})$/.exec(n??``)?.[1];return!s||!o?_`<span dir="auto">${r}</span>${t&&_` <code>${t}</code>`}`:_`<a href=${s(o)} dir="auto">${I(e,i)}</a>
    ${c&&_` · <a href=${P({resource:`events`,open:c})}>${i(`cause.event`)}</a>`}`}const R=[`rules`,`purchases`,`transfers`],z=({cause:e})=>R.find(t=>e?.startsWith(`${t}/`))??`other`;function ee(e){let{client:t}=E(),n=`/users/${e.user_id}/transactions`;return T(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:z(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`).value}function B(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function V({line:e,area:t,zero:n}){return _`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const H=({changes:e})=>_`<div class="balance-curve small"><${V} ...${B(e)} /></div>`;function U({changes:e}){let{say:t}=E(),[n,r]=v(e.length-1);m(()=>r(e.length-1),[e]);let{points:i,...a}=B(e),o=[e[0].balance-e[0].transaction.amount,...e.map(e=>e.balance)],s=[e[0],e[e.length-1]].map(e=>e.transaction.created_at),[c,l]=new Set(s.map(t.date)).size>1?s.map(t.date):s.map(t.clock),u=Math.min(n,e.length-1),{transaction:d,balance:f,kind:p}=e[u],h=`${d.amount>0?`+`:``}${t.number(d.amount)}`,g=`${h} · ${I(d,t)}`,y=t(`wallet.after`,{balance:f,time:t.time(d.created_at)}),b=t=>r(Math.max(0,Math.min(e.length-1,t))),x=t=>{let n={ArrowLeft:u-1,ArrowRight:u+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),b(n))},S=({currentTarget:e,clientX:t})=>{let{left:n,width:a}=e.getBoundingClientRect(),o=(t-n)/a*100,s=i.map(({x:e})=>Math.abs(e-o));r(s.lastIndexOf(Math.min(...s)))},C=[...R,`other`].filter(t=>e.some(e=>e.kind===t)),w=e=>_`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`;return _`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${u+1} aria-valuetext=${`${g}. ${y}`}
      onKeyDown=${x} onPointerMove=${S}>
      <${V} ...${a} />
      ${i.map(({x:t,y:n},r)=>_`<i class=${`${e[r].kind}${r===u?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    ${e.length>1&&_`<p class="balance-axis quiet"><span>${c}</span>
      <span>${t(`wallet.range`,{from:t.number(Math.min(...o)),to:t.number(Math.max(...o))})}</span>
      <span>${l}</span></p>`}
    <p class="balance-change"><strong class=${p}>${h}</strong>${` `}
      <${L} transaction=${d} /> <span class="quiet">${y}</span></p>
    <p class="legend">${C.map(w)}</p>`}function W(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function G({user:e,reload:t}){let{client:n,say:r}=E(),[i,a]=v(null),s=`/users/${e.user_id}/inventory`,c=w(`${s}?active=false&limit=20`),{value:d}=T(()=>n.page(`/products`,{query:{limit:100}}),`items`),p=[...(d?.records??[]).map(e=>e.item_name),...e.inventory.map(e=>e.name)],m=()=>{a(null),t(),c.reload()},h=async({name:e,quantity:r})=>{await n.post(s,{name:e,quantity:Number(r)}),t()},g=e=>e.then(()=>(u(),m()),a),y=({item_id:e},t)=>g(n.patch(`/inventory/${e}`,{used_at:t})),b=async({item_id:e})=>{let t=`/inventory/${e}`,{data:r,etag:i}=await n.request(`GET`,t),{name:a,metadata:o,quantity:c}=r,l=await n.post(s,{name:a,metadata:o,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await n.patch(t,{quantity:c-1},{ifMatch:i})}catch(e){throw e.status<500&&await n.delete(`/inventory/${l.item_id}`),e}},D=e.inventory.reduce((e,{quantity:t})=>e+t,0),O=[{name:`name`,label:r(`items.item`),required:!0,pattern:l,maxlength:200,list:`known-items`},{name:`quantity`,label:r(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return _`<div class="two">
    <section class="card">
      <h2>${r(`items.title`)} ${D>0&&_`<span class="quiet">${r.number(D)}</span>`}</h2>
      ${D===0&&_`<p class="quiet">${r(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>_`<li key=${e.item_id}>
          <${k} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${r.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&_`<${S} class="quiet" onClick=${()=>g(b(e))}
              aria-label=${r(`items.use_one_of`,{name:e.name})}>${r(`items.use_one`)}<//>`}
            <${S} class="quiet" onClick=${()=>y(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${r(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${r(`items.use`,{many:e.quantity})}<//>
            <${f} label=${r(`items.take`)} description=${r(`items.take_of`,{name:e.name})}
              question=${r(`items.take_sure`,{many:e.quantity})}
              act=${()=>g(n.delete(`/inventory/${e.item_id}`))} />
          </div>
        </li>`)}
      </ul>
      ${c.records.length>0&&_`<h3>${r(`items.used`)}</h3>
        <ul class="things used">
          ${c.records.map(e=>_`<li key=${e.item_id}>
            <${k} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${r.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${r.time(e.used_at)}>${r.ago(e.used_at)}</time>
            <${S} class="quiet" onClick=${()=>y(e,null)}
              aria-label=${r(`items.return_of`,{name:e.name})}>${r(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${C} list=${c} />
      <${x} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`items.give`)}</h2>
      <${o} submit=${r(`items.give`)} send=${h} fields=${O} />
      <datalist id="known-items">${[...new Set(p)].filter(Boolean).map(e=>_`<option value=${e} />`)}</datalist>
    </section>
  </div>`}const K=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function q({user:e}){let{client:t,say:n}=E(),[r,i]=v(!1),a=g(!1),[o,s]=v(null),[c,l]=v(null);return _`<${S} onClick=${async()=>{if(!a.current){if(c)i(!0);else{a.current=!0,s(null);try{let r=n(`link.token`,{name:e.name}).slice(0,100);l(await t.post(`/tokens`,{name:r,user_id:e.user_id}))}catch(e){s(e)}i(!0),a.current=!1}}}}>${n(`link.make`)}<//>
    ${r&&_`<${J} user=${e} created=${c} error=${o} onClose=${()=>i(!1)} />`}`}function J({user:e,created:t,error:n,onClose:r}){let{say:i,signOut:a}=E(),[o,s]=v(``),c=g(null),l=t&&`${A}/viewer/#user=${e.user_id}&token=${t.token}`,u=t?.expires_at;return _`<${p} title=${i(`link.of`,{name:e.name})} className="link-question" onClose=${r}>
    <${x} error=${n} />
    ${l&&_`<p>${i(`link.how`)}${` `}
        ${K.test(location.hostname)?_`<strong>${i(`link.local`)}</strong>`:i(`link.only`)}</p>
      <label class="field"><span>${i(`link.address`)}</span><input readonly value=${l} ref=${c} /></label>
      <p class="bar"><button class="main" onClick=${()=>navigator.clipboard.writeText(l).then(()=>s(`copied`),()=>(c.current.select(),s(`twitch.copy_failed`)))}>${i(`copy`)}</button>
        <a class="button" href=${l} target="_blank" rel="noopener">${i(`link.open`)}</a>
        <span class="good" role="status">${o&&i(o)}</span></p>
      <p class="quiet">
        ${a?_`${u&&i(`link.until`,{date:i.date(u)})} ${i(`link.once`)}`:i(`link.unchecked`)}
      </p>`}
  <//>`}function Y(e,t){let n=M(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function X({user:e,reload:t}){let{client:n,say:r}=E(),[i,a]=v(null),o=w(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),s=()=>{a(null),t(),o.reload()},c=e=>e.then(s,a),l=`/users/${e.user_id}/specimen`,u=e.specimen,d=()=>c(n.patch(l,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),p=e=>c(n.patch(`/specimens/${e}`,{forgotten_at:null})),m=e=>r(`pet.from_to`,{from:r.date(e.born_at),to:r.date(e.forgotten_at)}),h=o.records.length===0&&!o.busy&&!o.error;return _`<div class="two">
    <section class="card own-pet">
      <h2>${r(`viewer.pet`)}</h2>
      ${u?_`<div class="meadow"><${N} pet=${u} label=${r(`viewer.pet`)} /></div>
            <p class="big">${Y(u,r)}</p>
            <p class="quiet">${r(`pet.life.${j(M(u)).name}`)} ·${` `}
              ${r(`pet.born`,{date:r.time(u.born_at)})}</p>
            <${f} className="bad" label=${r(`pet.remove`)} description=${`${r(`pet.remove`)}: ${e.name}`}
              question=${r(`pet.remove_sure`)} note=${r(`pet.remove_note`)} act=${d} />`:_`<p>${r(`pet.none`)}</p>
            <${S} class="main" onClick=${()=>c(n.post(l,{}))}>${r(`pet.give`)}<//>`}
      <${x} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`pet.before`)}</h2>
      ${h&&_`<p class="quiet">${r(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${o.records.map(e=>_`<li key=${e.specimen_id}>
          <${N} pet=${e} label=${r(`viewer.pet`)} />
          <div>${r(`pet.lived`,{days:M(e)})}<p class="quiet">${m(e)}</p></div>
          ${!u&&_`<${S} class="quiet" onClick=${()=>p(e.specimen_id)}>${r(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${C} list=${o} />
    </section>
  </div>`}const Z=()=>_`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function Q({user:e,figures:t,changes:r}){let{client:i,say:a,setParameters:o}=E(),{value:s}=T(()=>i.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),c=t&&n(t.headers,e),l=e=>e===0&&!c?`–`:a.compact(e,1e7),u=(e,t)=>_`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:l(t)}</strong>
  </div>`,d=W(e.inventory),f=r?.[r.length-1]?.transaction,p=(e,t,n)=>_`<section class=${`card shown shown-${e}`}>
    <h2><button title=${a(`viewer.more_of`,{what:t})}
      onClick=${()=>o({tab:e})}>${t} <span aria-hidden="true">→</span></button></h2>
    ${n}
  </section>`,m=e.specimen,h=d.length>4?3:4,g=d.length-h,v=d.length>2?`many`:d.length>0?`some`:``,y=f?.amount>0?`+`:``;return _`<div class="showcase">
    ${p(`pet`,a(`viewer.pet`),m?_`<${N} pet=${m} label=${a(`viewer.pet`)} /><p>${Y(m,a)}</p>`:_`<${Z} /><p class="quiet">${a(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${u(a(`viewers.bits`),t?.bits)}
      ${u(a(`viewers.messages`),t?.messages)}
      ${u(a(`viewer.raiders`),t?.raiders)}
      ${u(a(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${v}`}>
      ${p(`wallet`,a(`viewer.wallet`),_`<p class="big" title=${a.number(e.wallet)}>${a.compact(e.wallet,1e9)}</p>
        ${r?.length>1&&_`<${H} changes=${r} />`}
        ${f&&_`<p class="quiet last">
          <b>${y}${a.number(f.amount)}</b> <span dir="auto">${I(f,a)}</span>${` `}
          ${a.ago(f.created_at)}
        </p>`}`)}
      ${s&&d.length>0&&p(`items`,a(`viewer.items`),_`<ul class="chips">
          ${d.slice(0,h).map(([e,t])=>_`<li key=${e} title=${e}>
            <${k} name=${e} /><span dir="auto">${e}</span> <b>×${a.compact(t)}</b>
          </li>`)}
          ${g>0&&_`<li class="quiet">${a(`count_more`,{many:g})}</li>`}
        </ul>`)}
      ${s?.length>0&&p(`purchases`,a(`viewer.purchases`),_`<ul class="last-purchases">
          ${s.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>_`<li
            key=${e}>
            <${k} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?a(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${a.time(r)}>${a.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function te({user:e,changes:t,reload:n}){let{client:r,say:i}=E(),a=`/users/${e.user_id}/transactions`,s=w(`${a}?limit=20`),[u,d]=v(null),[f,p]=v(null),[h,g]=v(0),[y,b]=v(e.wallet);m(()=>{y!==e.wallet&&s.reload(),b(e.wallet)},[e.wallet]);let T=async({amount:t,description:o},s=!1)=>{let c=Number(t);if(d(null),c===0)throw Error(i(`wallet.zero`));if(c<0&&e.wallet+c<0&&!s)return d({amount:t,description:o}),null;await r.post(a,{amount:c,description:o}),s&&g(h+1),n()},D=({amount:t})=>e.wallet+Number(t),O=[{name:`amount`,label:i(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1},{name:`description`,label:i(`wallet.reason`),required:!0,pattern:l,maxlength:200}],k={label:i(`wallet.amount`),className:`amount`},A=[i(`when`),i(`wallet.reason`),k];return _`<div class="two wallet">
      <section class="card" aria-label=${i(`wallet.curve`)}>
        <h2>${i(`wallet.curve`)}</h2>
        ${t?.length>0?_`<${U} changes=${t} />`:_`<p class="quiet">${i(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${i(`wallet.adjust`)}</h2>
        <p class="big balance">${i.number(e.wallet)}</p>
        <div onInput=${()=>d(null)}>
          <${o} key=${h} submit=${i(`wallet.adjust`)} send=${T} fields=${O} />
        </div>
        ${u&&_`<p role="alert">${i(`wallet.overdraft`,{balance:D(u)})}</p>
          <${S} class="danger" onClick=${()=>T(u,!0).then(()=>p(null),p)}>
            ${i(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>d(null)}>${i(`cancel`)}</button>`}
        <${x} error=${f} />
      </section>
    </div>
    ${(s.records.length>0||s.error)&&_`<section class="card">
      <h2>${i(`wallet.transactions`)}</h2>
      <div class="transactions"><${c} label=${i(`wallet.transactions`)} columns=${A}>
        ${s.records.map(e=>_`<tr key=${e.transaction_id}>
          <td class="when">${i.time(e.created_at)}</td>
          <td><${L} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${i.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${C} list=${s} />
    </section>`}`}const ne=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],re=[`overview`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function ie(e){let{client:t,subscribe:n}=E(),r=T(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=T(()=>i(t,e),e,3e4);return m(()=>n(({data:t})=>t?.user_id===Number(e)&&(r.reload(),o())),[e]),{...r,figures:a}}function $({id:e}){let{say:t}=E(),{value:n,figures:r,error:i,reload:a}=ie(e);return n?_`<${ae} id=${e} user=${n} figures=${r} error=${i} reload=${a} />`:i?_`<h1>${t(`viewer.title`)}</h1><${x} error=${i} onRetry=${a} />`:_`<${b} rows=${6} />`}function ae({id:e,user:t,figures:n,error:i,reload:a}){let{client:o,say:c}=E();d(t.name);let l=ee(t),[u,f]=v(null),p=r(t),m=()=>se(o,t).then(()=>f(null),f),h=Object.fromEntries(re.map(e=>[e,c(`viewer.${e}`)])),g=p&&_` <span class="mark-anonymized">${c(`privacy.is_anonymized`)}</span>`;return _`<p class="back"><a href="#/viewers">${c(`viewer.all`)}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${t.name}${g}</h1>
        <p class="quiet">${oe(t,n,c).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!p&&_`<${q} user=${t} />`}
        <button onClick=${m}>${c(`export`)}</button>
      </div>
    </div>
    <${x} error=${u??i} onRetry=${u?null:a} />
    <${s} label=${c(`viewer.title`)} names=${h}>
      ${r=>_`${r===`overview`&&_`<${Q} user=${t} figures=${n} changes=${l} />
          <${ce} id=${e} />`}
        ${r===`wallet`&&_`<${te} user=${t} changes=${l} reload=${a} />`}
        ${r===`purchases`&&_`<${le} id=${e} />`}
        ${r===`items`&&_`<${G} user=${t} reload=${a} />`}
        ${r===`pet`&&_`<${X} user=${t} reload=${a} />`}
        ${r===`privacy`&&_`<${D} user=${t} isAnonymized=${p} reload=${a} />`}`}
    <//>`}function oe(e,n,r){let{sub:i,seen:a}=n??{};return[i&&r(`viewer.sub`,{tier:String(i.tier),months:i.subscribed_length}),r(`viewer.since`,{date:r.date(t(e,n))}),a&&r(`viewer.seen`,{ago:r.ago(a)})].filter(Boolean)}async function se(e,t){let n=t.user_id,r={user:t};for(let t of ne){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function ce({id:t}){let{say:n}=E(),r=h(()=>Object.assign(e=>e.user_id===Number(t),{key:t}),[t]),i=a({paths:h(()=>[`/users/${t}/events?`],[t]),matches:r});return _`<${e} chunks=${i.chunks} newIds=${i.newIds} label=${n(`nav.activity`)} />
    ${i.size===0&&!i.busy&&!i.error&&_`<${y}>${n(`viewer.no_events`)}<//>`}
    <${C} list=${i} scrolls />`}function le({id:e}){let{say:t}=E();return _`<${O} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${y}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{$ as Viewer};