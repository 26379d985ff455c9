
import{c as e,l as t,v as n}from"./forms.js";import{A as r,S as i,f as a,g as o,h as s,l as c,p as l,t as u,w as d}from"./common.js";import{i as f,n as p,o as m,t as h}from"./sentences.js";import{b as g}from"./first.js";import{n as _,t as v}from"./changes.js";import{t as y}from"./draft.js";const b=[60,300,600,1800,3600,86400],x={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},S={chat:`plain`,other:`rules`},C=[`name`,`enabled`,`amount`,`per_unit`];function w(){let{client:e,say:t,parameters:n,setParameters:c}=i(),{value:l,error:d,reload:f}=u(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=_(l,f),m=n.get(`open`),h=()=>c({open:null}),g=r`<h1>${t(`nav.rules`)}</h1>`;if(!l)return r`${g}<${s} error=${d} onRetry=${f} />${!d&&r`<${o} rows=${4} />`}`;let v=l.find(({rule_id:e})=>String(e)===m),y=l.length>=20,b=r`<button class="main" disabled=${y}
    onClick=${()=>c({open:`new`})}>${t(`rules.new`)}</button>`;return r`<div class="bar spread">${g}${l.length>0&&b}</div>
    <${s} error=${d} onRetry=${f} />
    ${y&&r`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${l.length===0&&r`<${a}>${t(`rules.empty`)} ${b}<//>`}
    <ul class="rules">
      ${l.map(e=>r`<${T} key=${e.rule_id} rule=${e} changes=${p} />`)}
    </ul>
    ${m&&!v&&m!==`new`&&r`<p class="error" role="alert">${t(`rules.gone`,{id:m})}</p>`}
    ${(m===`new`||v)&&r`<${E} key=${m} rule=${v??null} others=${l} onClose=${h} onSaved=${()=>(h(),f())} />`}`}function T({rule:t,changes:n}){let{client:a,say:o,setParameters:c}=i(),{rule_id:u,name:d,enabled:m}=t,h=`/rules/${u}`,g=n.enabledBy(u);return r`<li class=${`card ${g??m?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${l} name=${S[p(t)]??p(t)} /><h2 dir="auto">${d}</h2></div>
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
  </li>`}function E({rule:e,others:a,onClose:o,onSaved:l}){let{client:u,say:_}=i(),v=e??{...x,...D(`chat`),every:300},{before:S,start:w,values:T,set:E,discard:O}=y(`rule ${e?.rule_id}`,v),[k,A]=d(p(w)),[j,M]=d(null),[N,P]=d(!1),F=h[k]?.hasUnits??!0,I=e=>{let t=e.currentTarget.value;A(t);let n=h[t]?.hasUnits??!0?{}:{per_unit:0};E({...D(t),...n,every:t===`chat`?300:null})},L=async t=>{t.preventDefault(),P(!0);let n=e?C.filter(e=>T[e]!==S[e]):Object.keys(x),r=Object.fromEntries(n.map(e=>[e,T[e]]));try{e?await u.patch(`/rules/${e.rule_id}`,r):await u.post(`/rules`,{...r,name:T.name||_(`rule.cause.${k}`)}),O(l)}catch(e){M(e),P(!1)}},R=(e,n={})=>r`<${t} label=${_(`rule.${e}`)} value=${T[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>E({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${n} />`,z=(n,i,a=0)=>r`<${t} label=${i} type="number" min=${a} step="1" defaultValue=${w[n]} onInput=${t=>{let r=Number(t.currentTarget.value),i=n===`per_unit`&&r>0&&!e;E({[n]:r,...i&&{every:null}})}} />`,B=(e,t)=>e-t,V=[.../* @__PURE__ */ new Set([...b,...T.every?[T.every]:[]])].sort(B),H=e=>_(`rule.once_in`,{time:m(e,_)}),U=[{value:``,label:_(`rule.always`)},...V.map(e=>({value:String(e),label:H(e)}))],W=[...Object.keys(h),`other`].map(e=>({value:e,label:_(`rule.cause.${e}`)})),G=e||k===`other`?null:a.find(e=>e.enabled&&p(e)===k),K=g.map(e=>({value:e,label:_(`rule.type.${e}`)}));return r`<${n} title=${e?_(`rules.edit_of`,{name:S.name}):_(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${L}>
      <p class="sentence preview-sentence" role="status">${f(T,_)}</p>
      <div class="fields">
        ${!e&&r`<${t} label=${_(`rule.cause`)} value=${k} onChange=${I}
          options=${W} />`}
        ${R(`name`,{required:!!e,placeholder:_(`rule.cause.${k}`)})}
        ${!e&&k===`other`&&r`
          <${t} label=${_(`rule.event_type`)} value=${T.event_type??``}
            onChange=${e=>E({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:_(`rule.any`)},...K]} />
          ${R(`source`)} ${R(`reference`)}`}
        ${z(`amount`,_(`rule.amount`),T.per_unit>0?0:1)}
        ${F&&z(`per_unit`,_(`rule.per_unit.${k}`))}
        ${!e&&r`<${t} isWide label=${_(`rule.interval`)} value=${String(T.every??``)}
          disabled=${T.per_unit>0}
          onChange=${e=>E({every:Number(e.currentTarget.value)||null})} options=${U} />`}
      </div>
      ${G&&r`<p class="notice" role="status">${_(`rule.same`,{name:G.name})}</p>`}
      <p class="quiet">${_(e?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${s} error=${j} />
        <${c} class="main" busy=${N}>${_(`save`)}<//>${` `}
        <button type="button" onClick=${()=>O(o)}>${_(`cancel`)}</button>
      </div>
    </form>
  <//>`}function D(e){let{event_type:t=null,source:n=null}=h[e]??{};return{event_type:t,source:n,reference:null}}export{w as View};