
import{A as e,C as t,H as n,L as r,M as i,R as a,S as o,U as s,W as c,Y as l,g as u,j as d}from"./common.js";import{h as f}from"./first.js";const p={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function m(e){let{say:t}=n(),[r,i]=s(()=>t);return c(()=>{e&&e!==t.lang&&f(e,`economy`).then(e=>i(()=>e),()=>{})},[e]),r}const h=(e,t)=>new Intl.DisplayNames(e.lang,{type:`language`}).of(t)??t;function g({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=p[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function _({command:e,answers:t}){let{say:r}=n(),{message:i,answer:a}=g(e,t);return l`<dl class="chat" aria-label=${r(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto" lang=${t.lang}>${i}</dd>
    <dt>${r(`command.channel`)}</dt><dd dir="auto" lang=${t.lang}>${a}</dd>
  </dl>`}function v(){let{client:e,say:t,parameters:i,setParameters:o}=n(),{value:s,error:c,reload:d}=u(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),f=u(()=>e.request(`GET`,`/connections/twitch`),`connection`,3e4),{transport:g,state:_,missing_scopes:v}=f.value?.data??{},x=m(f.value?.headers.get(`content-language`)),S=l`<h1>${t(`nav.commands`)}</h1>`;if(!s)return l`${S}<${r} error=${c} onRetry=${d} />${!c&&l`<${a} rows=${4} />`}`;let C=Object.keys(p).flatMap(e=>{let n=s.filter(t=>t.action===e),r={command_id:null,name:t(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return n.length?n:[r]}),w=i.get(`open`),T=C.find(e=>String(e.command_id??e.action)===w),E=()=>o({open:null});return l`${S}
    <p class="quiet">${t(`command.how`)}</p>
    ${g===`webhook`&&l`<p class="notice" role="status">${t(`command.no_answers`)}</p>`}
    ${g===`websocket`&&_===`none`&&l`<p class="notice" role="status">
      ${t(`command.not_connected`)} <a href="#/settings">${t(`command.to_twitch`)}</a></p>`}
    ${v?.includes(`user:write:chat`)&&l`<p class="notice" role="status">
      ${t(`command.no_scope`)} <a href="#/settings">${t(`command.to_twitch`)}</a></p>`}
    ${x.lang!==t.lang&&l`<p class="quiet">${t(`command.language`,{language:h(t,x.lang),tag:t.lang})}</p>`}
    <${r} error=${c} onRetry=${d} />
    <ul class="rules">
      ${C.map(e=>l`<${y} key=${e.command_id??e.action} command=${e}
        answers=${x} reload=${()=>(d(),f.reload())} />`)}
    </ul>
    ${T&&l`<${b} key=${w} command=${T} answers=${x} onClose=${E} onSaved=${()=>(E(),d())} />`}`}function y({command:e,answers:t,reload:a}){let{client:c,say:u,setParameters:d}=n(),{command_id:f,name:p,action:m,enabled:h}=e,[g,v]=s(null),y=e=>e.then(()=>(v(null),a()),e=>(v(e),a())),b=e=>y(f===null?c.post(`/commands`,{name:p,action:m,enabled:e}):c.patch(`/commands/${f}`,{enabled:e}));return l`<li class=${`card ${h?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${p}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${u(h?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${h} aria-label=${u(`rules.enabled_of`,{name:p})}
          onChange=${e=>b(e.currentTarget.checked)} ...${i()} />
      </label>
    </div>
    <p class="sentence">${u(`command.what.${m}`)}</p>
    <${_} command=${e} answers=${t} />
    <div class="bar">
      <button aria-label=${u(`rules.edit_of`,{name:p})}
        onClick=${()=>d({open:String(f??m)})}>${u(`edit`)}</button>
      ${f!==null&&l`<${o} className="bad" label=${u(`delete`)} description=${u(`rules.delete_of`,{name:p})}
        question=${u(`command.delete_sure`)} act=${()=>y(c.delete(`/commands/${f}`))} />`}
    </div>
    <${r} error=${g} />
  </li>`}function b({command:i,answers:a,onClose:o,onSaved:c}){let{client:u,say:f}=n(),[m,h]=s(i),[g,v]=s(null),[y,b]=s(!1),x=e=>h(t=>({...t,...e})),{command_id:S,name:C,action:w,answer:T,user_cooldown:E}=m,D=async e=>{e.preventDefault(),b(!0);let t={name:C,answer:T?.trim()||null,user_cooldown:E};try{S===null?await u.post(`/commands`,{...t,action:w}):await u.patch(`/commands/${S}`,t),c()}catch(e){v(e),b(!1)}},O=p[w].map(e=>`{${e}}`),k=[...new Set((T??``).match(/\{\w+\}/g))].filter(e=>!O.includes(e));return l`<${e} title=${f(`rules.edit_of`,{name:i.name})} onClose=${o}>
    <form onSubmit=${D}>
      <${_} command=${m} answers=${a} />
      <div class="fields">
        <${t} label=${f(`command.name`)} value=${C} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${f(`command.name_how`)} onInput=${e=>x({name:e.currentTarget.value})} />
        <${t} label=${f(`command.cooldown`)} type="number" min="1" max="86400" step="1"
          defaultValue=${i.user_cooldown??``}
          onInput=${e=>x({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${t} label=${f(`command.answer`)} value=${T??``} maxlength="400" dir="auto"
            placeholder=${a.template(`command.own.${w}`,{})}
            onInput=${e=>x({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${k.length>0&&l`<p class="bad" role="status">
        ${f(`command.unknown`,{many:k.length,names:k.join(`, `)})}</p>`}
      <p class="quiet">${f(`command.placeholders`,{list:O.join(` `)})}</p>
      <div class="ending">
        <${r} error=${g} />
        <${d} class="main" disabled=${y}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}export{v as View};