
import{_ as e,c as t,l as n}from"./forms.js";import{O as r,S as i,f as a,g as o,h as s,l as c,p as l,t as u,u as d,x as f}from"./common.js";import{i as p,n as m,o as h,t as g}from"./sentences.js";import{b as _}from"./first.js";const v=[60,300,600,1800,3600,86400],y={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},b={chat:`plain`,other:`rules`},x=[`name`,`enabled`,`amount`,`per_unit`];function S(){let{client:e,say:t,parameters:n,setParameters:i}=f(),{value:c,error:l,reload:d}=u(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=n.get(`open`),m=()=>i({open:null}),h=r`<h1>${t(`nav.rules`)}</h1>`;if(!c)return r`${h}<${s} error=${l} onRetry=${d} />${!l&&r`<${o} rows=${4} />`}`;let g=c.find(({rule_id:e})=>String(e)===p),_=c.length>=20,v=r`<button class="main" disabled=${_}
    onClick=${()=>i({open:`new`})}>${t(`rules.new`)}</button>`;return r`<div class="bar spread">${h}${c.length>0&&v}</div>
    <${s} error=${l} onRetry=${d} />
    ${_&&r`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${c.length===0&&r`<${a}>${t(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${c.map(e=>r`<${C} key=${e.rule_id} rule=${e} reload=${d} />`)}
    </ul>
    ${p&&!g&&p!==`new`&&r`<p class="error" role="alert">${t(`rules.gone`,{id:p})}</p>`}
    ${(p===`new`||g)&&r`<${w} key=${p} rule=${g??null} others=${c} onClose=${m} onSaved=${()=>(m(),d())} />`}`}function C({rule:e,reload:n}){let{client:a,say:o,setParameters:c}=f(),{rule_id:u,name:h,enabled:g}=e,[_,v]=i(null),y=`/rules/${u}`,x=e=>e.then(()=>(v(null),n()),e=>(v(e),n()));return r`<li class=${`card ${g?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${l} name=${b[m(e)]??m(e)} /><h2 dir="auto">${h}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${o(g?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${g} aria-label=${o(`rules.enabled_of`,{name:h})}
          onChange=${e=>x(a.patch(y,{enabled:e.currentTarget.checked}))} ...${d()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${p(e,o)}</p>
    <div class="bar">
      <button aria-label=${o(`rules.edit_of`,{name:h})}
        onClick=${()=>c({open:String(u)})}>${o(`edit`)}</button>
      <${t} className="bad" label=${o(`delete`)} description=${o(`delete_of`,{name:h})}
        question=${o(`rules.delete_sure`)}
          note=${o(`rules.delete_note`)} act=${()=>x(a.delete(y))} />
    </div>
    <${s} error=${_} />
  </li>`}function w({rule:t,others:a,onClose:o,onSaved:l}){let{client:u,say:d}=f(),[b]=i(t??{...y,...T(`chat`),every:300}),[S,C]=i(b),[w,E]=i(m(b)),[D,O]=i(null),[k,A]=i(!1),j=e=>C(t=>({...t,...e})),M=g[w]?.hasUnits??!0,N=e=>{let t=e.currentTarget.value;E(t);let n=g[t]?.hasUnits??!0?{}:{per_unit:0};j({...T(t),...n,every:t===`chat`?300:null})},P=async e=>{e.preventDefault(),A(!0);let n=t?x.filter(e=>S[e]!==b[e]):Object.keys(y),r=Object.fromEntries(n.map(e=>[e,S[e]]));try{t?await u.patch(`/rules/${t.rule_id}`,r):await u.post(`/rules`,{...r,name:S.name||d(`rule.cause.${w}`)}),l()}catch(e){O(e),A(!1)}},F=(e,t={})=>r`<${n} label=${d(`rule.${e}`)} value=${S[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>j({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,I=(e,i,a=0)=>r`<${n} label=${i} type="number" min=${a} step="1" defaultValue=${b[e]} onInput=${n=>{let r=Number(n.currentTarget.value),i=e===`per_unit`&&r>0&&!t;j({[e]:r,...i&&{every:null}})}} />`,L=(e,t)=>e-t,R=[.../* @__PURE__ */ new Set([...v,...S.every?[S.every]:[]])].sort(L),z=e=>d(`rule.once_in`,{time:h(e,d)}),B=[{value:``,label:d(`rule.always`)},...R.map(e=>({value:String(e),label:z(e)}))],V=[...Object.keys(g),`other`].map(e=>({value:e,label:d(`rule.cause.${e}`)})),H=t||w===`other`?null:a.find(e=>e.enabled&&m(e)===w),U=_.map(e=>({value:e,label:d(`rule.type.${e}`)}));return r`<${e} title=${t?d(`rules.edit_of`,{name:b.name}):d(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${P}>
      <p class="sentence preview-sentence" role="status">${p(S,d)}</p>
      <div class="fields">
        ${!t&&r`<${n} label=${d(`rule.cause`)} value=${w} onChange=${N}
          options=${V} />`}
        ${F(`name`,{required:!!t,placeholder:d(`rule.cause.${w}`)})}
        ${!t&&w===`other`&&r`
          <${n} label=${d(`rule.event_type`)} value=${S.event_type??``}
            onChange=${e=>j({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:d(`rule.any`)},...U]} />
          ${F(`source`)} ${F(`reference`)}`}
        ${I(`amount`,d(`rule.amount`),S.per_unit>0?0:1)}
        ${M&&I(`per_unit`,d(`rule.per_unit.${w}`))}
        ${!t&&r`<${n} isWide label=${d(`rule.interval`)} value=${String(S.every??``)}
          disabled=${S.per_unit>0}
          onChange=${e=>j({every:Number(e.currentTarget.value)||null})} options=${B} />`}
      </div>
      ${H&&r`<p class="notice" role="status">${d(`rule.same`,{name:H.name})}</p>`}
      <p class="quiet">${d(t?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${s} error=${D} />
        <${c} class="main" busy=${k}>${d(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${d(`cancel`)}</button>
      </div>
    </form>
  <//>`}function T(e){let{event_type:t=null,source:n=null}=g[e]??{};return{event_type:t,source:n,reference:null}}export{S as View};