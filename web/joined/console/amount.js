
import{S as e}from"./overlay.js";import{O as t,x as n}from"./common.js";import{c as r}from"./kinds.js";const i=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function a({kind:a,rule:o,amount:s,setAmount:c}){let{say:l}=n(),u=r(a,o),d=Math.max(0,u.filter(e=>e<=s).length-1),f=i(o,s),p=l(`kind.${a}`),m=f?l(`alerts.variation_of`,{kind:p,minimum:f.minimum}):p,h=e=>o.variations.some(({minimum:t})=>t===e);return t`<div class="amount-slider">
    <label>
      <span>${l(`alerts.test_amount`)} <strong>${l.number(s)}</strong></span>
      <input type="range" min="0" max=${u.length-1} step="1" value=${d}
        aria-valuetext=${`${l.number(u[d])}: ${m}`}
        onInput=${e=>c(u[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${u.map(e=>t`<span key=${e} class=${h(e)?`minimum`:``}>${l.compact(e)}</span>`)}
    </div>
    ${o.variations.length>0&&t`<p class="played">
      <span class="swatch" style=${{background:e(a,s,(f??o).color)}}></span>
      ${l(`alerts.plays`)} <strong>${m}</strong></p>`}
  </div>`}export{i as n,a as t};