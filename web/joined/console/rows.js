
import{C as e,E as t,S as n,_ as r,p as i,w as a}from"./first.js";import{C as o,D as s,S as c,k as l,p as u,w as d,x as f}from"./common.js";function p(e,n){let[r,i]=t(e);return r===`plain`?``:n(`event.${r}`,i)}function m({text:e}){let{say:t}=c(),[n,r]=o(!1),[i,a]=o(!1),u=s(null),f=!n&&(e.length>=60||e.includes(`
`));return d(()=>{if(!f)return;let e=new ResizeObserver(([{target:e}])=>a(e.scrollHeight>e.clientHeight));return e.observe(u.current),()=>e.disconnect()},[e,f]),l`<div ref=${u} class=${`words ${f?`clipped`:``}`} dir="auto">${e}</div>
    ${i&&l`<button class="quiet" aria-expanded=${n} onClick=${()=>r(!n)}>
      ${t(n?`less`:`expand`)}
    </button>`}`}function h({name:e,values:t}){let{say:n}=c(),r=e===`gifts_anonymous`?`sum.gifts`:`sum.${e}`,[i,a]=n.has(r)?n(r,t).split(/[<>]/):[``,``];return l`<strong class="sum" aria-hidden="true">${i}${a&&l`<small>${a}</small>`}</strong>`}function g({event:{tier:e,details:t},values:n}){let{say:r}=c(),i=t?.is_gift||t?.recipient,a=e??n.tier;return[a&&l` <span class="mark" aria-hidden="true">${r(`mark.tier`,{tier:String(a)})}</span>`,t?.is_prime&&l` <span class="mark">${r(`mark.prime`)}</span>`,i&&l` <span class="mark">${r(`mark.gift`)}</span>`]}const _=f(({event:r,isNew:i,isLast:o,Lazy:s})=>{let{say:d}=c(),f=e(r),[_,v]=t(r),y=p(r,d),b=f===`notice`&&s?.noticeOf(r,d)||a(r),x=d.has(`short.${_}`)?d(`short.${_}`):y,{occurred_at:S}=r,C=Date.now()-Date.parse(S)>864e5;return l`<div role="listitem" tabindex="-1" class=${`row ${f} ${i?`new`:``} ${o?`last`:``}`}>
    <${u} name=${f} />
    <div class="what">
      <a class="name" dir="auto" title=${r.user_name} href=${`#/viewers/${r.user_id}`}>
        ${r.user_name}
      </a>${` `}
      <span class="kind unseen">${y}</span>
      <span class="short" aria-hidden="true">${x}</span>
      <${g} event=${r} values=${v} />
      ${b&&l`<${m} text=${b} />`}
      ${s&&f===`gift`&&n(r)&&l`<${s.Recipients} reference=${r.reference} />`}
      ${s&&r.document&&l`<${s.Picture} source=${r.document} label=${d(`overlay.document`)} />`}
    </div>
    <${h} name=${_} values=${v} />
    <time datetime=${S} title=${d.time(S)}>${C?d.clock(S):d.ago(S)}</time>
    ${s&&l`<${s.Actions} event=${r} line=${y} />`}
  </div>`});function v({chunk:e,newIds:t,Lazy:n,gaps:r}){let{say:i}=c(),a=s(null),[u,f]=o(!0),p=s(0);d(()=>{let e=new IntersectionObserver(([e])=>{e.isIntersecting||(p.current=a.current.offsetHeight),f(e.isIntersecting)},{rootMargin:`1500px`});return e.observe(a.current),()=>e.disconnect()},[]);let m=e=>i.date(e.occurred_at),h=i.date(Date.now()),g=u?{}:{height:`${p.current||e.events.length*56}px`};return l`<div ref=${a} class="chunk" style=${g}>
    ${u&&e.events.map((a,o)=>{let s=o>0?e.events[o-1]:e.above,c=!s||m(a)!==m(s),u=e.events[o+1],d=!!u&&m(u)!==m(a);return l`${r.length>0&&l`<${n?.Gaps} gaps=${r} above=${s} below=${a} />`}
        ${c&&l`<div class="day" role="presentation" key=${`day ${a.event_id}`}>
          ${m(a)===h?i(`today`):m(a)}
        </div>`}
        <${_} key=${a.event_id} event=${a} isNew=${t.has(a.event_id)} isLast=${d}
          Lazy=${n} />`})}
  </div>`}const y=f(v);function b({chunks:e,newIds:t,label:n}){let{client:r,say:a}=c(),[u,f]=o(null),p=e.length>0;d(()=>{p&&a.withTexts(i(Promise.all([import(`./actions2.js`),import(`./actions.js`),import(`./picture.js`)]).then(([module])=>module)),`stream`,`errors`).then(f)},[p]);let[m,h]=o([]);d(()=>u?.followGaps(r,h),[u]);let g=s(/* @__PURE__ */ new Map),_=e.map((t,n)=>{let r=e[n-1]?.events.at(-1),i=g.current.get(t.id);return i?.events===t.events&&i.above===r?i:{...t,above:r}});return g.current=new Map(_.map(e=>[e.id,e])),l`<div role="list" class="rows" aria-label=${n}>
    ${_.map(e=>l`<${y} key=${e.id} chunk=${e} newIds=${t} Lazy=${u} gaps=${m} />`)}
  </div>`}function x({selected:e,onChange:t}){let{say:n}=c(),i=n=>t(new Set(r.filter(t=>e.has(t)!==(t===n))));return l`<div class="kinds" role="group" aria-label=${n(`activity.kinds`)}>
    ${r.map(t=>l`<button aria-pressed=${e.has(t)} class=${t} onClick=${()=>i(t)}>
        <${u} name=${t} />${n(`kind.${t}`)}
      </button>`)}
  </div>`}export{p as i,x as n,b as r,_ as t};