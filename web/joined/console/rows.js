
import{C as e,E as t,S as n,_ as r,p as i,w as a}from"./first.js";import{A as o,C as s,O as c,S as l,T as u,m as d,w as f}from"./common.js";function p(e,n){let[r,i]=t(e);return r===`plain`?``:n(`event.${r}`,i)}function m({text:e}){let{say:t}=s(),[n,r]=f(!1),i=e.length>400||e.split(`
`).length>5;return o`<div class=${`words ${i&&!n?`clipped`:``}`} dir="auto">${e}</div>
    ${i&&o`<button class="quiet" aria-expanded=${n} onClick=${()=>r(!n)}>
      ${t(n?`less`:`expand`)}
    </button>`}`}function h({name:e,values:t}){let{say:n}=s(),r=e===`gifts_anonymous`?`sum.gifts`:`sum.${e}`,[i,a]=n.has(r)?n(r,t).split(/[<>]/):[``,``];return o`<strong class="sum" aria-hidden="true">${i}${a&&o`<small>${a}</small>`}</strong>`}function g({event:{tier:e,details:t},values:n}){let{say:r}=s(),i=t?.is_gift||t?.recipient,a=e??n.tier;return[a&&o` <span class="mark" aria-hidden="true">${r(`mark.tier`,{tier:String(a)})}</span>`,t?.is_prime&&o` <span class="mark">${r(`mark.prime`)}</span>`,i&&o` <span class="mark">${r(`mark.gift`)}</span>`]}const _=l(({event:r,isNew:i,isLast:c,Lazy:l})=>{let{say:u}=s(),f=e(r),[_,v]=t(r),y=p(r,u),b=f===`notice`&&l?.noticeOf(r,u)||a(r),x=u.has(`short.${_}`)?u(`short.${_}`):y,{occurred_at:S}=r,C=Date.now()-Date.parse(S)>864e5;return o`<div role="listitem" tabindex="-1" class=${`row ${f} ${i?`new`:``} ${c?`last`:``}`}>
    <${d} name=${f} />
    <div class="what">
      <a class="name" dir="auto" title=${r.user_name} href=${`#/viewers/${r.user_id}`}>
        ${r.user_name}
      </a>${` `}
      <span class="kind unseen">${y}</span>
      <span class="short" aria-hidden="true">${x}</span>
      <${g} event=${r} values=${v} />
      ${b&&o`<${m} text=${b} />`}
      ${l&&f===`gift`&&n(r)&&o`<${l.Recipients} reference=${r.reference} />`}
      ${l&&r.document&&o`<${l.Picture} source=${r.document} label=${u(`overlay.document`)} />`}
    </div>
    <${h} name=${_} values=${v} />
    <time datetime=${S} title=${u.time(S)}>${C?u.clock(S):u.ago(S)}</time>
    ${l&&o`<${l.Actions} event=${r} line=${y} />`}
  </div>`});function v({chunk:e,newIds:t,Lazy:n,gaps:r}){let{say:i}=s(),a=c(null),[l,d]=f(!0),p=c(0);u(()=>{let e=new IntersectionObserver(([e])=>{e.isIntersecting||(p.current=a.current.offsetHeight),d(e.isIntersecting)},{rootMargin:`1500px`});return e.observe(a.current),()=>e.disconnect()},[]);let m=e=>i.date(e.occurred_at),h=i.date(Date.now()),g=l?{}:{height:`${p.current||e.events.length*56}px`};return o`<div ref=${a} class="chunk" style=${g}>
    ${l&&e.events.map((a,s)=>{let c=s>0?e.events[s-1]:e.above,l=!c||m(a)!==m(c),u=e.events[s+1],d=!!u&&m(u)!==m(a);return o`${r.length>0&&o`<${n?.Gaps} gaps=${r} above=${c} below=${a} />`}
        ${l&&o`<div class="day" role="presentation" key=${`day ${a.event_id}`}>
          ${m(a)===h?i(`today`):m(a)}
        </div>`}
        <${_} key=${a.event_id} event=${a} isNew=${t.has(a.event_id)} isLast=${d}
          Lazy=${n} />`})}
  </div>`}const y=l(v);function b({chunks:e,newIds:t,label:n}){let{client:r,say:a}=s(),[l,d]=f(null),p=e.length>0;u(()=>{p&&a.withTexts(i(Promise.all([import(`./actions2.js`),import(`./actions.js`),import(`./picture.js`)]).then(([module])=>module)),`stream`,`errors`).then(d)},[p]);let[m,h]=f([]);u(()=>l?.followGaps(r,h),[l]);let g=c(/* @__PURE__ */ new Map),_=e.map((t,n)=>{let r=e[n-1]?.events.at(-1),i=g.current.get(t.id);return i?.events===t.events&&i.above===r?i:{...t,above:r}});return g.current=new Map(_.map(e=>[e.id,e])),o`<div role="list" class="rows" aria-label=${n}>
    ${_.map(e=>o`<${y} key=${e.id} chunk=${e} newIds=${t} Lazy=${l} gaps=${m} />`)}
  </div>`}function x({selected:e,onChange:t}){let{say:n}=s(),i=n=>t(new Set(r.filter(t=>e.has(t)!==(t===n))));return o`<div class="kinds" role="group" aria-label=${n(`activity.kinds`)}>
    ${r.map(t=>o`<button aria-pressed=${e.has(t)} class=${t} onClick=${()=>i(t)}>
        <${d} name=${t} />${n(`kind.${t}`)}
      </button>`)}
  </div>`}export{p as i,x as n,b as r,_ as t};