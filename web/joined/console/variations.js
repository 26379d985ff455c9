
import{O as e,g as t,i as n,j as r,k as i,t as a}from"./overlay.js";import{d as o,h as s,i as c}from"./forms.js";import{O as l,l as u,x as d}from"./common.js";import{i as f,n as p,r as m,t as h}from"./template.js";function g({kind:e,rule:n,settings:r,raw:i,played:a,change:o,show:s,flush:f,onTest:p}){let{say:h}=d(),{forget:g}=m(f),v=Array.isArray(i)?i:[],y=Math.max(n.minimum,t(e),...v.map(({minimum:e})=>Number(e)||0)),b=v.map((e,t)=>({variation:e,index:t}));b.sort((e,t)=>e.variation.minimum-t.variation.minimum);let x=()=>{o([`variations`],[...v,{minimum:y*10}]),setTimeout(()=>[...document.querySelectorAll(`.variation input[type=number]`)].pop()?.focus())},S=e=>{o([`variations`],v.filter((t,n)=>n!==e)),g([v[e].picture]),c()};return l`<h2>${h(`alerts.variations`)}</h2>
    ${b.map(({variation:t,index:i})=>l`<${_} key=${i} kind=${e} variation=${t} rule=${n}
        settings=${r} flush=${f} played=${a} onTest=${p} onRemove=${()=>S(i)}
        change=${(e,t)=>o([`variations`,String(i),...e],t)}
        show=${(e,t)=>s([`variations`,String(i),...e],t)} />`)}
    ${v.length<20&&l`<${u} class="add" onClick=${x}>+ ${h(`alerts.add_variation`)}<//>`}`}function _({kind:t,variation:c,rule:m,settings:g,played:_,change:v,show:y,flush:b,onRemove:x,onTest:S}){let{say:C}=d(),w=C(`alerts.variation_of`,{kind:C(`kind.${t}`),minimum:c.minimum}),T=e=>t=>v([e],t||void 0),E=(e,t)=>{let n=a(C,e,t,`alerts.as_alert`);return l`<${s} label=${C(`alerts.${e}`)} value=${c[e]??``} options=${n}
      onCommit=${T(e)} />`},D=e=>Number(e)>0&&v([`minimum`],Number(e)),O=Number(c.minimum)===_;return l`<section class=${`card variation ${O?`played`:``}`} aria-label=${w}>
    <div class="bar spread">
      <h3>${w} ${O&&l`<small>${C(`alerts.in_preview`)}</small>`}</h3>
      <${u} aria-label=${C(`alerts.test_of`,{kind:w})} onClick=${()=>S(c.minimum)}>
        ${C(`alerts.test`)}<//></div>
    <${h} kind=${t} value=${c.text??``} placeholder=${m.text||C(`alerts.as_alert`)}
      onType=${e=>y([`text`],e)} onCommit=${T(`text`)} />
    <div class="fields">
      <${s} label=${C(`alerts.minimum.${t}`)} type="number" min="1" step="1" value=${c.minimum}
        onCommit=${D} />
      <${f} own=${c.color} automatic=${r(t,c.minimum,m.color)}
        onCommit=${e=>v([`color`],e)} />
      ${E(`theme`,i)} ${E(`sound`,n(g))} ${E(`animation`,e)}
    </div>
    <${p} picture=${c.picture} hint=${C(`alerts.picture_how`)} change=${v} flush=${b} />
    <p><${o} className="quiet bad" label=${C(`alerts.remove_variation`)} act=${x}
      description=${`${C(`alerts.remove_variation`)}: ${w}`} question=${C(`alerts.remove_variation_sure`)} /></p>
  </section>`}export{g as Variations};