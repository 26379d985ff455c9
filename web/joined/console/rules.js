
import{A as e,D as t,E as n,G as r,N as i,O as a,P as o,R as s,g as c,j as l,v as u,y as d,z as f}from"./common.js";import{i as p,n as m,t as h}from"./sentences.js";import{t as g}from"./units.js";const _=[`plain`,`subscriber`,`cheer`,`raid`],v=[60,300,600,1800,3600,86400],y={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},b={chat:`plain`,other:`rules`},x=[`name`,`enabled`,`amount`,`per_unit`];function S(){let{client:t,say:n,parameters:a,setParameters:l}=s(),{value:u,error:d,reload:f}=c(async()=>(await t.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=a.get(`open`),m=()=>l({open:null}),h=r`<h1>${n(`nav.rules`)}</h1>`;if(!u)return r`${h}<${i} error=${d} onRetry=${f} />${!d&&r`<${o} rows=${4} />`}`;let g=u.find(({rule_id:e})=>String(e)===p),_=u.length>=20,v=r`<button class="main" disabled=${_}
    onClick=${()=>l({open:`new`})}>${n(`rules.new`)}</button>`;return r`<div class="bar spread">${h}${u.length>0&&v}</div>
    <${i} error=${d} onRetry=${f} />
    ${_&&r`<p class="quiet" role="status">${n(`rules.full`,{many:20})}</p>`}
    ${u.length===0&&r`<${e}>${n(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${u.map(e=>r`<${C} key=${e.rule_id} rule=${e} reload=${f} />`)}
    </ul>
    ${p&&!g&&p!==`new`&&r`<p class="error" role="alert">${n(`rules.gone`,{id:p})}</p>`}
    ${(p===`new`||g)&&r`<${w} key=${p} rule=${g??null} onClose=${m} onSaved=${()=>(m(),f())} />`}`}function C({rule:e,reload:t}){let{client:n,say:o,setParameters:c}=s(),{rule_id:d,name:h,enabled:g}=e,[_,v]=f(null),y=`/rules/${d}`,x=e=>e.then(()=>(v(null),t()),e=>(v(e),t()));return r`<li class=${`card ${g?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${l} name=${b[m(e)]??m(e)} /><h2 dir="auto">${h}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${o(g?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${g} aria-label=${o(`rules.enabled_of`,{name:h})}
          onChange=${e=>x(n.patch(y,{enabled:e.currentTarget.checked}))} ...${a()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${p(e,o)}</p>
    <div class="bar">
      <button aria-label=${o(`rules.edit_of`,{name:h})}
        onClick=${()=>c({open:String(d)})}>${o(`edit`)}</button>
      <${u} className="" label=${o(`delete`)} description=${o(`rules.delete_of`,{name:h})}
        question=${o(`rules.delete_sure`)}
          note=${o(`rules.delete_note`)} act=${()=>x(n.delete(y))} />
    </div>
    <${i} error=${_} />
  </li>`}function w({rule:e,onClose:a,onSaved:o}){let{client:c,say:l}=s(),[u]=f(e??{...y,...T(`chat`),every:300}),[b,S]=f(u),[C,w]=f(m(u)),[E,D]=f(null),[O,k]=f(!1),A=e=>S(t=>({...t,...e})),j=h[C]?.hasUnits??!0,M=e=>{let t=e.currentTarget.value;w(t);let n=h[t]?.hasUnits??!0?{}:{per_unit:0};A({...T(t),...n,every:t===`chat`?300:null})},N=async t=>{t.preventDefault(),k(!0);let n=e?x.filter(e=>b[e]!==u[e]):Object.keys(y),r=Object.fromEntries(n.map(e=>[e,b[e]]));try{e?await c.patch(`/rules/${e.rule_id}`,r):await c.post(`/rules`,r),o()}catch(e){D(e),k(!1)}},P=(e,t={})=>r`<${d} label=${l(`rule.${e}`)} value=${b[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>A({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,F=(t,n)=>r`<${d} label=${n} type="number" min="0" step="1" value=${b[t]} onInput=${n=>{let r=Number(n.currentTarget.value),i=t===`per_unit`&&r>0&&!e;A({[t]:r,...i&&{every:null}})}} />`,I=(e,t)=>e-t,L=[.../* @__PURE__ */ new Set([...v,...b.every?[b.every]:[]])].sort(I),R=e=>l(`rule.once_in`,{time:g(e,l)}),z=[{value:``,label:l(`rule.always`)},...L.map(e=>({value:String(e),label:R(e)}))],B=[...Object.keys(h),`other`].map(e=>({value:e,label:l(`rule.cause.${e}`)})),V=_.map(e=>({value:e,label:l(`rule.type.${e}`)}));return r`<${n} title=${e?l(`rules.edit_of`,{name:u.name}):l(`rules.new`)}
    onClose=${a}>
    <form onSubmit=${N}>
      <p class="sentence preview-sentence" role="status">${p(b,l)}</p>
      <div class="fields">
        ${!e&&r`<${d} label=${l(`rule.cause`)} value=${C} onChange=${M}
          options=${B} />`}
        ${P(`name`,{required:!0,placeholder:l(`rule.cause.${C}`)})}
        ${!e&&C===`other`&&r`
          <${d} label=${l(`rule.event_type`)} value=${b.event_type??``}
            onChange=${e=>A({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:l(`rule.any`)},...V]} />
          ${P(`source`)} ${P(`reference`)}`}
        ${F(`amount`,l(`rule.amount`))}
        ${j&&F(`per_unit`,l(`rule.per_unit.${C}`))}
        ${!e&&r`<${d} label=${l(`rule.interval`)} value=${String(b.every??``)}
          disabled=${b.per_unit>0}
          onChange=${e=>A({every:Number(e.currentTarget.value)||null})} options=${z} />`}
      </div>
      <p class="quiet">${l(e?`rule.fixed`:`rule.name_how`)}</p>
      <${t} class="main" disabled=${O}>${l(`save`)}<//>${` `}
      <button type="button" onClick=${a}>${l(`cancel`)}</button>
      <${i} error=${E} />
    </form>
  <//>`}function T(e){let{event_type:t=null,source:n=null}=h[e]??{};return{event_type:t,source:n,reference:null}}export{S as View};