
import{C as e,E as t,S as n,_ as r,p as i,w as a}from"./first.js";import{C as o,D as s,S as c,T as l,k as u,p as d,w as f,x as p}from"./common.js";function m(e,n){let[r,i]=t(e);return r===`plain`?``:n(`event.${r}`,i)}function h({text:e}){let{say:t}=c(),[n,r]=o(!1),[i,a]=o(!1),d=s(null),f=!n&&(e.length>=60||e.includes(`
`));return l(()=>{if(!f)return;let e=new ResizeObserver(([{target:e}])=>a(e.scrollHeight>e.clientHeight));return e.observe(d.current),()=>e.disconnect()},[e,f]),u`<div ref=${d} class=${`words ${f?`clipped`:``}`} dir="auto">${e}</div>
    ${i&&u`<button class="quiet" aria-expanded=${n} onClick=${()=>r(!n)}>
      ${t(n?`less`:`expand`)}
    </button>`}`}function g({name:e,values:t}){let{say:n}=c(),r=e===`gifts_anonymous`?`sum.gifts`:`sum.${e}`,[i,a]=n.has(r)?n(r,t).split(/[<>]/):[``,``];return u`<strong class="sum" aria-hidden="true">${i}${a&&u`<small>${a}</small>`}</strong>`}function _({event:{tier:e,details:t},values:n}){let{say:r}=c(),i=t?.is_gift||t?.recipient,a=e??n.tier;return[a&&u` <span class="mark" aria-hidden="true">${r(`mark.tier`,{tier:String(a)})}</span>`,t?.is_prime&&u` <span class="mark">${r(`mark.prime`)}</span>`,i&&u` <span class="mark">${r(`mark.gift`)}</span>`]}const v=p(({event:r,isNew:i,isLast:o,Lazy:s})=>{let{say:l}=c(),f=e(r),[p,v]=t(r),y=m(r,l),b=f===`notice`&&s?.noticeOf(r,l)||a(r),x=l.has(`short.${p}`)?l(`short.${p}`):y,{occurred_at:S}=r,C=Date.now()-Date.parse(S)>864e5;return u`<div role="listitem" tabindex="-1" class=${`row ${f} ${i?`new`:``} ${o?`last`:``}`}>
    <${d} name=${f} />
    <div class="what">
      <a class="name" dir="auto" title=${r.user_name} href=${`#/viewers/${r.user_id}`}>
        ${r.user_name}
      </a>${` `}
      <span class="kind unseen">${y}</span>
      <span class="short" aria-hidden="true">${x}</span>
      <${_} event=${r} values=${v} />
      ${b&&u`<${h} text=${b} />`}
      ${s&&f===`gift`&&n(r)&&u`<${s.Recipients} reference=${r.reference} />`}
      ${s&&r.document&&u`<${s.Picture} source=${r.document} label=${l(`overlay.document`)} />`}
    </div>
    <${g} name=${p} values=${v} />
    <time datetime=${S} title=${l.time(S)}>${C?l.clock(S):l.ago(S)}</time>
    ${s&&u`<${s.Actions} event=${r} line=${y} />`}
  </div>`});function y({chunk:e,newIds:t,Lazy:n,gaps:r}){let{say:i}=c(),a=s(null),[l,d]=o(!0),p=s(0);f(()=>{let e=new IntersectionObserver(([e])=>{e.isIntersecting||(p.current=a.current.offsetHeight),d(e.isIntersecting)},{rootMargin:`1500px`});return e.observe(a.current),()=>e.disconnect()},[]);let m=e=>i.date(e.occurred_at),h=i.date(Date.now()),g=l?{}:{height:`${p.current||e.events.length*56}px`};return u`<div ref=${a} class="chunk" style=${g}>
    ${l&&e.events.map((a,o)=>{let s=o>0?e.events[o-1]:e.above,c=!s||m(a)!==m(s),l=e.events[o+1],d=!!l&&m(l)!==m(a);return u`${r.length>0&&u`<${n?.Gaps} gaps=${r} above=${s} below=${a} />`}
        ${c&&u`<div class="day" role="presentation" key=${`day ${a.event_id}`}>
          ${m(a)===h?i(`today`):m(a)}
        </div>`}
        <${v} key=${a.event_id} event=${a} isNew=${t.has(a.event_id)} isLast=${d}
          Lazy=${n} />`})}
  </div>`}const b=p(y);function x({chunks:e,newIds:t,label:n}){let{client:r,say:a}=c(),[l,d]=o(null),p=e.length>0;f(()=>{p&&a.withTexts(i(Promise.all([import(`./actions2.js`),import(`./actions.js`),import(`./picture.js`)]).then(([module])=>module)),`stream`,`errors`).then(d)},[p]);let[m,h]=o([]);f(()=>l?.followGaps(r,h),[l]);let g=s(/* @__PURE__ */ new Map),_=e.map((t,n)=>{let r=e[n-1]?.events.at(-1),i=g.current.get(t.id);return i?.events===t.events&&i.above===r?i:{...t,above:r}});return g.current=new Map(_.map(e=>[e.id,e])),u`<div role="list" class="rows" aria-label=${n}>
    ${_.map(e=>u`<${b} key=${e.id} chunk=${e} newIds=${t} Lazy=${l} gaps=${m} />`)}
  </div>`}function S({selected:e,onChange:t}){let{say:n}=c(),i=n=>t(new Set(r.filter(t=>e.has(t)!==(t===n))));return u`<div class="kinds" role="group" aria-label=${n(`activity.kinds`)}>
    ${r.map(t=>u`<button aria-pressed=${e.has(t)} class=${t} onClick=${()=>i(t)}>
        <${d} name=${t} />${n(`kind.${t}`)}
      </button>`)}
  </div>`}export{m as i,S as n,x as r,v as t};