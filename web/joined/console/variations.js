
import{O as e,g as t,i as n,j as r,k as i,t as a}from"./overlay.js";import{m as o}from"./forms.js";import{O as s,l as c,x as l}from"./common.js";import{i as u,n as d,r as f,t as p}from"./template.js";function m({kind:e,rule:n,settings:r,raw:i,played:a,change:o,show:u,flush:d,onTest:p}){let{say:m}=l(),{forget:g}=f(d),_=Array.isArray(i)?i:[],v=Math.max(n.minimum,t(e),..._.map(({minimum:e})=>Number(e)||0)),y=_.map((e,t)=>({variation:e,index:t}));y.sort((e,t)=>e.variation.minimum-t.variation.minimum);let b=()=>o([`variations`],[..._,{minimum:v*10}]),x=e=>{o([`variations`],_.filter((t,n)=>n!==e)),g([_[e].picture])};return s`<h2>${m(`alerts.variations`)}</h2>
    ${y.map(({variation:t,index:i})=>s`<${h} key=${i} kind=${e} variation=${t} rule=${n}
        settings=${r} flush=${d} played=${a} onTest=${p} onRemove=${()=>x(i)}
        change=${(e,t)=>o([`variations`,String(i),...e],t)}
        show=${(e,t)=>u([`variations`,String(i),...e],t)} />`)}
    ${_.length<20&&s`<${c} class="add" onClick=${b}>+ ${m(`alerts.add_variation`)}<//>`}`}function h({kind:t,variation:f,rule:m,settings:h,played:g,change:_,show:v,flush:y,onRemove:b,onTest:x}){let{say:S}=l(),C=S(`alerts.variation_of`,{kind:S(`kind.${t}`),minimum:f.minimum}),w=e=>t=>_([e],t||void 0),T=(e,t)=>{let n=a(S,e,t,`alerts.as_alert`);return s`<${o} label=${S(`alerts.${e}`)} value=${f[e]??``} options=${n}
      onCommit=${w(e)} />`},E=e=>Number(e)>0&&_([`minimum`],Number(e)),D=Number(f.minimum)===g;return s`<section class=${`card variation ${D?`played`:``}`} aria-label=${C}>
    <div class="bar spread">
      <h3>${C} ${D&&s`<small>${S(`alerts.in_preview`)}</small>`}</h3>
      <${c} aria-label=${S(`alerts.test_of`,{kind:C})} onClick=${()=>x(f.minimum)}>
        ${S(`alerts.test`)}<//></div>
    <${p} kind=${t} value=${f.text??``} placeholder=${m.text||S(`alerts.as_alert`)}
      onType=${e=>v([`text`],e)} onCommit=${w(`text`)} />
    <div class="fields">
      <${o} label=${S(`alerts.minimum.${t}`)} type="number" min="1" step="1" value=${f.minimum}
        onCommit=${E} />
      <${u} own=${f.color} automatic=${r(t,f.minimum,m.color)}
        onCommit=${e=>_([`color`],e)} />
      ${T(`theme`,i)} ${T(`sound`,n(h))} ${T(`animation`,e)}
    </div>
    <${d} picture=${f.picture} hint=${S(`alerts.picture_how`)} change=${_} flush=${y} />
    <${c} class="quiet bad" aria-label=${`${S(`alerts.remove_variation`)}: ${C}`} onClick=${b}>
      ${S(`alerts.remove_variation`)}<//>
  </section>`}export{m as Variations};