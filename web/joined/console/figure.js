
import{A as e,C as t}from"./common.js";const n=e=>String(e).padStart(2,`0`);function r(e){let t=Math.max(0,Math.floor(e/1e3));return`${Math.floor(t/3600)}:${n(Math.floor(t/60)%60)}:${n(t%60)}`}function i({name:n,value:r,usual:i,isPast:a}){let{say:o}=t(),s=Math.round(i??0),c=r-s,l=c===0?`same`:c>0?`more`:`less`;return e`<div class="card figure">
    <span class="quiet">${o(`figure.${n}`)}</span>
    <strong class="big">${o.compact(r)}</strong>
    ${i!==void 0&&e`<span class=${`change ${c>0?`good`:`quiet`}`}>
      ${s===0&&c>0?o(`compare.usual`,{value:`0`}):o(`compare.${a?`past_`:``}${l}`,{value:o.compact(Math.abs(c))})}
    </span>`}
  </div>`}export{r as n,i as t};