
import{S as e,b as t,i as n,t as r,y as i}from"./overlay.js";import{m as a}from"./forms.js";import{O as o,l as s,x as c}from"./common.js";import{i as l,n as u,r as d,t as f}from"./template.js";import{i as p}from"./kinds.js";function m({kind:e,rule:t,settings:n,raw:r,played:i,change:a,show:l,flush:u,onTest:f}){let{say:m}=c(),{forget:g}=d(u),_=Array.isArray(r)?r:[],v=Math.max(t.minimum,p(e),..._.map(({minimum:e})=>Number(e)||0)),y=_.map((e,t)=>({variation:e,index:t}));y.sort((e,t)=>e.variation.minimum-t.variation.minimum);let b=()=>a([`variations`],[..._,{minimum:v*10}]),x=e=>{a([`variations`],_.filter((t,n)=>n!==e)),g([_[e].picture])};return o`<h2>${m(`alerts.variations`)}</h2>
    ${y.map(({variation:r,index:s})=>o`<${h} key=${s} kind=${e} variation=${r} rule=${t}
        settings=${n} flush=${u} played=${i} onTest=${f} onRemove=${()=>x(s)}
        change=${(e,t)=>a([`variations`,String(s),...e],t)}
        show=${(e,t)=>l([`variations`,String(s),...e],t)} />`)}
    ${_.length<20&&o`<${s} class="add" onClick=${b}>+ ${m(`alerts.add_variation`)}<//>`}`}function h({kind:d,variation:p,rule:m,settings:h,played:g,change:_,show:v,flush:y,onRemove:b,onTest:x}){let{say:S}=c(),C=S(`alerts.variation_of`,{kind:S(`kind.${d}`),minimum:p.minimum}),w=e=>t=>_([e],t||void 0),T=(e,t)=>{let n=r(S,e,t,`alerts.as_alert`);return o`<${a} label=${S(`alerts.${e}`)} value=${p[e]??``} options=${n}
      onCommit=${w(e)} />`},E=e=>Number(e)>0&&_([`minimum`],Number(e)),D=Number(p.minimum)===g;return o`<section class=${`card variation ${D?`played`:``}`} aria-label=${C}>
    <div class="bar spread">
      <h3>${C} ${D&&o`<small>${S(`alerts.in_preview`)}</small>`}</h3>
      <${s} aria-label=${S(`alerts.test_of`,{kind:C})} onClick=${()=>x(p.minimum)}>
        ${S(`alerts.test`)}<//></div>
    <${f} kind=${d} value=${p.text??``} placeholder=${m.text||S(`alerts.as_alert`)}
      onType=${e=>v([`text`],e)} onCommit=${w(`text`)} />
    <div class="fields">
      <${a} label=${S(`alerts.minimum.${d}`)} type="number" min="1" step="1" value=${p.minimum}
        onCommit=${E} />
      <${l} own=${p.color} automatic=${e(d,p.minimum,m.color)}
        onCommit=${e=>_([`color`],e)} />
      ${T(`theme`,t)} ${T(`sound`,n(h))} ${T(`animation`,i)}
    </div>
    <${u} picture=${p.picture} hint=${S(`alerts.picture_how`)} change=${_} flush=${y} />
    <${s} class="quiet bad" aria-label=${`${S(`alerts.remove_variation`)}: ${C}`} onClick=${b}>
      ${S(`alerts.remove_variation`)}<//>
  </section>`}export{m as Variations};