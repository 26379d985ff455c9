
import{A as e,C as t,F as n,H as r,L as i,M as a,P as o,R as s,S as c,U as l,Y as u,g as d,j as f}from"./common.js";import{i as p,n as m,t as h}from"./sentences.js";import{t as g}from"./units.js";const _=[`plain`,`subscriber`,`cheer`,`raid`],v=[60,300,600,1800,3600,86400],y={name:``,enabled:!0,event_type:null,source:null,reference:null,amount:10,per_unit:0,every:null},b={chat:`plain`,other:`rules`},x=[`name`,`enabled`,`amount`,`per_unit`];function S(){let{client:e,say:t,parameters:n,setParameters:a}=r(),{value:c,error:l,reload:f}=d(async()=>(await e.page(`/rules`,{query:{limit:100,order:`asc`}})).records,`rules`,3e4),p=n.get(`open`),m=()=>a({open:null}),h=u`<h1>${t(`nav.rules`)}</h1>`;if(!c)return u`${h}<${i} error=${l} onRetry=${f} />${!l&&u`<${s} rows=${4} />`}`;let g=c.find(({rule_id:e})=>String(e)===p),_=c.length>=20,v=u`<button class="main" disabled=${_}
    onClick=${()=>a({open:`new`})}>${t(`rules.new`)}</button>`;return u`<div class="bar spread">${h}${c.length>0&&v}</div>
    <${i} error=${l} onRetry=${f} />
    ${_&&u`<p class="quiet" role="status">${t(`rules.full`,{many:20})}</p>`}
    ${c.length===0&&u`<${o}>${t(`rules.empty`)} ${v}<//>`}
    <ul class="rules">
      ${c.map(e=>u`<${C} key=${e.rule_id} rule=${e} reload=${f} />`)}
    </ul>
    ${p&&!g&&p!==`new`&&u`<p class="error" role="alert">${t(`rules.gone`,{id:p})}</p>`}
    ${(p===`new`||g)&&u`<${w} key=${p} rule=${g??null} onClose=${m} onSaved=${()=>(m(),f())} />`}`}function C({rule:e,reload:t}){let{client:o,say:s,setParameters:d}=r(),{rule_id:f,name:h,enabled:g}=e,[_,v]=l(null),y=`/rules/${f}`,x=e=>e.then(()=>(v(null),t()),e=>(v(e),t()));return u`<li class=${`card ${g?``:`off`}`}>
    <div class="bar spread">
      <div class="head"><${n} name=${b[m(e)]??m(e)} /><h2 dir="auto">${h}</h2></div>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${s(g?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${g} aria-label=${s(`rules.enabled_of`,{name:h})}
          onChange=${e=>x(o.patch(y,{enabled:e.currentTarget.checked}))} ...${a()} />
      </label>
    </div>
    <p class="sentence" dir="auto">${p(e,s)}</p>
    <div class="bar">
      <button aria-label=${s(`rules.edit_of`,{name:h})}
        onClick=${()=>d({open:String(f)})}>${s(`edit`)}</button>
      <${c} className="bad" label=${s(`delete`)} description=${s(`rules.delete_of`,{name:h})}
        question=${s(`rules.delete_sure`)}
          note=${s(`rules.delete_note`)} act=${()=>x(o.delete(y))} />
    </div>
    <${i} error=${_} />
  </li>`}function w({rule:n,onClose:a,onSaved:o}){let{client:s,say:c}=r(),[d]=l(n??{...y,...T(`chat`),every:300}),[b,S]=l(d),[C,w]=l(m(d)),[E,D]=l(null),[O,k]=l(!1),A=e=>S(t=>({...t,...e})),j=h[C]?.hasUnits??!0,M=e=>{let t=e.currentTarget.value;w(t);let n=h[t]?.hasUnits??!0?{}:{per_unit:0};A({...T(t),...n,every:t===`chat`?300:null})},N=async e=>{e.preventDefault(),k(!0);let t=n?x.filter(e=>b[e]!==d[e]):Object.keys(y),r=Object.fromEntries(t.map(e=>[e,b[e]]));try{n?await s.patch(`/rules/${n.rule_id}`,r):await s.post(`/rules`,{...r,name:b.name||c(`rule.cause.${C}`)}),o()}catch(e){D(e),k(!1)}},P=(e,n={})=>u`<${t} label=${c(`rule.${e}`)} value=${b[e]??``} maxlength="1024" dir="auto"
      onInput=${t=>A({[e]:t.currentTarget.value||(e===`name`?``:null)})}
      ...${n} />`,F=(e,r)=>u`<${t} label=${r} type="number" min="0" step="1" defaultValue=${d[e]} onInput=${t=>{let r=Number(t.currentTarget.value),i=e===`per_unit`&&r>0&&!n;A({[e]:r,...i&&{every:null}})}} />`,I=(e,t)=>e-t,L=[.../* @__PURE__ */ new Set([...v,...b.every?[b.every]:[]])].sort(I),R=e=>c(`rule.once_in`,{time:g(e,c)}),z=[{value:``,label:c(`rule.always`)},...L.map(e=>({value:String(e),label:R(e)}))],B=[...Object.keys(h),`other`].map(e=>({value:e,label:c(`rule.cause.${e}`)})),V=_.map(e=>({value:e,label:c(`rule.type.${e}`)}));return u`<${e} title=${n?c(`rules.edit_of`,{name:d.name}):c(`rules.new`)}
    onClose=${a}>
    <form onSubmit=${N}>
      <p class="sentence preview-sentence" role="status">${p(b,c)}</p>
      <div class="fields">
        ${!n&&u`<${t} label=${c(`rule.cause`)} value=${C} onChange=${M}
          options=${B} />`}
        ${P(`name`,{required:!!n,placeholder:c(`rule.cause.${C}`)})}
        ${!n&&C===`other`&&u`
          <${t} label=${c(`rule.event_type`)} value=${b.event_type??``}
            onChange=${e=>A({event_type:e.currentTarget.value||null})}
            options=${[{value:``,label:c(`rule.any`)},...V]} />
          ${P(`source`)} ${P(`reference`)}`}
        ${F(`amount`,c(`rule.amount`))}
        ${j&&F(`per_unit`,c(`rule.per_unit.${C}`))}
        ${!n&&u`<${t} label=${c(`rule.interval`)} value=${String(b.every??``)}
          disabled=${b.per_unit>0}
          onChange=${e=>A({every:Number(e.currentTarget.value)||null})} options=${z} />`}
      </div>
      <p class="quiet">${c(n?`rule.fixed`:`rule.name_how`)}</p>
      <div class="ending">
        <${i} error=${E} />
        <${f} class="main" disabled=${O}>${c(`save`)}<//>${` `}
        <button type="button" onClick=${a}>${c(`cancel`)}</button>
      </div>
    </form>
  <//>`}function T(e){let{event_type:t=null,source:n=null}=h[e]??{};return{event_type:t,source:n,reference:null}}export{S as View};