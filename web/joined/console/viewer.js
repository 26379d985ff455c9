
import{r as e}from"./rows.js";import{a as t,n,r}from"./viewers.js";import{t as i}from"./follow.js";import{f as a,g as o,h as s,n as c,p as l,t as u,u as d,y as f}from"./forms.js";import{C as p,D as m,E as h,O as g,S as _,f as v,g as y,h as b,l as x,m as S,n as C,t as w,x as T}from"./common.js";import{n as E}from"./privacy.js";import{t as D}from"./purchases.js";import{t as O}from"./thing.js";import{O as k}from"./first.js";import{n as A,r as j,t as M}from"./pet-drawing.js";const N=e=>`#/data?${new URLSearchParams(e)}`,P={__proto__:null,rules:e=>`#/rules?open=${e}`,purchases:e=>N({resource:`purchases`,open:e}),transfers:e=>N({resource:`transactions`,query:String(new URLSearchParams({cause:`transfers/${e}`}))})};function F({amount:e,cause:t,description:n},r){let[i,a]=(t??``).split(`/`);return!P[i]||!a?n:r(i===`purchases`&&e>0?`cause.refund`:`cause.${i}`,{name:n})}function I({transaction:e}){let{cause:t,reference:n,description:r}=e,{say:i}=T(),[a,o]=(t??``).split(`/`),s=P[a],c=/^events\/(\d{1,16})$/.exec(n??``)?.[1];return!s||!o?g`<span dir="auto">${r}</span>${t&&g` <code>${t}</code>`}`:g`<a href=${s(o)} dir="auto">${F(e,i)}</a>
    ${c&&g` · <a href=${N({resource:`events`,open:c})}>${i(`cause.event`)}</a>`}`}const L=[`rules`,`purchases`,`transfers`],R=({cause:e})=>L.find(t=>e?.startsWith(`${t}/`))??`other`;function z(e){let{client:t}=T(),n=`/users/${e.user_id}/transactions`;return w(async()=>{let{records:r}=await t.page(n,{query:{limit:100}}),i=e.wallet;return r.map(e=>{let t={transaction:e,balance:i,kind:R(e)};return i-=e.amount,t}).reverse()},`${n} ${e.wallet}`).value}function B(e){let[t]=e,n=t.balance-t.transaction.amount,r=[n,...e.map(({balance:e})=>e)],i=Math.min(0,...r),a=Math.max(...r)-i||1,o=e=>36-(e-i)/a*32,s=e.map(({transaction:e})=>Date.parse(e.created_at)),c=s[s.length-1]-s[0],l=t=>4+92*(c>0?(s[t]-s[0])/c:t/Math.max(1,e.length-1)),u=e.map(({balance:e},t)=>({x:l(t),y:o(e)})),d=`M0 ${o(n)}${u.map(e=>`H${e.x}V${e.y}`).join(``)}H100`;return{points:u,line:d,area:`${d}V${o(i)}H0Z`,zero:o(0)}}function V({line:e,area:t,zero:n}){return g`<svg viewBox=${`0 0 100 40`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${t} />
    <path class="zero" d=${`M0 ${n}H100`} />
    <path class="line" d=${e} />
  </svg>`}const H=({changes:e})=>g`<div class="balance-curve small"><${V} ...${B(e)} /></div>`;function U({changes:e}){let{say:t}=T(),[n,r]=_(e.length-1);p(()=>r(e.length-1),[e]);let{points:i,...a}=B(e),o=[e[0].balance-e[0].transaction.amount,...e.map(e=>e.balance)],s=[e[0],e[e.length-1]].map(e=>e.transaction.created_at),[c,l]=new Set(s.map(t.date)).size>1?s.map(t.date):s.map(t.clock),u=Math.min(n,e.length-1),{transaction:d,balance:f,kind:m}=e[u],h=`${d.amount>0?`+`:``}${t.number(d.amount)}`,v=`${h} · ${F(d,t)}`,y=t(`wallet.after`,{balance:f,time:t.time(d.created_at)}),b=t=>r(Math.max(0,Math.min(e.length-1,t))),x=t=>{let n={ArrowLeft:u-1,ArrowRight:u+1,Home:0,End:e.length-1}[t.key];n!==void 0&&(t.preventDefault(),b(n))},S=({currentTarget:e,clientX:t})=>{let{left:n,width:a}=e.getBoundingClientRect(),o=(t-n)/a*100,s=i.map(({x:e})=>Math.abs(e-o));r(s.lastIndexOf(Math.min(...s)))},C=[...L,`other`].filter(t=>e.some(e=>e.kind===t)),w=e=>g`<span><i class=${e}></i>${t(`wallet.kind.${e}`)}</span>`;return g`<div class="balance-curve" role="slider" tabindex="0" aria-label=${t(`wallet.curve`)} aria-valuemin="1"
      aria-valuemax=${e.length} aria-valuenow=${u+1} aria-valuetext=${`${v}. ${y}`}
      onKeyDown=${x} onPointerMove=${S}>
      <${V} ...${a} />
      ${i.map(({x:t,y:n},r)=>g`<i class=${`${e[r].kind}${r===u?` selected`:``}`}
        style=${{left:`${t}%`,top:`${n/40*100}%`}}></i>`)}
    </div>
    ${e.length>1&&g`<p class="balance-axis quiet"><span>${c}</span>
      <span>${t(`wallet.range`,{from:t.number(Math.min(...o)),to:t.number(Math.max(...o))})}</span>
      <span>${l}</span></p>`}
    <p class="balance-change"><strong class=${m}>${h}</strong>${` `}
      <${I} transaction=${d} /> <span class="quiet">${y}</span></p>
    <p class="legend">${C.map(w)}</p>`}function W(e){let t=/* @__PURE__ */ new Map;for(let{name:n,quantity:r}of e)t.set(n,(t.get(n)??0)+r);return[...t].sort(([,e],[,t])=>t-e)}function G({user:e,reload:t}){let{client:n,say:r}=T(),[i,o]=_(null),s=`/users/${e.user_id}/inventory`,u=C(`${s}?active=false&limit=20`),f=()=>{o(null),t(),u.reload()},p=async({name:e,quantity:r})=>{await n.post(s,{name:e,quantity:Number(r)}),t()},m=e=>e.then(()=>(c(),f()),o),h=({item_id:e},t)=>m(n.patch(`/inventory/${e}`,{used_at:t})),v=async({item_id:e})=>{let t=`/inventory/${e}`,{data:r,etag:i}=await n.request(`GET`,t),{name:a,metadata:o,quantity:c}=r,l=await n.post(s,{name:a,metadata:o,quantity:1,used_at:(/* @__PURE__ */ new Date()).toISOString()});try{await n.patch(t,{quantity:c-1},{ifMatch:i})}catch(e){throw e.status<500&&await n.delete(`/inventory/${l.item_id}`),e}},y=e.inventory.reduce((e,{quantity:t})=>e+t,0),w=[{name:`name`,label:r(`items.item`),required:!0,pattern:l,maxlength:200},{name:`quantity`,label:r(`items.quantity`),type:`number`,min:`1`,step:`1`,value:`1`,max:2**53-1,required:!0}];return g`<div class="two">
    <section class="card">
      <h2>${r(`items.title`)} ${y>0&&g`<span class="quiet">${r.number(y)}</span>`}</h2>
      ${y===0&&g`<p class="quiet">${r(`items.empty`)}</p>`}
      <ul class="things">
        ${e.inventory.map(e=>g`<li class="usable" key=${e.item_id}>
          <${O} name=${e.name} />
          <span dir="auto">${e.quantity>1&&`${r.number(e.quantity)} × `}${e.name}</span>
          <div class="buttons">
            ${e.quantity>1&&g`<${x} class="quiet" onClick=${()=>m(v(e))}
              aria-label=${r(`items.use_one_of`,{name:e.name})}>${r(`items.use_one`)}<//>`}
            <${x} class="quiet" onClick=${()=>h(e,(/* @__PURE__ */ new Date()).toISOString())}
              aria-label=${r(`items.use_of`,{many:e.quantity,name:e.name})}>
              ${r(`items.use`,{many:e.quantity})}<//>
            <${d} label=${r(`items.take`)} description=${r(`items.take_of`,{name:e.name})}
              question=${r(`items.take_sure`,{many:e.quantity})}
              act=${()=>m(n.delete(`/inventory/${e.item_id}`))} />
          </div>
        </li>`)}
      </ul>
      ${u.records.length>0&&g`<h3>${r(`items.used`)}</h3>
        <ul class="things used">
          ${u.records.map(e=>g`<li key=${e.item_id}>
            <${O} name=${e.name} />
            <span dir="auto">${e.name}${e.quantity>1&&` ×${r.number(e.quantity)}`}</span>
            <time datetime=${e.used_at} title=${r.time(e.used_at)}>${r.ago(e.used_at)}</time>
            <${x} class="quiet" onClick=${()=>h(e,null)}
              aria-label=${r(`items.return_of`,{name:e.name})}>${r(`items.return`)}<//>
          </li>`)}
        </ul>`}
      <${S} list=${u} />
      <${b} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`items.give`)}</h2>
      <${a} submit=${r(`items.give`)} send=${p} fields=${w} />
    </section>
  </div>`}const K=/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;function q({user:e}){let{client:t,say:n}=T(),[r,i]=_(!1),a=h(!1),[o,s]=_(null),[c,l]=_(null);return g`<${x} onClick=${async()=>{if(!a.current){if(c)i(!0);else{a.current=!0,s(null);try{let r=n(`link.token`,{name:e.name}).slice(0,100);l(await t.post(`/tokens`,{name:r,user_id:e.user_id}))}catch(e){s(e)}i(!0),a.current=!1}}}}>${n(`link.make`)}<//>
    ${r&&g`<${J} user=${e} created=${c} error=${o} onClose=${()=>i(!1)} />`}`}function J({user:e,created:t,error:n,onClose:r}){let{say:i,signOut:a}=T(),[o,s]=_(``),c=h(null),l=t&&`${k}/viewer/#user=${e.user_id}&token=${t.token}`,u=t?.expires_at;return g`<${f} title=${i(`link.of`,{name:e.name})} className="link-question" onClose=${r}>
    <${b} error=${n} />
    ${l&&g`<p>${i(`link.how`)}${` `}
        ${K.test(location.hostname)?g`<strong>${i(`link.local`)}</strong>`:i(`link.only`)}</p>
      <label class="field"><span>${i(`link.address`)}</span><input readonly value=${l} ref=${c} /></label>
      <p class="bar"><button class="main" onClick=${()=>navigator.clipboard.writeText(l).then(()=>s(`copied`),()=>(c.current.select(),s(`twitch.copy_failed`)))}>${i(`copy`)}</button>
        <a class="button" href=${l} target="_blank" rel="noopener">${i(`link.open`)}</a>
        <span class="good" role="status">${o&&i(o)}</span></p>
      <p class="quiet">
        ${a?g`${u&&i(`link.until`,{date:i.date(u)})} ${i(`link.once`)}`:i(`link.unchecked`)}
      </p>`}
  <//>`}function Y(e,t){let n=j(e);return n===0?t(`pet.new`):t(`pet.age`,{days:n})}function X({user:e,reload:t}){let{client:n,say:r}=T(),[i,a]=_(null),o=C(`/users/${e.user_id}/specimens?forgotten=true&limit=20`),s=()=>{a(null),t(),o.reload()},c=e=>e.then(s,a),l=`/users/${e.user_id}/specimen`,u=e.specimen,f=()=>c(n.patch(l,{forgotten_at:(/* @__PURE__ */ new Date()).toISOString()})),p=e=>c(n.patch(`/specimens/${e}`,{forgotten_at:null})),m=e=>r(`pet.from_to`,{from:r.date(e.born_at),to:r.date(e.forgotten_at)}),h=o.records.length===0&&!o.busy&&!o.error;return g`<div class="two">
    <section class="card own-pet">
      <h2>${r(`viewer.pet`)}</h2>
      ${u?g`<div class="meadow"><${M} pet=${u} label=${r(`viewer.pet`)} /></div>
            <p class="big">${Y(u,r)}</p>
            <p class="quiet">${r(`pet.life.${A(j(u)).name}`)} ·${` `}
              ${r(`pet.born`,{date:r.time(u.born_at)})}</p>
            <${d} className="bad" label=${r(`pet.remove`)} description=${`${r(`pet.remove`)}: ${e.name}`}
              question=${r(`pet.remove_sure`)} note=${r(`pet.remove_note`)} act=${f} />`:g`<p>${r(`pet.none`)}</p>
            <${x} class="main" onClick=${()=>c(n.post(l,{}))}>${r(`pet.give`)}<//>`}
      <${b} error=${i} />
    </section>
    <section class="card">
      <h2>${r(`pet.before`)}</h2>
      ${h&&g`<p class="quiet">${r(`pet.no_before`)}</p>`}
      <ul class="things pets">
        ${o.records.map(e=>g`<li key=${e.specimen_id}>
          <${M} pet=${e} label=${r(`viewer.pet`)} />
          <div>${r(`pet.lived`,{days:j(e)})}<p class="quiet">${m(e)}</p></div>
          ${!u&&g`<${x} class="quiet" onClick=${()=>p(e.specimen_id)}>${r(`pet.back`)}<//>`}
        </li>`)}
      </ul>
      <${S} list=${o} />
    </section>
  </div>`}const Z=()=>g`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;function Q({user:e,figures:t,changes:n}){let{client:r,say:i,setParameters:a}=T(),{value:o}=w(()=>r.get(`/users/${e.user_id}/purchases`,{query:{limit:3}}),`${e.user_id} ${e.wallet}`),s=(e,t)=>g`<div>
    <span class="quiet">${e}</span><strong class="big">${t===void 0?`…`:i.compact(t,1e7)}</strong>
  </div>`,c=W(e.inventory),l=n?.[n.length-1]?.transaction,u=(e,t,n)=>g`<section class=${`card shown shown-${e}`}>
    <h2><button aria-label=${i(`viewer.more_of`,{what:t})}
      onClick=${()=>a({tab:e})}>${t} <span aria-hidden="true">→</span></button></h2>
    ${n}
  </section>`,d=e.specimen,f=c.length>4?3:4,p=c.length-f,m=c.length>2?`many`:c.length>0?`some`:``,h=l?.amount>0?`+`:``;return g`<div class="showcase">
    ${u(`pet`,i(`viewer.pet`),d?g`<${M} pet=${d} label=${i(`viewer.pet`)} /><p>${Y(d,i)}</p>`:g`<${Z} /><p class="quiet">${i(`pet.none`)}</p>`)}
    <div class="card viewer-figures">
      ${s(i(`viewers.bits`),t?.bits)}
      ${s(i(`viewers.messages`),t?.messages)}
      ${s(i(`viewer.raiders`),t?.raiders)}
      ${s(i(`viewers.months`),t&&(t.sub?.subscribed_length??0))}
    </div>
    <div class=${`shown-cards ${m}`}>
      ${u(`wallet`,i(`viewer.wallet`),g`<p class="big" title=${i.number(e.wallet)}>${i.compact(e.wallet,1e9)}</p>
        ${n?.length>1&&g`<${H} changes=${n} />`}
        ${l&&g`<p class="quiet last">
          <b>${h}${i.number(l.amount)}</b> <span dir="auto">${F(l,i)}</span>${` `}
          ${i.ago(l.created_at)}
        </p>`}`)}
      ${o&&c.length>0&&u(`items`,i(`viewer.items`),g`<ul class="chips">
          ${c.slice(0,f).map(([e,t])=>g`<li key=${e} title=${e}>
            <${O} name=${e} /><span dir="auto">${e}</span> <b>×${i.compact(t)}</b>
          </li>`)}
          ${p>0&&g`<li class="quiet">${i(`count_more`,{many:p})}</li>`}
        </ul>`)}
      ${o?.length>0&&u(`purchases`,i(`viewer.purchases`),g`<ul class="last-purchases">
          ${o.map(({purchase_id:e,name:t,quantity:n,created_at:r})=>g`<li
            key=${e}>
            <${O} name=${t} />
            <span dir="auto" title=${t}>
              ${n>1?i(`purchase.many`,{many:n,name:t}):t}</span>
            <time datetime=${r} title=${i.time(r)}>${i.ago(r)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`}function $({user:e,changes:t,reload:n}){let{client:r,say:i}=T(),o=`/users/${e.user_id}/transactions`,c=C(`${o}?limit=20`),[u,d]=_(null),[f,m]=_(null),[h,v]=_(0),[y,w]=_(e.wallet);p(()=>{y!==e.wallet&&c.reload(),w(e.wallet)},[e.wallet]);let E=async({amount:t,description:a},s=!1)=>{let c=Number(t);if(d(null),c===0)throw Error(i(`wallet.zero`));if(c<0&&e.wallet+c<0&&!s)return d({amount:t,description:a}),null;await r.post(o,{amount:c,description:a}),s&&v(h+1),n()},D=({amount:t})=>e.wallet+Number(t),O=[{name:`amount`,label:i(`wallet.amount`),type:`number`,step:`1`,required:!0,max:2**53-1},{name:`description`,label:i(`wallet.reason`),required:!0,pattern:l,maxlength:200}],k={label:i(`wallet.amount`),className:`amount`},A=[i(`when`),i(`wallet.reason`),k];return g`<div class="two wallet">
      <section class="card" aria-label=${i(`wallet.curve`)}>
        <h2>${i(`wallet.curve`)}</h2>
        ${t?.length>0?g`<${U} changes=${t} />`:g`<p class="quiet">${i(`wallet.none`)}</p>`}
      </section>
      <section class="card">
        <h2>${i(`wallet.adjust`)}</h2>
        <p class="big balance">${i.number(e.wallet)}</p>
        <div onInput=${()=>d(null)}>
          <${a} key=${h} submit=${i(`wallet.adjust`)} send=${E} fields=${O} />
        </div>
        ${u&&g`<p role="alert">${i(`wallet.overdraft`,{balance:D(u)})}</p>
          <${x} class="danger" onClick=${()=>E(u,!0).then(()=>m(null),m)}>
            ${i(`wallet.overdraft_sure`)}<//>${` `}
          <button onClick=${()=>d(null)}>${i(`cancel`)}</button>`}
        <${b} error=${f} />
      </section>
    </div>
    ${(c.records.length>0||c.error)&&g`<section class="card">
      <h2>${i(`wallet.transactions`)}</h2>
      <div class="transactions"><${s} label=${i(`wallet.transactions`)} columns=${A}>
        ${c.records.map(e=>g`<tr key=${e.transaction_id}>
          <td class="when">${i.time(e.created_at)}</td>
          <td><${I} transaction=${e} /></td>
          <td class=${e.amount>0?`amount plus`:`amount`}>
            ${e.amount>0&&`+`}${i.number(e.amount)}</td>
        </tr>`)}
      <//></div>
      <${S} list=${c} />
    </section>`}`}const ee=[`events`,`transactions`,`purchases`,`specimens`,`inventory`],te=[`overview`,`wallet`,`purchases`,`items`,`pet`,`privacy`];function ne(e){let{client:t,subscribe:r}=T(),i=w(()=>t.get(`/users/${e}`),e,5e3),{value:a,reload:o}=w(()=>n(t,e),e,3e4);return p(()=>r(({data:t})=>t?.user_id===Number(e)&&(i.reload(),o())),[e]),{...i,figures:a}}function re({id:e}){let{say:t}=T(),{value:n,figures:r,error:i,reload:a}=ne(e);return n?g`<${ie} id=${e} user=${n} figures=${r} error=${i} reload=${a} />`:i?g`<h1>${t(`viewer.title`)}</h1><${b} error=${i} onRetry=${a} />`:g`<${y} rows=${6} />`}function ie({id:e,user:n,figures:r,error:i,reload:a}){let{client:s,say:c}=T();u(n.name);let l=z(n),[d,f]=_(null),p=t(n),m=()=>oe(s,n).then(()=>f(null),f),h=Object.fromEntries(te.map(e=>[e,c(`viewer.${e}`)])),v=p&&g` <span class="mark-anonymized">${c(`privacy.is_anonymized`)}</span>`;return g`<p class="back"><a href="#/viewers">${c(`viewer.all`)}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${n.name}${v}</h1>
        <p class="quiet">${ae(n,r,c).join(` · `)}</p>
      </div>
      <div class="bar">
        ${!p&&g`<${q} user=${n} />`}
        <button onClick=${m}>${c(`export`)}</button>
      </div>
    </div>
    <${b} error=${d??i} onRetry=${d?null:a} />
    <${o} label=${c(`viewer.title`)} names=${h}>
      ${t=>g`${t===`overview`&&g`<${Q} user=${n} figures=${r} changes=${l} />
          <${se} id=${e} />`}
        ${t===`wallet`&&g`<${$} user=${n} changes=${l} reload=${a} />`}
        ${t===`purchases`&&g`<${ce} id=${e} />`}
        ${t===`items`&&g`<${G} user=${n} reload=${a} />`}
        ${t===`pet`&&g`<${X} user=${n} reload=${a} />`}
        ${t===`privacy`&&g`<${E} user=${n} isAnonymized=${p} reload=${a} />`}`}
    <//>`}function ae(e,t,n){let{sub:i,seen:a}=t??{};return[i&&n(`viewer.sub`,{tier:String(i.tier),months:i.subscribed_length}),n(`viewer.since`,{date:n.date(r(e,t))}),a&&n(`viewer.seen`,{ago:n.ago(a)})].filter(Boolean)}async function oe(e,t){let n=t.user_id,r={user:t};for(let t of ee){r[t]=[];for await(let i of e.list(`/users/${n}/${t}`,{query:{limit:1e3}}))r[t].push(i)}let i=Object.assign(document.createElement(`a`),{download:`viewer-${n}.json`});i.href=URL.createObjectURL(new Blob([JSON.stringify(r,null,2)],{type:`application/json`})),i.click(),URL.revokeObjectURL(i.href)}function se({id:t}){let{say:n}=T(),r=m(()=>Object.assign(e=>e.user_id===Number(t),{key:t}),[t]),a=i({paths:m(()=>[`/users/${t}/events?`],[t]),matches:r});return g`<${e} chunks=${a.chunks} newIds=${a.newIds} label=${n(`nav.activity`)} />
    ${a.size===0&&!a.busy&&!a.error&&g`<${v}>${n(`viewer.no_events`)}<//>`}
    <${S} list=${a} scrolls />`}function ce({id:e}){let{say:t}=T();return g`<${D} path=${`/users/${e}/purchases?limit=20`} matches=${({user_id:t})=>t===Number(e)} label=${t(`viewer.purchases`)}>
    <${v}>${t(`viewer.no_purchases`)}<//>
  <//>`}export{re as Viewer};