
import{_ as e,c as t,l as n}from"./forms.js";import{C as r,S as i,_ as a,d as o,g as s,k as c,l,m as u,p as d,t as f,u as p}from"./common.js";import{i as m,n as h,o as g,t as _}from"./sentences.js";import{b as v}from"./first.js";const y=[60,300,600,1800,3600,86400],b={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},x={chat:`plain`,other:`rules`},S=[`name`,`enabled`,`amount`,`per_unit`];function C(){let{client:e,say:t,parameters:n,setParameters:r}=i(),{value:o,error:l,reload:u}=f(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),m=p(u),h=n.get(`open`),g=()=>r({open:null}),_=c`<h1>${t(`nav.rules`)}</h1>`;if(!o)return c`${_}<${s} error=${l} onRetry=${u} />${!l&&c`<${a} rows=${4} />`}`;let v=o.find(({rule_id:e})=>String(e)===h),y=o.length>=20,b=c`<button class="main" disabled=${y}
    onClick=${()=>r({open:`new`})}>${t(`rules.new`)}</button>`;return c`<div class="bar spread">${_}${o.length>0&&b}</div>
    <${s} error=${l} onRetry=${u} />
    ${y&&c`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${o.length===0&&c`<${d}>${t(`rules.empty`)} ${b}<//>`}
    <ul class="rules">
      ${o.map(e=>c`<${w} key=${e.rule_id} rule=${e} changes=${m} />`)}
    </ul>
    ${h&&!v&&h!==`new`&&c`<p class="error" role="alert">${t(`rules.gone`,{id:h})}</p>`}
    ${(h===`new`||v)&&c`<${T} key=${h} rule=${v??null} others=${o} onClose=${g} onSaved=${()=>(g(),u())} />`}`}function w({rule:e,changes:n}){let{client:r,say:a,setParameters:l}=i(),{rule_id:d,name:f,enabled:p}=e,g=`/rules/${d}`,_=e=>n.change(d,e);return c`<li class=${`card ${p?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${u} name=${x[h(e)]??h(e)} /><h2 dir="auto">${f}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${a(p?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${p} aria-label=${a(`rules.enabled_of`,{name:f})}
          onChange=${e=>_(r.patch(g,{enabled:e.currentTarget.checked}))} ...${o()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${m(e,a)}</p>
    <div class="bar">
      <button aria-label=${a(`rules.edit_of`,{name:f})}
        onClick=${()=>l({open:String(d)})}>${a(`edit`)}</button>
      <${t} className="bad" label=${a(`delete`)} description=${a(`delete_of`,{name:f})}
        question=${a(`rules.delete_sure`)}
          note=${a(`rules.delete_note`)} act=${()=>_(r.delete(g))} />
    </div>
    <${s} error=${n.errorOf(d)} />
  </li>`}function T({rule:t,others:a,onClose:o,onSaved:u}){let{client:d,say:f}=i(),[p]=r(t??{...b,...E(`chat`),every:300}),[x,C]=r(p),[w,T]=r(h(p)),[D,O]=r(null),[k,A]=r(!1),j=e=>C(t=>({...t,...e})),M=_[w]?.hasUnits??!0,N=e=>{let t=e.currentTarget.value;T(t);let n=_[t]?.hasUnits??!0?{}:{per_unit:0};j({...E(t),...n,every:t===`chat`?300:null})},P=async e=>{e.preventDefault(),A(!0);let n=t?S.filter(e=>x[e]!==p[e]):Object.keys(b),r=Object.fromEntries(n.map(e=>[e,x[e]]));try{t?await d.patch(`/rules/${t.rule_id}`,r):await d.post(`/rules`,{...r,name:x.name||f(`rule.cause.${w}`)}),u()}catch(e){O(e),A(!1)}},F=(e,t={})=>c`<${n} label=${f(`rule.${e}`)} value=${x[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>j({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,I=(e,r,i=0)=>c`<${n} label=${r} type="number" min=${i} step="1" defaultValue=${p[e]} onInput=${n=>{let r=Number(n.currentTarget.value),i=e===`per_unit`&&r>0&&!t;j({[e]:r,...i&&{every:null}})}} />`,L=(e,t)=>e-t,R=[.../* @__PURE__ */ new Set([...y,...x.every?[x.every]:[]])].sort(L),z=e=>f(`rule.once_in`,{time:g(e,f)}),B=[{value:``,label:f(`rule.always`)},...R.map(e=>({value:String(e),label:z(e)}))],V=[...Object.keys(_),`other`].map(e=>({value:e,label:f(`rule.cause.${e}`)})),H=t||w===`other`?null:a.find(e=>e.enabled&&h(e)===w),U=v.map(e=>({value:e,label:f(`rule.type.${e}`)}));return c`<${e} title=${t?f(`rules.edit_of`,{name:p.name}):f(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${P}>
      <p class="sentence preview-sentence" role="status">${m(x,f)}</p>
      <div class="fields">
        ${!t&&c`<${n} label=${f(`rule.cause`)} value=${w} onChange=${N}
          options=${V} />`}
        ${F(`name`,{required:!!t,placeholder:f(`rule.cause.${w}`)})}
        ${!t&&w===`other`&&c`
          <${n} label=${f(`rule.event_type`)} value=${x.event_type??``}
            onChange=${e=>j({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:f(`rule.any`)},...U]} />
          ${F(`source`)} ${F(`reference`)}`}
        ${I(`amount`,f(`rule.amount`),x.per_unit>0?0:1)}
        ${M&&I(`per_unit`,f(`rule.per_unit.${w}`))}
        ${!t&&c`<${n} isWide label=${f(`rule.interval`)} value=${String(x.every??``)}
          disabled=${x.per_unit>0}
          onChange=${e=>j({every:Number(e.currentTarget.value)||null})} options=${B} />`}
      </div>
      ${H&&c`<p class="notice" role="status">${f(`rule.same`,{name:H.name})}</p>`}
      <p class="quiet">${f(t?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${s} error=${D} />
        <${l} class="main" busy=${k}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}function E(e){let{event_type:t=null,source:n=null}=_[e]??{};return{event_type:t,source:n,reference:null}}export{C as View};