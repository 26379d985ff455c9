
import{D as e,E as t,G as n,N as r,O as i,P as a,R as o,g as s,v as c,y as l,z as u}from"./common.js";const d={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function f({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=d[t],o=n||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function p({command:e}){let{say:t}=o(),{message:r,answer:i}=f(e,t);return n`<dl class="chat" aria-label=${t(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto">${r}</dd>
    <dt>${t(`command.channel`)}</dt><dd dir="auto">${i}</dd>
  </dl>`}function m(){let{client:e,say:t,parameters:i,setParameters:c}=o(),{value:l,error:u,reload:f}=s(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),p=s(()=>e.get(`/connections/twitch`),`connection`,3e4),m=n`<h1>${t(`nav.commands`)}</h1>`;if(!l)return n`${m}<${r} error=${u} onRetry=${f} />${!u&&n`<${a} rows=${4} />`}`;let _=Object.keys(d).flatMap(e=>{let n=l.filter(t=>t.action===e),r={command_id:null,name:t(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return n.length?n:[r]}),v=i.get(`open`),y=_.find(e=>String(e.command_id??e.action)===v),b=()=>c({open:null});return n`${m}
    <p class="quiet">${t(`command.how`)}</p>
    ${p.value?.missing_scopes.includes(`user:write:chat`)&&n`<p class="notice" role="status">
      ${t(`command.no_scope`)} <a href="#/settings">${t(`command.to_twitch`)}</a></p>`}
    <${r} error=${u} onRetry=${f} />
    <ul class="rules">
      ${_.map(e=>n`<${h} key=${e.command_id??e.action} command=${e} reload=${f} />`)}
    </ul>
    ${y&&n`<${g} key=${v} command=${y} onClose=${b} onSaved=${()=>(b(),f())} />`}`}function h({command:e,reload:t}){let{client:a,say:s,setParameters:l}=o(),{command_id:d,name:f,action:m,enabled:h}=e,[g,_]=u(null),v=e=>e.then(()=>(_(null),t()),e=>(_(e),t())),y=e=>v(d===null?a.post(`/commands`,{name:f,action:m,enabled:e}):a.patch(`/commands/${d}`,{enabled:e}));return n`<li class=${`card ${h?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${f}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${s(h?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${h} aria-label=${s(`rules.enabled_of`,{name:f})}
          onChange=${e=>y(e.currentTarget.checked)} ...${i()} />
      </label>
    </div>
    <p class="sentence">${s(`command.what.${m}`)}</p>
    <${p} command=${e} />
    <div class="bar">
      <button aria-label=${s(`rules.edit_of`,{name:f})}
        onClick=${()=>l({open:String(d??m)})}>${s(`edit`)}</button>
      ${d!==null&&n`<${c} className="" label=${s(`delete`)} description=${s(`rules.delete_of`,{name:f})}
        question=${s(`command.delete_sure`)} act=${()=>v(a.delete(`/commands/${d}`))} />`}
    </div>
    <${r} error=${g} />
  </li>`}function g({command:i,onClose:a,onSaved:s}){let{client:c,say:f}=o(),[m,h]=u(i),[g,_]=u(null),[v,y]=u(!1),b=e=>h(t=>({...t,...e})),{command_id:x,name:S,action:C,answer:w,user_cooldown:T}=m,E=async e=>{e.preventDefault(),y(!0);let t={name:S,answer:w,user_cooldown:T};try{x===null?await c.post(`/commands`,{...t,action:C,enabled:!0}):await c.patch(`/commands/${x}`,t),s()}catch(e){_(e),y(!1)}},D=d[C].map(e=>`{${e}}`).join(` `);return n`<${t} title=${f(`rules.edit_of`,{name:i.name})} onClose=${a}>
    <form onSubmit=${E}>
      <${p} command=${m} />
      <div class="fields">
        <${l} label=${f(`command.name`)} value=${S} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${f(`command.name_how`)} onInput=${e=>b({name:e.currentTarget.value})} />
        <${l} label=${f(`command.answer`)} value=${w??``} maxlength="400" dir="auto"
          placeholder=${f.template(`command.own.${C}`,{})}
          onInput=${e=>b({answer:e.currentTarget.value||null})} />
        <${l} label=${f(`command.cooldown`)} type="number" min="1" max="86400" step="1" value=${T??``}
          onInput=${e=>b({user_cooldown:Number(e.currentTarget.value)||null})} />
      </div>
      <p class="quiet">${f(`command.placeholders`,{list:D})}</p>
      <${e} class="main" disabled=${v}>${f(`save`)}<//>${` `}
      <button type="button" onClick=${a}>${f(`cancel`)}</button>
      <${r} error=${g} />
    </form>
  <//>`}export{m as View};