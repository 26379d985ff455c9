
import{O as e,g as t,i as n,j as r,k as i,t as a}from"./overlay.js";import{c as o,f as s}from"./forms.js";import{A as c,S as l,l as u}from"./common.js";import{i as d,n as f,r as p,t as m}from"./template.js";function h({kind:e,rule:n,settings:r,raw:i,played:a,change:o,type:s,flush:d,onTest:f}){let{say:m}=l(),{forget:h}=p(d),_=Array.isArray(i)?i:[],v=Math.max(n.minimum,t(e),..._.map(({minimum:e})=>Number(e)||0)),y=_.map((e,t)=>({variation:e,index:t}));y.sort((e,t)=>e.variation.minimum-t.variation.minimum);let b=()=>{o([`variations`],[..._,{minimum:v*10}]),setTimeout(()=>[...document.querySelectorAll(`.variation input[type=number]`)].pop()?.focus())},x=e=>{o([`variations`],_.filter((t,n)=>n!==e)),h([_[e].picture])};return c`<h2>${m(`alerts.variations`)}</h2>
    ${y.map(({variation:t,index:i})=>c`<${g} key=${i} kind=${e} variation=${t} rule=${n}
        settings=${r} flush=${d} played=${a} onTest=${f} onRemove=${()=>x(i)}
        change=${(e,t)=>o([`variations`,String(i),...e],t)}
        type=${(e,t)=>s([`variations`,String(i),...e],t)} />`)}
    ${_.length<20&&c`<${u} class="add" onClick=${b}>+ ${m(`alerts.add_variation`)}<//>`}`}function g({kind:t,variation:p,rule:h,settings:g,played:_,change:v,type:y,flush:b,onRemove:x,onTest:S}){let{say:C}=l(),w=C(`alerts.variation_of`,{kind:C(`kind.${t}`),minimum:p.minimum}),T=e=>t=>v([e],t||void 0),E=(e,t)=>{let n=a(C,e,t,`alerts.as_alert`);return c`<${s} label=${C(`alerts.${e}`)} value=${p[e]??``} options=${n}
      onCommit=${T(e)} />`},D=e=>Number(e)>0&&v([`minimum`],Number(e)),O=Number(p.minimum)===_;return c`<section class=${`card variation ${O?`played`:``}`} aria-label=${w}>
    <div class="bar spread">
      <h3>${w} ${O&&c`<small>${C(`alerts.in_preview`)}</small>`}</h3>
      <${u} aria-label=${C(`alerts.test_of`,{kind:w})} onClick=${()=>S(p.minimum)}>
        ${C(`alerts.test`)}<//></div>
    <${m} kind=${t} value=${p.text??``} placeholder=${h.text||C(`alerts.as_alert`)}
      onType=${e=>y([`text`],e)} onCommit=${T(`text`)} />
    <div class="fields">
      <${s} label=${C(`alerts.minimum.${t}`)} type="number" min="1" step="1" value=${p.minimum}
        onCommit=${D} />
      <${d} own=${p.color} automatic=${r(t,p.minimum,h.color)}
        onCommit=${e=>v([`color`],e)} />
      ${E(`theme`,i)} ${E(`sound`,n(g))} ${E(`animation`,e)}
    </div>
    <${f} picture=${p.picture} hint=${C(`alerts.picture_how`)} change=${v} flush=${b} />
    <p><${o} className="quiet bad" label=${C(`alerts.remove_variation`)} act=${x}
      description=${`${C(`alerts.remove_variation`)}: ${w}`} question=${C(`alerts.remove_variation_sure`)} /></p>
  </section>`}export{h as Variations};