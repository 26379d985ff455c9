
import{c as e,l as t,v as n}from"./forms.js";import{A as r,S as i,T as a,g as o,h as s,l as c,t as l,w as u}from"./common.js";import{h as d}from"./first.js";import{n as f,t as p}from"./changes.js";import{t as m}from"./draft.js";const h={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function g(e){let{say:t}=i(),[n,r]=u(()=>t);return a(()=>{e&&e!==t.lang&&d(e,`economy`).then(e=>r(()=>e),()=>{})},[e]),n}const _=(e,t)=>new Intl.DisplayNames(e.lang,{type:`language`}).of(t)??t;function v({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=h[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function y({command:e,answers:t}){let{say:n}=i(),{message:a,answer:o}=v(e,t);return r`<dl class="chat" aria-label=${n(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto" lang=${t.lang}>${a}</dd>
    <dt>${n(`command.channel`)}</dt><dd dir="auto" lang=${t.lang}>${o}</dd>
  </dl>`}function b(){let{client:e,say:t,parameters:n,setParameters:a}=i(),{value:c,error:u,reload:d}=l(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),p=l(()=>e.request(`GET`,`/connections/twitch`),`connection`,3e4),{transport:m,state:v,missing_scopes:y}=p.value?.data??{},b=f(c,()=>(d(),p.reload())),C=g(p.value?.headers.get(`content-language`)),w=r`<h1>${t(`nav.commands`)}</h1>`;if(!c||!p.value&&!p.error)return r`${w}<${s} error=${u} onRetry=${d} />${!u&&r`<${o} rows=${4} />`}`;let T=e=>{let t=c.filter(t=>t.action===e),n={command_id:null,name:C(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return t.length?t:[n]},E=Object.keys(h).flatMap(T),D=n.get(`open`),O=E.find(e=>String(e.command_id??e.action)===D),k=()=>a({open:null});return r`${w}
    <p class="quiet">${t(`command.how`)}</p>
    ${m===`webhook`&&r`<p class="notice" role="status">${t(`command.no_answers`)}</p>`}
    ${m===`websocket`&&v===`none`&&r`<p class="bar centred" role="status">
      ${t(`command.not_connected`)} <a class="button" href="#/settings?tab=twitch">${t(`begin.twitch`)}</a></p>`}
    ${y?.includes(`user:write:chat`)&&r`<p class="bar centred" role="status">
      ${t(`command.no_scope`)} <a class="button" href="#/settings?tab=twitch">${t(`nav.settings`)}</a></p>`}
    ${C.lang!==t.lang&&r`<p class="quiet">${t(`command.language`,{language:_(t,C.lang),tag:t.lang})}</p>`}
    <${s} error=${u} onRetry=${d} />
    <ul class="rules">
      ${E.map((e,t)=>r`<${x} key=${`${e.action} ${t}`} command=${e}
        answers=${C} isOnly=${T(e.action).length===1} changes=${b} />`)}
    </ul>
    ${O&&r`<${S} key=${D} command=${O} answers=${C}
      taken=${E.filter(e=>e!==O).map(({name:e})=>e.toLowerCase())} onClose=${k} onSaved=${()=>(k(),d())} />`}`}function x({command:t,answers:n,isOnly:a,changes:o}){let{client:c,say:l,setParameters:u}=i(),{command_id:d,name:f,action:m,enabled:h}=t,g=d??m,_=o.enabledBy(g);return r`<li class=${`card ${_??h?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${f}</h2>
      <${p} record=${t} changed=${_} onChange=${e=>{let t=d===null?c.post(`/commands`,{name:f,action:m,enabled:e}):c.patch(`/commands/${d}`,{enabled:e});o.change(g,t,e)}} />
    </div>
    <p class="sentence">${l(`command.what.${m}`)}</p>
    <${y} command=${t} answers=${n} />
    <div class="bar">
      <button aria-label=${l(`rules.edit_of`,{name:f})}
        onClick=${()=>u({open:String(d??m)})}>${l(`edit`)}</button>
      ${d!==null&&r`<${e} className="bad" label=${l(a?`command.reset`:`delete`)}
        description=${l(a?`command.reset_of`:`delete_of`,{name:f})} question=${l(a?`command.reset_sure`:`command.delete_sure`)}
        act=${()=>o.change(g,c.delete(`/commands/${d}`))} />`}
    </div>
    <${s} error=${o.errorOf(g)} />
  </li>`}function S({command:e,answers:a,taken:o,onClose:l,onSaved:d}){let{client:f,say:p}=i(),{start:g,values:_,set:v,discard:b}=m(`command ${e.command_id??e.action}`,e),[x,S]=u(null),[C,w]=u(!1),{command_id:T,name:E,action:D,answer:O,user_cooldown:k}=_,A=o.includes(E.toLowerCase()),j=async e=>{if(e.preventDefault(),A)return void e.currentTarget.querySelector(`[aria-invalid]`).focus();w(!0);let t={name:E,answer:O?.trim()||null,user_cooldown:k};try{T===null?await f.post(`/commands`,{...t,action:D}):await f.patch(`/commands/${T}`,t),b(d)}catch(e){S(e),w(!1)}},M=h[D].map(e=>`{${e}}`),N=[...new Set((O??``).match(/\{\w+\}/g))].filter(e=>!M.includes(e));return r`<${n} title=${p(`rules.edit_of`,{name:e.name})} onClose=${l}>
    <form onSubmit=${j}>
      <${y} command=${_} answers=${a} />
      <div class="fields">
        <${t} label=${p(`command.name`)} value=${E} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${p(`command.name_how`)} reason=${A?p(`command.taken`):``} onInput=${e=>v({name:e.currentTarget.value})} />
        <${t} label=${p(`product.user_cooldown_label`)} type="number" min="1" max="86400" step="1"
          defaultValue=${g.user_cooldown??``}
          onInput=${e=>v({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${t} label=${p(`command.answer`)} value=${O??``} maxlength="400" dir="auto"
            placeholder=${a.template(`command.own.${D}`,{})}
            onInput=${e=>v({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${N.length>0&&r`<p class="bad" role="status">
        ${p(`command.unknown`,{many:N.length,names:N.join(`, `)})}</p>`}
      <p class="quiet">${p(`command.placeholders`,{list:M.join(` `)})}</p>
      <div class="ending">
        <${s} error=${x} />
        <${c} class="main" busy=${C}>${p(`save`)}<//>${` `}
        <button type="button" onClick=${()=>b(l)}>${p(`cancel`)}</button>
      </div>
    </form>
  <//>`}export{b as View};