
import{b as e,d as t,f as n,r}from"./forms.js";import{O as i,S as a,f as o,g as s,h as c,l,p as u,t as d,u as f,x as p}from"./common.js";import{i as m,n as h,o as g,t as _}from"./sentences.js";import{b as v}from"./first.js";const y=[60,300,600,1800,3600,86400],b={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},x={chat:`plain`,other:`rules`},S=[`name`,`enabled`,`amount`,`per_unit`];function C(){let{client:e,say:t,parameters:n,setParameters:r}=p(),{value:a,error:l,reload:u}=d(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),f=n.get(`open`),m=()=>r({open:null}),h=i`<h1>${t(`nav.rules`)}</h1>`;if(!a)return i`${h}<${c} error=${l} onRetry=${u} />${!l&&i`<${s} rows=${4} />`}`;let g=a.find(({rule_id:e})=>String(e)===f),_=a.length>=20,v=i`<button class="main" disabled=${_}
    onClick=${()=>r({open:`new`})}>${t(`rules.new`)}</button>`;return i`<div class="bar spread">${h}${a.length>0&&v}</div>
    <${c} error=${l} onRetry=${u} />
    ${_&&i`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${a.length===0&&i`<${o}>${t(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${a.map(e=>i`<${w} key=${e.rule_id} rule=${e} reload=${u} />`)}
    </ul>
    ${f&&!g&&f!==`new`&&i`<p class="error" role="alert">${t(`rules.gone`,{id:f})}</p>`}
    ${(f===`new`||g)&&i`<${T} key=${f} rule=${g??null} others=${a} onClose=${m} onSaved=${()=>(m(),u())} />`}`}function w({rule:e,reload:n}){let{client:o,say:s,setParameters:l}=p(),{rule_id:d,name:g,enabled:_}=e,[v,y]=a(null),b=`/rules/${d}`,S=e=>e.then(()=>(y(null),n()),e=>(y(e),n()));return i`<li class=${`card ${_?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${u} name=${x[h(e)]??h(e)} /><h2 dir="auto">${g}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${s(_?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${_} aria-label=${s(`rules.enabled_of`,{name:g})}
          onChange=${e=>S(o.patch(b,{enabled:e.currentTarget.checked}))} ...${f()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${m(e,s)}</p>
    <div class="bar">
      <button aria-label=${s(`rules.edit_of`,{name:g})}
        onClick=${()=>l({open:String(d)})}>${s(`edit`)}</button>
      <${t} className="bad" label=${s(`delete`)} description=${s(`delete_of`,{name:g})}
        question=${s(`rules.delete_sure`)}
          note=${s(`rules.delete_note`)} act=${()=>S(o.delete(b).then(r))} />
    </div>
    <${c} error=${v} />
  </li>`}function T({rule:t,others:r,onClose:o,onSaved:s}){let{client:u,say:d}=p(),[f]=a(t??{...b,...E(`chat`),every:300}),[x,C]=a(f),[w,T]=a(h(f)),[D,O]=a(null),[k,A]=a(!1),j=e=>C(t=>({...t,...e})),M=_[w]?.hasUnits??!0,N=e=>{let t=e.currentTarget.value;T(t);let n=_[t]?.hasUnits??!0?{}:{per_unit:0};j({...E(t),...n,every:t===`chat`?300:null})},P=async e=>{e.preventDefault(),A(!0);let n=t?S.filter(e=>x[e]!==f[e]):Object.keys(b),r=Object.fromEntries(n.map(e=>[e,x[e]]));try{t?await u.patch(`/rules/${t.rule_id}`,r):await u.post(`/rules`,{...r,name:x.name||d(`rule.cause.${w}`)}),s()}catch(e){O(e),A(!1)}},F=(e,t={})=>i`<${n} label=${d(`rule.${e}`)} value=${x[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>j({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${t} />`,I=(e,r,a=0)=>i`<${n} label=${r} type="number" min=${a} step="1" defaultValue=${f[e]} onInput=${n=>{let r=Number(n.currentTarget.value),i=e===`per_unit`&&r>0&&!t;j({[e]:r,...i&&{every:null}})}} />`,L=(e,t)=>e-t,R=[.../* @__PURE__ */ new Set([...y,...x.every?[x.every]:[]])].sort(L),z=e=>d(`rule.once_in`,{time:g(e,d)}),B=[{value:``,label:d(`rule.always`)},...R.map(e=>({value:String(e),label:z(e)}))],V=[...Object.keys(_),`other`].map(e=>({value:e,label:d(`rule.cause.${e}`)})),H=t||w===`other`?null:r.find(e=>e.enabled&&h(e)===w),U=v.map(e=>({value:e,label:d(`rule.type.${e}`)}));return i`<${e} title=${t?d(`rules.edit_of`,{name:f.name}):d(`rules.new`)}
    onClose=${o}>
    <form onSubmit=${P}>
      <p class="sentence preview-sentence" role="status">${m(x,d)}</p>
      <div class="fields">
        ${!t&&i`<${n} label=${d(`rule.cause`)} value=${w} onChange=${N}
          options=${V} />`}
        ${F(`name`,{required:!!t,placeholder:d(`rule.cause.${w}`)})}
        ${!t&&w===`other`&&i`
          <${n} label=${d(`rule.event_type`)} value=${x.event_type??``}
            onChange=${e=>j({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:d(`rule.any`)},...U]} />
          ${F(`source`)} ${F(`reference`)}`}
        ${I(`amount`,d(`rule.amount`),x.per_unit>0?0:1)}
        ${M&&I(`per_unit`,d(`rule.per_unit.${w}`))}
        ${!t&&i`<${n} isWide label=${d(`rule.interval`)} value=${String(x.every??``)}
          disabled=${x.per_unit>0}
          onChange=${e=>j({every:Number(e.currentTarget.value)||null})} options=${B} />`}
      </div>
      ${H&&i`<p class="notice" role="status">${d(`rule.same`,{name:H.name})}</p>`}
      <p class="quiet">${d(t?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${c} error=${D} />
        <${l} class="main" disabled=${k}>${d(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${d(`cancel`)}</button>
      </div>
    </form>
  <//>`}function E(e){let{event_type:t=null,source:n=null}=_[e]??{};return{event_type:t,source:n,reference:null}}export{C as View};