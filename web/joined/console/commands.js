
import{A as e,C as t,H as n,L as r,M as i,R as a,S as o,U as s,Y as c,g as l,j as u}from"./common.js";const d={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function f({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=d[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function p({command:e}){let{say:t}=n(),{message:r,answer:i}=f(e,t);return c`<dl class="chat" aria-label=${t(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto">${r}</dd>
    <dt>${t(`command.channel`)}</dt><dd dir="auto">${i}</dd>
  </dl>`}function m(){let{client:e,say:t,parameters:i,setParameters:o}=n(),{value:s,error:u,reload:f}=l(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),p=l(()=>e.get(`/connections/twitch`),`connection`,3e4),m=c`<h1>${t(`nav.commands`)}</h1>`;if(!s)return c`${m}<${r} error=${u} onRetry=${f} />${!u&&c`<${a} rows=${4} />`}`;let _=Object.keys(d).flatMap(e=>{let n=s.filter(t=>t.action===e),r={command_id:null,name:t(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return n.length?n:[r]}),v=i.get(`open`),y=_.find(e=>String(e.command_id??e.action)===v),b=()=>o({open:null});return c`${m}
    <p class="quiet">${t(`command.how`)}</p>
    ${p.value?.state===`none`&&p.value.transport===`websocket`&&c`<p class="notice" role="status">
      ${t(`command.not_connected`)} <a href="#/settings">${t(`command.to_twitch`)}</a></p>`}
    ${p.value?.missing_scopes.includes(`user:write:chat`)&&c`<p class="notice" role="status">
      ${t(`command.no_scope`)} <a href="#/settings">${t(`command.to_twitch`)}</a></p>`}
    <${r} error=${u} onRetry=${f} />
    <ul class="rules">
      ${_.map(e=>c`<${h} key=${e.command_id??e.action} command=${e}
        reload=${()=>(f(),p.reload())} />`)}
    </ul>
    ${y&&c`<${g} key=${v} command=${y} onClose=${b} onSaved=${()=>(b(),f())} />`}`}function h({command:e,reload:t}){let{client:a,say:l,setParameters:u}=n(),{command_id:d,name:f,action:m,enabled:h}=e,[g,_]=s(null),v=e=>e.then(()=>(_(null),t()),e=>(_(e),t())),y=e=>v(d===null?a.post(`/commands`,{name:f,action:m,enabled:e}):a.patch(`/commands/${d}`,{enabled:e}));return c`<li class=${`card ${h?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${f}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${l(h?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${h} aria-label=${l(`rules.enabled_of`,{name:f})}
          onChange=${e=>y(e.currentTarget.checked)} ...${i()} />
      </label>
    </div>
    <p class="sentence">${l(`command.what.${m}`)}</p>
    <${p} command=${e} />
    <div class="bar">
      <button aria-label=${l(`rules.edit_of`,{name:f})}
        onClick=${()=>u({open:String(d??m)})}>${l(`edit`)}</button>
      ${d!==null&&c`<${o} className="" label=${l(`delete`)} description=${l(`rules.delete_of`,{name:f})}
        question=${l(`command.delete_sure`)} act=${()=>v(a.delete(`/commands/${d}`))} />`}
    </div>
    <${r} error=${g} />
  </li>`}function g({command:i,onClose:a,onSaved:o}){let{client:l,say:f}=n(),[m,h]=s(i),[g,_]=s(null),[v,y]=s(!1),b=e=>h(t=>({...t,...e})),{command_id:x,name:S,action:C,answer:w,user_cooldown:T}=m,E=async e=>{e.preventDefault(),y(!0);let t={name:S,answer:w?.trim()||null,user_cooldown:T};try{x===null?await l.post(`/commands`,{...t,action:C}):await l.patch(`/commands/${x}`,t),o()}catch(e){_(e),y(!1)}},D=d[C].map(e=>`{${e}}`),O=[...new Set((w??``).match(/\{\w+\}/g))].filter(e=>!D.includes(e));return c`<${e} title=${f(`rules.edit_of`,{name:i.name})} onClose=${a}>
    <form onSubmit=${E}>
      <${p} command=${m} />
      <div class="fields">
        <${t} label=${f(`command.name`)} value=${S} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${f(`command.name_how`)} onInput=${e=>b({name:e.currentTarget.value})} />
        <${t} label=${f(`command.cooldown`)} type="number" min="1" max="86400" step="1"
          defaultValue=${i.user_cooldown??``}
          onInput=${e=>b({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${t} label=${f(`command.answer`)} value=${w??``} maxlength="400" dir="auto"
            placeholder=${f.template(`command.own.${C}`,{})}
            onInput=${e=>b({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${O.length>0&&c`<p class="bad" role="status">
        ${f(`command.unknown`,{many:O.length,names:O.join(`, `)})}</p>`}
      <p class="quiet">${f(`command.placeholders`,{list:D.join(` `)})}</p>
      <${u} class="main" disabled=${v}>${f(`save`)}<//>${` `}
      <button type="button" onClick=${a}>${f(`cancel`)}</button>
      <${r} error=${g} />
    </form>
  <//>`}export{m as View};