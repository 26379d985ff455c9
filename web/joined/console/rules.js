
import{B as e,E as t,I as n,J as r,L as i,O as a,R as o,U as s,V as c,W as l,Y as u,k as d,tt as f}from"./common.js";import{i as p,n as m,t as h}from"./sentences.js";import{t as g}from"./units.js";const _=[`plain`,`subscriber`,`cheer`,`raid`],v=[60,300,600,1800,3600,86400],y={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},b={chat:`plain`,other:`rules`},x=[`name`,`enabled`,`amount`,`per_unit`];function S(){let{client:n,say:i,parameters:a,setParameters:o}=r(),{value:c,error:u,reload:d}=t(async()=>(await n.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=a.get(`open`),m=()=>o({open:null}),h=f`<h1>${i(`nav.rules`)}</h1>`;if(!c)return f`${h}<${s} error=${u} onRetry=${d} />${!u&&f`<${l} rows=${4} />`}`;let g=c.find(({rule_id:e})=>String(e)===p),_=c.length>=20,v=f`<button class="main" disabled=${_}
    onClick=${()=>o({open:`new`})}>${i(`rules.new`)}</button>`;return f`<div class="bar spread">${h}${c.length>0&&v}</div>
    <${s} error=${u} onRetry=${d} />
    ${_&&f`<p class="quiet" role="status">${i(`rules.full`,{many:20})}</p>`}
    ${c.length===0&&f`<${e}>${i(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${c.map(e=>f`<${C} key=${e.rule_id} rule=${e} reload=${d} />`)}
    </ul>
    ${p&&!g&&p!==`new`&&f`<p class="error" role="alert">${i(`rules.gone`,{id:p})}</p>`}
    ${(p===`new`||g)&&f`<${w} key=${p} rule=${g??null} onClose=${m} onSaved=${()=>(m(),d())} />`}`}function C({rule:e,reload:t}){let{client:n,say:i,setParameters:l}=r(),{rule_id:d,name:h,enabled:g}=e,[_,v]=u(null),y=`/rules/${d}`,x=e=>e.then(()=>(v(null),t()),e=>(v(e),t()));return f`<li class=${`card ${g?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${c} name=${b[m(e)]??m(e)} /><h2 dir="auto">${h}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${i(g?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${g} aria-label=${i(`rules.enabled_of`,{name:h})}
          onChange=${e=>x(n.patch(y,{enabled:e.currentTarget.checked}))} ...${o()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${p(e,i)}</p>
    <div class="bar">
      <button aria-label=${i(`rules.edit_of`,{name:h})}
        onClick=${()=>l({open:String(d)})}>${i(`edit`)}</button>
      <${a} className="" label=${i(`delete`)} description=${i(`rules.delete_of`,{name:h})}
        question=${i(`rules.delete_sure`)}
          note=${i(`rules.delete_note`)} act=${()=>x(n.delete(y))} />
    </div>
    <${s} error=${_} />
  </li>`}function w({rule:e,onClose:t,onSaved:a}){let{client:o,say:c}=r(),[l]=u(e??{...y,...T(`chat`),every:300}),[b,S]=u(l),[C,w]=u(m(l)),[E,D]=u(null),[O,k]=u(!1),A=e=>S(t=>({...t,...e})),j=h[C]?.hasUnits??!0,M=e=>{let t=e.currentTarget.value;w(t);let n=h[t]?.hasUnits??!0?{}:{per_unit:0};A({...T(t),...n,every:t===`chat`?300:null})},N=async t=>{t.preventDefault(),k(!0);let n=e?x.filter(e=>b[e]!==l[e]):Object.keys(y),r=Object.fromEntries(n.map(e=>[e,b[e]]));try{e?await o.patch(`/rules/${e.rule_id}`,r):await o.post(`/rules`,r),a()}catch(e){D(e),k(!1)}},P=(e,t={})=>f`<${d} label=${c(`rule.${e}`)} value=${b[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>A({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,F=(t,n)=>f`<${d} label=${n} type="number" min="0" step="1" value=${b[t]} onInput=${n=>{let r=Number(n.currentTarget.value),i=t===`per_unit`&&r>0&&!e;A({[t]:r,...i&&{every:null}})}} />`,I=(e,t)=>e-t,L=[.../* @__PURE__ */ new Set([...v,...b.every?[b.every]:[]])].sort(I),R=e=>c(`rule.once_in`,{time:g(e,c)}),z=[{value:``,label:c(`rule.always`)},...L.map(e=>({value:String(e),label:R(e)}))],B=[...Object.keys(h),`other`].map(e=>({value:e,label:c(`rule.cause.${e}`)})),V=_.map(e=>({value:e,label:c(`rule.type.${e}`)}));return f`<${n} title=${e?c(`rules.edit_of`,{name:l.name}):c(`rules.new`)}
    onClose=${t}>
    <form onSubmit=${N}>
      <p class="sentence preview-sentence" role="status">${p(b,c)}</p>
      <div class="fields">
        ${!e&&f`<${d} label=${c(`rule.cause`)} value=${C} onChange=${M}
          options=${B} />`}
        ${P(`name`,{required:!0,placeholder:c(`rule.cause.${C}`)})}
        ${!e&&C===`other`&&f`
          <${d} label=${c(`rule.event_type`)} value=${b.event_type??``}
            onChange=${e=>A({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:c(`rule.any`)},...V]} />
          ${P(`source`)} ${P(`reference`)}`}
        ${F(`amount`,c(`rule.amount`))}
        ${j&&F(`per_unit`,c(`rule.per_unit.${C}`))}
        ${!e&&f`<${d} label=${c(`rule.interval`)} value=${String(b.every??``)}
          disabled=${b.per_unit>0}
          onChange=${e=>A({every:Number(e.currentTarget.value)||null})} options=${z} />`}
      </div>
      <p class="quiet">${c(e?`rule.fixed`:`rule.name_how`)}</p>
      <${i} class="main" disabled=${O}>${c(`save`)}<//>${` `}
      <button type="button" onClick=${t}>${c(`cancel`)}</button>
      <${s} error=${E} />
    </form>
  <//>`}function T(e){let{event_type:t=null,source:n=null}=h[e]??{};return{event_type:t,source:n,reference:null}}export{S as View};