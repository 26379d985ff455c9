
import{_ as e,c as t,l as n}from"./forms.js";import{A as r,C as i,_ as a,d as o,g as s,l as c,m as l,p as u,t as d,u as f,w as p}from"./common.js";import{i as m,n as h,o as g,t as _}from"./sentences.js";import{b as v}from"./first.js";const y=[60,300,600,1800,3600,86400],b={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},x={chat:`plain`,other:`rules`},S=[`name`,`enabled`,`amount`,`per_unit`];function C(){let{client:e,say:t,parameters:n,setParameters:o}=i(),{value:c,error:l,reload:p}=d(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),m=f(p),h=n.get(`open`),g=()=>o({open:null}),_=r`<h1>${t(`nav.rules`)}</h1>`;if(!c)return r`${_}<${s} error=${l} onRetry=${p} />${!l&&r`<${a} rows=${4} />`}`;let v=c.find(({rule_id:e})=>String(e)===h),y=c.length>=20,b=r`<button class="main" disabled=${y}
    onClick=${()=>o({open:`new`})}>${t(`rules.new`)}</button>`;return r`<div class="bar spread">${_}${c.length>0&&b}</div>
    <${s} error=${l} onRetry=${p} />
    ${y&&r`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${c.length===0&&r`<${u}>${t(`rules.empty`)} ${b}<//>`}
    <ul class="rules">
      ${c.map(e=>r`<${w} key=${e.rule_id} rule=${e} changes=${m} />`)}
    </ul>
    ${h&&!v&&h!==`new`&&r`<p class="error" role="alert">${t(`rules.gone`,{id:h})}</p>`}
    ${(h===`new`||v)&&r`<${T} key=${h} rule=${v??null} others=${c} onClose=${g} onSaved=${()=>(g(),p())} />`}`}function w({rule:e,changes:n}){let{client:a,say:c,setParameters:u}=i(),{rule_id:d,name:f,enabled:p}=e,g=`/rules/${d}`,_=e=>n.change(d,e);return r`<li class=${`card ${p?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${l} name=${x[h(e)]??h(e)} /><h2 dir="auto">${f}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${c(p?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${p} aria-label=${c(`rules.enabled_of`,{name:f})}
          onChange=${e=>_(a.patch(g,{enabled:e.currentTarget.checked}))} ...${o()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${m(e,c)}</p>
    <div class="bar">
      <button aria-label=${c(`rules.edit_of`,{name:f})}
        onClick=${()=>u({open:String(d)})}>${c(`edit`)}</button>
      <${t} className="bad" label=${c(`delete`)} description=${c(`delete_of`,{name:f})}
        question=${c(`rules.delete_sure`)}
          note=${c(`rules.delete_note`)} act=${()=>_(a.delete(g))} />
    </div>
    <${s} error=${n.errorOf(d)} />
  </li>`}function T({rule:t,others:a,onClose:o,onSaved:l}){let{client:u,say:d}=i(),[f]=p(t??{...b,...E(`chat`),every:300}),[x,C]=p(f),[w,T]=p(h(f)),[D,O]=p(null),[k,A]=p(!1),j=e=>C(t=>({...t,...e})),M=_[w]?.hasUnits??!0,N=e=>{let t=e.currentTarget.value;T(t);let n=_[t]?.hasUnits??!0?{}:{per_unit:0};j({...E(t),...n,every:t===`chat`?300:null})},P=async e=>{e.preventDefault(),A(!0);let n=t?S.filter(e=>x[e]!==f[e]):Object.keys(b),r=Object.fromEntries(n.map(e=>[e,x[e]]));try{t?await u.patch(`/rules/${t.rule_id}`,r):await u.post(`/rules`,{...r,name:x.name||d(`rule.cause.${w}`)}),l()}catch(e){O(e),A(!1)}},F=(e,t={})=>r`<${n} label=${d(`rule.${e}`)} value=${x[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>j({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,I=(e,i,a=0)=>r`<${n} label=${i} type="number" min=${a} step="1" defaultValue=${f[e]} onInput=${n=>{let r=Number(n.currentTarget.value),i=e===`per_unit`&&r>0&&!t;j({[e]:r,...i&&{every:null}})}} />`,L=(e,t)=>e-t,R=[.../* @__PURE__ */ new Set([...y,...x.every?[x.every]:[]])].sort(L),z=e=>d(`rule.once_in`,{time:g(e,d)}),B=[{value:``,label:d(`rule.always`)},...R.map(e=>({value:String(e),label:z(e)}))],V=[...Object.keys(_),`other`].map(e=>({value:e,label:d(`rule.cause.${e}`)})),H=t||w===`other`?null:a.find(e=>e.enabled&&h(e)===w),U=v.map(e=>({value:e,label:d(`rule.type.${e}`)}));return r`<${e} title=${t?d(`rules.edit_of`,{name:f.name}):d(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${P}>
      <p class="sentence preview-sentence" role="status">${m(x,d)}</p>
      <div class="fields">
        ${!t&&r`<${n} label=${d(`rule.cause`)} value=${w} onChange=${N}
          options=${V} />`}
        ${F(`name`,{required:!!t,placeholder:d(`rule.cause.${w}`)})}
        ${!t&&w===`other`&&r`
          <${n} label=${d(`rule.event_type`)} value=${x.event_type??``}
            onChange=${e=>j({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:d(`rule.any`)},...U]} />
          ${F(`source`)} ${F(`reference`)}`}
        ${I(`amount`,d(`rule.amount`),x.per_unit>0?0:1)}
        ${M&&I(`per_unit`,d(`rule.per_unit.${w}`))}
        ${!t&&r`<${n} isWide label=${d(`rule.interval`)} value=${String(x.every??``)}
          disabled=${x.per_unit>0}
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
  <//>`}function E(e){let{event_type:t=null,source:n=null}=_[e]??{};return{event_type:t,source:n,reference:null}}export{C as View};