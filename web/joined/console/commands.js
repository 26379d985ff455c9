
import{b as e,d as t,f as n}from"./forms.js";import{C as r,O as i,S as a,g as o,h as s,l as c,t as l,u,x as d}from"./common.js";import{h as f}from"./first.js";const p={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function m(e){let{say:t}=d(),[n,i]=a(()=>t);return r(()=>{e&&e!==t.lang&&f(e,`economy`).then(e=>i(()=>e),()=>{})},[e]),n}const h=(e,t)=>new Intl.DisplayNames(e.lang,{type:`language`}).of(t)??t;function g({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=p[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function _({command:e,answers:t}){let{say:n}=d(),{message:r,answer:a}=g(e,t);return i`<dl class="chat" aria-label=${n(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto" lang=${t.lang}>${r}</dd>
    <dt>${n(`command.channel`)}</dt><dd dir="auto" lang=${t.lang}>${a}</dd>
  </dl>`}function v(){let{client:e,say:t,parameters:n,setParameters:r}=d(),{value:a,error:c,reload:u}=l(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),f=l(()=>e.request(`GET`,`/connections/twitch`),`connection`,3e4),{transport:g,state:_,missing_scopes:v}=f.value?.data??{},x=m(f.value?.headers.get(`content-language`)),S=i`<h1>${t(`nav.commands`)}</h1>`;if(!a)return i`${S}<${s} error=${c} onRetry=${u} />${!c&&i`<${o} rows=${4} />`}`;let C=Object.keys(p).flatMap(e=>{let t=a.filter(t=>t.action===e),n={command_id:null,name:x(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return t.length?t:[n]}),w=n.get(`open`),T=C.find(e=>String(e.command_id??e.action)===w),E=()=>r({open:null});return i`${S}
    <p class="quiet">${t(`command.how`)}</p>
    ${g===`webhook`&&i`<p class="notice" role="status">${t(`command.no_answers`)}</p>`}
    ${g===`websocket`&&_===`none`&&i`<p class="bar centred" role="status">
      ${t(`command.not_connected`)} <a class="button" href="#/settings?tab=twitch">${t(`begin.twitch`)}</a></p>`}
    ${v?.includes(`user:write:chat`)&&i`<p class="bar centred" role="status">
      ${t(`command.no_scope`)} <a class="button" href="#/settings?tab=twitch">${t(`nav.settings`)}</a></p>`}
    ${x.lang!==t.lang&&i`<p class="quiet">${t(`command.language`,{language:h(t,x.lang),tag:t.lang})}</p>`}
    <${s} error=${c} onRetry=${u} />
    <ul class="rules">
      ${C.map(e=>i`<${y} key=${e.command_id??e.action} command=${e}
        answers=${x} reload=${()=>(u(),f.reload())} />`)}
    </ul>
    ${T&&i`<${b} key=${w} command=${T} answers=${x} onClose=${E} onSaved=${()=>(E(),u())} />`}`}function y({command:e,answers:n,reload:r}){let{client:o,say:c,setParameters:l}=d(),{command_id:f,name:p,action:m,enabled:h}=e,[g,v]=a(null),y=e=>e.then(()=>(v(null),r()),e=>(v(e),r())),b=e=>y(f===null?o.post(`/commands`,{name:p,action:m,enabled:e}):o.patch(`/commands/${f}`,{enabled:e}));return i`<li class=${`card ${h?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${p}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${c(h?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${h} aria-label=${c(`rules.enabled_of`,{name:p})}
          onChange=${e=>b(e.currentTarget.checked)} ...${u()} />
      </label>
    </div>
    <p class="sentence">${c(`command.what.${m}`)}</p>
    <${_} command=${e} answers=${n} />
    <div class="bar">
      <button aria-label=${c(`rules.edit_of`,{name:p})}
        onClick=${()=>l({open:String(f??m)})}>${c(`edit`)}</button>
      ${f!==null&&i`<${t} className="bad" label=${c(`delete`)} description=${c(`delete_of`,{name:p})}
        question=${c(`command.delete_sure`)} act=${()=>y(o.delete(`/commands/${f}`))} />`}
    </div>
    <${s} error=${g} />
  </li>`}function b({command:t,answers:r,onClose:o,onSaved:l}){let{client:u,say:f}=d(),[m,h]=a(t),[g,v]=a(null),[y,b]=a(!1),x=e=>h(t=>({...t,...e})),{command_id:S,name:C,action:w,answer:T,user_cooldown:E}=m,D=async e=>{e.preventDefault(),b(!0);let t={name:C,answer:T?.trim()||null,user_cooldown:E};try{S===null?await u.post(`/commands`,{...t,action:w}):await u.patch(`/commands/${S}`,t),l()}catch(e){v(e),b(!1)}},O=p[w].map(e=>`{${e}}`),k=[...new Set((T??``).match(/\{\w+\}/g))].filter(e=>!O.includes(e));return i`<${e} title=${f(`rules.edit_of`,{name:t.name})} onClose=${o}>
    <form onSubmit=${D}>
      <${_} command=${m} answers=${r} />
      <div class="fields">
        <${n} label=${f(`command.name`)} value=${C} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${f(`command.name_how`)} onInput=${e=>x({name:e.currentTarget.value})} />
        <${n} label=${f(`product.user_cooldown_label`)} type="number" min="1" max="86400" step="1"
          defaultValue=${t.user_cooldown??``}
          onInput=${e=>x({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${n} label=${f(`command.answer`)} value=${T??``} maxlength="400" dir="auto"
            placeholder=${r.template(`command.own.${w}`,{})}
            onInput=${e=>x({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${k.length>0&&i`<p class="bad" role="status">
        ${f(`command.unknown`,{many:k.length,names:k.join(`, `)})}</p>`}
      <p class="quiet">${f(`command.placeholders`,{list:O.join(` `)})}</p>
      <div class="ending">
        <${s} error=${g} />
        <${c} class="main" disabled=${y}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${o}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}export{v as View};