
import{c as e,l as t,v as n}from"./forms.js";import{A as r,S as i,f as a,g as o,h as s,l as c,p as l,t as u,w as d}from"./common.js";import{i as f,n as p,o as m,t as h}from"./sentences.js";import{b as g}from"./first.js";import{n as _,t as v}from"./changes.js";const y=[60,300,600,1800,3600,86400],b={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},x={chat:`plain`,other:`rules`},S=[`name`,`enabled`,`amount`,`per_unit`];function C(){let{client:e,say:t,parameters:n,setParameters:c}=i(),{value:l,error:d,reload:f}=u(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=_(l,f),m=n.get(`open`),h=()=>c({open:null}),g=r`<h1>${t(`nav.rules`)}</h1>`;if(!l)return r`${g}<${s} error=${d} onRetry=${f} />${!d&&r`<${o} rows=${4} />`}`;let v=l.find(({rule_id:e})=>String(e)===m),y=l.length>=20,b=r`<button class="main" disabled=${y}
    onClick=${()=>c({open:`new`})}>${t(`rules.new`)}</button>`;return r`<div class="bar spread">${g}${l.length>0&&b}</div>
    <${s} error=${d} onRetry=${f} />
    ${y&&r`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${l.length===0&&r`<${a}>${t(`rules.empty`)} ${b}<//>`}
    <ul class="rules">
      ${l.map(e=>r`<${w} key=${e.rule_id} rule=${e} changes=${p} />`)}
    </ul>
    ${m&&!v&&m!==`new`&&r`<p class="error" role="alert">${t(`rules.gone`,{id:m})}</p>`}
    ${(m===`new`||v)&&r`<${T} key=${m} rule=${v??null} others=${l} onClose=${h} onSaved=${()=>(h(),f())} />`}`}function w({rule:t,changes:n}){let{client:a,say:o,setParameters:c}=i(),{rule_id:u,name:d,enabled:m}=t,h=`/rules/${u}`,g=n.enabledBy(u);return r`<li class=${`card ${g??m?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${l} name=${x[p(t)]??p(t)} /><h2 dir="auto">${d}</h2></div>
      <${v} record=${t} changed=${g} onChange=${e=>n.change(u,a.patch(h,{enabled:e}),e)} />
    </div>
    <p class="sentence" dir="auto">${f(t,o)}</p>
    <div class="bar">
      <button aria-label=${o(`rules.edit_of`,{name:d})}
        onClick=${()=>c({open:String(u)})}>${o(`edit`)}</button>
      <${e} className="bad" label=${o(`delete`)} description=${o(`delete_of`,{name:d})}
        question=${o(`rules.delete_sure`)}
          note=${o(`rules.delete_note`)} act=${()=>n.change(u,a.delete(h))} />
    </div>
    <${s} error=${n.errorOf(u)} />
  </li>`}function T({rule:e,others:a,onClose:o,onSaved:l}){let{client:u,say:_}=i(),[v]=d(e??{...b,...E(`chat`),every:300}),[x,C]=d(v),[w,T]=d(p(v)),[D,O]=d(null),[k,A]=d(!1),j=e=>C(t=>({...t,...e})),M=h[w]?.hasUnits??!0,N=e=>{let t=e.currentTarget.value;T(t);let n=h[t]?.hasUnits??!0?{}:{per_unit:0};j({...E(t),...n,every:t===`chat`?300:null})},P=async t=>{t.preventDefault(),A(!0);let n=e?S.filter(e=>x[e]!==v[e]):Object.keys(b),r=Object.fromEntries(n.map(e=>[e,x[e]]));try{e?await u.patch(`/rules/${e.rule_id}`,r):await u.post(`/rules`,{...r,name:x.name||_(`rule.cause.${w}`)}),l()}catch(e){O(e),A(!1)}},F=(e,n={})=>r`<${t} label=${_(`rule.${e}`)} value=${x[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>j({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${n} />`,I=(n,i,a=0)=>r`<${t} label=${i} type="number" min=${a} step="1" defaultValue=${v[n]} onInput=${t=>{let r=Number(t.currentTarget.value),i=n===`per_unit`&&r>0&&!e;j({[n]:r,...i&&{every:null}})}} />`,L=(e,t)=>e-t,R=[.../* @__PURE__ */ new Set([...y,...x.every?[x.every]:[]])].sort(L),z=e=>_(`rule.once_in`,{time:m(e,_)}),B=[{value:``,label:_(`rule.always`)},...R.map(e=>({value:String(e),label:z(e)}))],V=[...Object.keys(h),`other`].map(e=>({value:e,label:_(`rule.cause.${e}`)})),H=e||w===`other`?null:a.find(e=>e.enabled&&p(e)===w),U=g.map(e=>({value:e,label:_(`rule.type.${e}`)}));return r`<${n} title=${e?_(`rules.edit_of`,{name:v.name}):_(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${P}>
      <p class="sentence preview-sentence" role="status">${f(x,_)}</p>
      <div class="fields">
        ${!e&&r`<${t} label=${_(`rule.cause`)} value=${w} onChange=${N}
          options=${V} />`}
        ${F(`name`,{required:!!e,placeholder:_(`rule.cause.${w}`)})}
        ${!e&&w===`other`&&r`
          <${t} label=${_(`rule.event_type`)} value=${x.event_type??``}
            onChange=${e=>j({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:_(`rule.any`)},...U]} />
          ${F(`source`)} ${F(`reference`)}`}
        ${I(`amount`,_(`rule.amount`),x.per_unit>0?0:1)}
        ${M&&I(`per_unit`,_(`rule.per_unit.${w}`))}
        ${!e&&r`<${t} isWide label=${_(`rule.interval`)} value=${String(x.every??``)}
          disabled=${x.per_unit>0}
          onChange=${e=>j({every:Number(e.currentTarget.value)||null})} options=${B} />`}
      </div>
      ${H&&r`<p class="notice" role="status">${_(`rule.same`,{name:H.name})}</p>`}
      <p class="quiet">${_(e?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${s} error=${D} />
        <${c} class="main" busy=${k}>${_(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${_(`cancel`)}</button>
      </div>
    </form>
  <//>`}function E(e){let{event_type:t=null,source:n=null}=h[e]??{};return{event_type:t,source:n,reference:null}}export{C as View};