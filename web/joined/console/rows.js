
import{C as e,E as t,S as n,_ as r,p as i,w as a}from"./first.js";import{A as o,E as s,O as c,S as l,T as u,p as d,w as f,x as p}from"./common.js";function m(e,n){let[r,i]=t(e);return r===`plain`?``:n(`event.${r}`,i)}function h({text:e}){let{say:t}=l(),[n,r]=f(!1),[i,a]=f(!1),u=c(null),d=!n&&(e.length>=60||e.includes(`
`));return s(()=>{if(!d)return;let e=new ResizeObserver(([{target:e}])=>a(e.scrollHeight>e.clientHeight));return e.observe(u.current),()=>e.disconnect()},[e,d]),o`<div ref=${u} class=${`words ${d?`clipped`:``}`} dir="auto">${e}</div>
    ${i&&o`<button class="quiet" aria-expanded=${n} onClick=${()=>r(!n)}>
      ${t(n?`less`:`expand`)}
    </button>`}`}function g({name:e,values:t}){let{say:n}=l(),r=e===`gifts_anonymous`?`sum.gifts`:`sum.${e}`,[i,a]=n.has(r)?n(r,t).split(/[<>]/):[``,``];return o`<strong class="sum" aria-hidden="true">${i}${a&&o`<small>${a}</small>`}</strong>`}function _({event:{tier:e,details:t},values:n}){let{say:r}=l(),i=t?.is_gift||t?.recipient,a=e??n.tier;return[a&&o` <span class="mark" aria-hidden="true">${r(`mark.tier`,{tier:String(a)})}</span>`,t?.is_prime&&o` <span class="mark">${r(`mark.prime`)}</span>`,i&&o` <span class="mark">${r(`mark.gift`)}</span>`]}const v=p(({event:r,isNew:i,isLast:s,Lazy:c})=>{let{say:u}=l(),f=e(r),[p,v]=t(r),y=m(r,u),b=f===`notice`&&c?.noticeOf(r,u)||a(r),x=u.has(`short.${p}`)?u(`short.${p}`):y,{occurred_at:S}=r,C=Date.now()-Date.parse(S)>864e5;return o`<div role="listitem" tabindex="-1" class=${`row ${f} ${i?`new`:``} ${s?`last`:``}`}>
    <${d} name=${f} />
    <div class="what">
      <a class="name" dir="auto" title=${r.user_name} href=${`#/viewers/${r.user_id}`}>
        ${r.user_name}
      </a>${` `}
      <span class="kind unseen">${y}</span>
      <span class="short" aria-hidden="true">${x}</span>
      <${_} event=${r} values=${v} />
      ${b&&o`<${h} text=${b} />`}
      ${c&&f===`gift`&&n(r)&&o`<${c.Recipients} reference=${r.reference} />`}
      ${c&&r.document&&o`<${c.Picture} source=${r.document} label=${u(`overlay.document`)} />`}
    </div>
    <${g} name=${p} values=${v} />
    <time datetime=${S} title=${u.time(S)}>${C?u.clock(S):u.ago(S)}</time>
    ${c&&o`<${c.Actions} event=${r} line=${y} />`}
  </div>`});function y({chunk:e,newIds:t,Lazy:n,gaps:r}){let{say:i}=l(),a=c(null),[s,d]=f(!0),p=c(0);u(()=>{let e=new IntersectionObserver(([e])=>{e.isIntersecting||(p.current=a.current.offsetHeight),d(e.isIntersecting)},{rootMargin:`1500px`});return e.observe(a.current),()=>e.disconnect()},[]);let m=e=>i.date(e.occurred_at),h=i.date(Date.now()),g=s?{}:{height:`${p.current||e.events.length*56}px`};return o`<div ref=${a} class="chunk" style=${g}>
    ${s&&e.events.map((a,s)=>{let c=s>0?e.events[s-1]:e.above,l=!c||m(a)!==m(c),u=e.events[s+1],d=!!u&&m(u)!==m(a);return o`${r.length>0&&o`<${n?.Gaps} gaps=${r} above=${c} below=${a} />`}
        ${l&&o`<div class="day" role="presentation" key=${`day ${a.event_id}`}>
          ${m(a)===h?i(`today`):m(a)}
        </div>`}
        <${v} key=${a.event_id} event=${a} isNew=${t.has(a.event_id)} isLast=${d}
          Lazy=${n} />`})}
  </div>`}const b=p(y);function x({chunks:e,newIds:t,label:n}){let{client:r,say:a}=l(),[s,d]=f(null),p=e.length>0;u(()=>{p&&a.withTexts(i(Promise.all([import(`./actions2.js`),import(`./actions.js`),import(`./draft.js`),import(`./picture.js`)]).then(([module])=>module)),`stream`,`errors`).then(d)},[p]);let[m,h]=f([]);u(()=>s?.followGaps(r,h),[s]);let g=c(/* @__PURE__ */ new Map),_=e.map((t,n)=>{let r=e[n-1]?.events.at(-1),i=g.current.get(t.id);return i?.events===t.events&&i.above===r?i:{...t,above:r}});return g.current=new Map(_.map(e=>[e.id,e])),o`<div role="list" class="rows" aria-label=${n}>
    ${_.map(e=>o`<${b} key=${e.id} chunk=${e} newIds=${t} Lazy=${s} gaps=${m} />`)}
  </div>`}function S({selected:e,onChange:t}){let{say:n}=l(),i=n=>t(new Set(r.filter(t=>e.has(t)!==(t===n))));return o`<div class="kinds" role="group" aria-label=${n(`activity.kinds`)}>
    ${r.map(t=>o`<button aria-pressed=${e.has(t)} class=${t} onClick=${()=>i(t)}>
        <${d} name=${t} />${n(`kind.${t}`)}
      </button>`)}
  </div>`}export{m as i,S as n,x as r,v as t};