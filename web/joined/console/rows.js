
import{C as e,E as t,S as n,_ as r,p as i,w as a}from"./first.js";import{C as o,E as s,O as c,S as l,b as u,p as d,x as f}from"./common.js";function p(e,n){let[r,i]=t(e);return r===`plain`?``:n(`event.${r}`,i)}function m({text:e}){let{say:t}=f(),[n,r]=l(!1),i=e.length>400||e.split(`
`).length>5;return c`<div class=${`words ${i&&!n?`clipped`:``}`} dir="auto">${e}</div>
    ${i&&c`<button class="quiet" aria-expanded=${n} onClick=${()=>r(!n)}>
      ${t(n?`less`:`expand`)}
    </button>`}`}function h({name:e,values:t}){let{say:n}=f(),r=e===`gifts_anonymous`?`sum.gifts`:`sum.${e}`,[i,a]=n.has(r)?n(r,t).split(/[<>]/):[``,``];return c`<strong class="sum" aria-hidden="true">${i}${a&&c`<small>${a}</small>`}</strong>`}function g({event:{tier:e,details:t},values:n}){let{say:r}=f(),i=t?.is_gift||t?.recipient,a=e??n.tier;return[a&&c` <span class="mark" aria-hidden="true">${r(`mark.tier`,{tier:String(a)})}</span>`,t?.is_prime&&c` <span class="mark">${r(`mark.prime`)}</span>`,i&&c` <span class="mark">${r(`mark.gift`)}</span>`]}const _=u(({event:r,isNew:i,isLast:o,Lazy:s})=>{let{say:l}=f(),u=e(r),[_,v]=t(r),y=p(r,l),b=u===`notice`&&s?.noticeOf(r,l)||a(r),x=l.has(`short.${_}`)?l(`short.${_}`):y,{occurred_at:S}=r,C=Date.now()-Date.parse(S)>864e5;return c`<div role="listitem" tabindex="-1" class=${`row ${u} ${i?`new`:``} ${o?`last`:``}`}>
    <${d} name=${u} />
    <div class="what">
      <a class="name" dir="auto" title=${r.user_name} href=${`#/viewers/${r.user_id}`}>
        ${r.user_name}
      </a>${` `}
      <span class="kind unseen">${y}</span>
      <span class="short" aria-hidden="true">${x}</span>
      <${g} event=${r} values=${v} />
      ${b&&c`<${m} text=${b} />`}
      ${s&&u===`gift`&&n(r)&&c`<${s.Recipients} reference=${r.reference} />`}
      ${s&&r.document&&c`<${s.Picture} source=${r.document} label=${l(`overlay.document`)} />`}
    </div>
    <${h} name=${_} values=${v} />
    <time datetime=${S} title=${l.time(S)}>${C?l.clock(S):l.ago(S)}</time>
    ${s&&c`<${s.Actions} event=${r} line=${y} />`}
  </div>`});function v({chunk:e,newIds:t,Lazy:n,gaps:r}){let{say:i}=f(),a=s(null),[u,d]=l(!0),p=s(0);o(()=>{let e=new IntersectionObserver(([e])=>{e.isIntersecting||(p.current=a.current.offsetHeight),d(e.isIntersecting)},{rootMargin:`1500px`});return e.observe(a.current),()=>e.disconnect()},[]);let m=e=>i.date(e.occurred_at),h=i.date(Date.now()),g=u?{}:{height:`${p.current||e.events.length*56}px`};return c`<div ref=${a} class="chunk" style=${g}>
    ${u&&e.events.map((a,o)=>{let s=o>0?e.events[o-1]:e.above,l=!s||m(a)!==m(s),u=e.events[o+1],d=!!u&&m(u)!==m(a);return c`${r.length>0&&c`<${n?.Gaps} gaps=${r} above=${s} below=${a} />`}
        ${l&&c`<div class="day" role="presentation" key=${`day ${a.event_id}`}>
          ${m(a)===h?i(`today`):m(a)}
        </div>`}
        <${_} key=${a.event_id} event=${a} isNew=${t.has(a.event_id)} isLast=${d}
          Lazy=${n} />`})}
  </div>`}const y=u(v);function b({chunks:e,newIds:t,label:n}){let{client:r,say:a}=f(),[u,d]=l(null),p=e.length>0;o(()=>{p&&a.withTexts(i(Promise.all([import(`./actions2.js`),import(`./actions.js`),import(`./picture.js`)]).then(([module])=>module)),`stream`,`errors`).then(d)},[p]);let[m,h]=l([]);o(()=>u?.followGaps(r,h),[u]);let g=s(/* @__PURE__ */ new Map),_=e.map((t,n)=>{let r=e[n-1]?.events.at(-1),i=g.current.get(t.id);return i?.events===t.events&&i.above===r?i:{...t,above:r}});return g.current=new Map(_.map(e=>[e.id,e])),c`<div role="list" class="rows" aria-label=${n}>
    ${_.map(e=>c`<${y} key=${e.id} chunk=${e} newIds=${t} Lazy=${u} gaps=${m} />`)}
  </div>`}function x({selected:e,onChange:t}){let{say:n}=f(),i=n=>t(new Set(r.filter(t=>e.has(t)!==(t===n))));return c`<div class="kinds" role="group" aria-label=${n(`activity.kinds`)}>
    ${r.map(t=>c`<button aria-pressed=${e.has(t)} class=${t} onClick=${()=>i(t)}>
        <${d} name=${t} />${n(`kind.${t}`)}
      </button>`)}
  </div>`}export{p as i,x as n,b as r,_ as t};