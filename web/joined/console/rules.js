
import{d as e,u as t,y as n}from"./forms.js";import{O as r,S as i,f as a,g as o,h as s,l as c,p as l,t as u,u as d,x as f}from"./common.js";import{i as p,n as m,o as h,t as g}from"./sentences.js";import{b as _}from"./first.js";const v=[60,300,600,1800,3600,86400],y={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},b={chat:`plain`,other:`rules`},x=[`name`,`enabled`,`amount`,`per_unit`];function S(){let{client:e,say:t,parameters:n,setParameters:i}=f(),{value:c,error:l,reload:d}=u(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=n.get(`open`),m=()=>i({open:null}),h=r`<h1>${t(`nav.rules`)}</h1>`;if(!c)return r`${h}<${s} error=${l} onRetry=${d} />${!l&&r`<${o} rows=${4} />`}`;let g=c.find(({rule_id:e})=>String(e)===p),_=c.length>=20,v=r`<button class="main" disabled=${_}
    onClick=${()=>i({open:`new`})}>${t(`rules.new`)}</button>`;return r`<div class="bar spread">${h}${c.length>0&&v}</div>
    <${s} error=${l} onRetry=${d} />
    ${_&&r`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${c.length===0&&r`<${a}>${t(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${c.map(e=>r`<${C} key=${e.rule_id} rule=${e} reload=${d} />`)}
    </ul>
    ${p&&!g&&p!==`new`&&r`<p class="error" role="alert">${t(`rules.gone`,{id:p})}</p>`}
    ${(p===`new`||g)&&r`<${w} key=${p} rule=${g??null} onClose=${m} onSaved=${()=>(m(),d())} />`}`}function C({rule:e,reload:n}){let{client:a,say:o,setParameters:c}=f(),{rule_id:u,name:h,enabled:g}=e,[_,v]=i(null),y=`/rules/${u}`,x=e=>e.then(()=>(v(null),n()),e=>(v(e),n()));return r`<li class=${`card ${g?``:`off`}`}>
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
  </li>`}function w({rule:t,onClose:a,onSaved:o}){let{client:l,say:u}=f(),[d]=i(t??{...y,...T(`chat`),every:300}),[b,S]=i(d),[C,w]=i(m(d)),[E,D]=i(null),[O,k]=i(!1),A=e=>S(t=>({...t,...e})),j=g[C]?.hasUnits??!0,M=e=>{let t=e.currentTarget.value;w(t);let n=g[t]?.hasUnits??!0?{}:{per_unit:0};A({...T(t),...n,every:t===`chat`?300:null})},N=async e=>{e.preventDefault(),k(!0);let n=t?x.filter(e=>b[e]!==d[e]):Object.keys(y),r=Object.fromEntries(n.map(e=>[e,b[e]]));try{t?await l.patch(`/rules/${t.rule_id}`,r):await l.post(`/rules`,{...r,name:b.name||u(`rule.cause.${C}`)}),o()}catch(e){D(e),k(!1)}},P=(t,n={})=>r`<${e} label=${u(`rule.${t}`)} value=${b[t]??``} maxlength="1024" dir="auto"
      onInput=${e=>A({[t]:e.currentTarget.value||(t===`name`?``:null)})}
      ...${n} />`,F=(n,i,a=0)=>r`<${e} label=${i} type="number" min=${a} step="1" defaultValue=${d[n]} onInput=${e=>{let r=Number(e.currentTarget.value),i=n===`per_unit`&&r>0&&!t;A({[n]:r,...i&&{every:null}})}} />`,I=(e,t)=>e-t,L=[.../* @__PURE__ */ new Set([...v,...b.every?[b.every]:[]])].sort(I),R=e=>u(`rule.once_in`,{time:h(e,u)}),z=[{value:``,label:u(`rule.always`)},...L.map(e=>({value:String(e),label:R(e)}))],B=[...Object.keys(g),`other`].map(e=>({value:e,label:u(`rule.cause.${e}`)})),V=_.map(e=>({value:e,label:u(`rule.type.${e}`)}));return r`<${n} title=${t?u(`rules.edit_of`,{name:d.name}):u(`rules.new`)}
    onClose=${a}>
    <form onSubmit=${N}>
      <p class="sentence preview-sentence" role="status">${p(b,u)}</p>
      <div class="fields">
        ${!t&&r`<${e} label=${u(`rule.cause`)} value=${C} onChange=${M}
          options=${B} />`}
        ${P(`name`,{required:!!t,placeholder:u(`rule.cause.${C}`)})}
        ${!t&&C===`other`&&r`
          <${e} label=${u(`rule.event_type`)} value=${b.event_type??``}
            onChange=${e=>A({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:u(`rule.any`)},...V]} />
          ${P(`source`)} ${P(`reference`)}`}
        ${F(`amount`,u(`rule.amount`),b.per_unit>0?0:1)}
        ${j&&F(`per_unit`,u(`rule.per_unit.${C}`))}
        ${!t&&r`<${e} isWide label=${u(`rule.interval`)} value=${String(b.every??``)}
          disabled=${b.per_unit>0}
          onChange=${e=>A({every:Number(e.currentTarget.value)||null})} options=${z} />`}
      </div>
      <p class="quiet">${u(t?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${s} error=${E} />
        <${c} class="main" disabled=${O}>${u(`save`)}<//>${` `}
        <button type="button" onClick=${a}>${u(`cancel`)}</button>
      </div>
    </form>
  <//>`}function T(e){let{event_type:t=null,source:n=null}=g[e]??{};return{event_type:t,source:n,reference:null}}export{S as View};