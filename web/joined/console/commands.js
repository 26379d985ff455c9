
import{b as e,d as t,f as n,r}from"./forms.js";import{C as i,E as a,O as o,S as s,g as c,h as l,l as u,t as d,u as f,x as p}from"./common.js";import{h as m}from"./first.js";const h={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function g(e){let{say:t}=p(),[n,r]=s(()=>t);return i(()=>{e&&e!==t.lang&&m(e,`economy`).then(e=>r(()=>e),()=>{})},[e]),n}const _=(e,t)=>new Intl.DisplayNames(e.lang,{type:`language`}).of(t)??t;function v({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=h[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function y({command:e,answers:t}){let{say:n}=p(),{message:r,answer:i}=v(e,t);return o`<dl class="chat" aria-label=${n(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto" lang=${t.lang}>${r}</dd>
    <dt>${n(`command.channel`)}</dt><dd dir="auto" lang=${t.lang}>${i}</dd>
  </dl>`}function b(){let{client:e,say:t,parameters:n,setParameters:r}=p(),{value:i,error:a,reload:s}=d(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),u=d(()=>e.request(`GET`,`/connections/twitch`),`connection`,3e4),{transport:f,state:m,missing_scopes:v}=u.value?.data??{},y=g(u.value?.headers.get(`content-language`)),b=o`<h1>${t(`nav.commands`)}</h1>`;if(!i)return o`${b}<${l} error=${a} onRetry=${s} />${!a&&o`<${c} rows=${4} />`}`;let C=e=>{let t=i.filter(t=>t.action===e),n={command_id:null,name:y(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return t.length?t:[n]},w=Object.keys(h).flatMap(C),T=n.get(`open`),E=w.find(e=>String(e.command_id??e.action)===T),D=()=>r({open:null});return o`${b}
    <p class="quiet">${t(`command.how`)}</p>
    ${f===`webhook`&&o`<p class="notice" role="status">${t(`command.no_answers`)}</p>`}
    ${f===`websocket`&&m===`none`&&o`<p class="bar centred" role="status">
      ${t(`command.not_connected`)} <a class="button" href="#/settings?tab=twitch">${t(`begin.twitch`)}</a></p>`}
    ${v?.includes(`user:write:chat`)&&o`<p class="bar centred" role="status">
      ${t(`command.no_scope`)} <a class="button" href="#/settings?tab=twitch">${t(`nav.settings`)}</a></p>`}
    ${y.lang!==t.lang&&o`<p class="quiet">${t(`command.language`,{language:_(t,y.lang),tag:t.lang})}</p>`}
    <${l} error=${a} onRetry=${s} />
    <ul class="rules">
      ${w.map((e,t)=>o`<${x} key=${`${e.action} ${t}`} command=${e}
        answers=${y} isOnly=${C(e.action).length===1} reload=${()=>(s(),u.reload())} />`)}
    </ul>
    ${E&&o`<${S} key=${T} command=${E} answers=${y}
      taken=${w.filter(e=>e!==E).map(({name:e})=>e.toLowerCase())} onClose=${D} onSaved=${()=>(D(),s())} />`}`}function x({command:e,answers:n,isOnly:i,reload:c}){let{client:u,say:d,setParameters:m}=p(),{command_id:h,name:g,action:_,enabled:v}=e,[b,x]=s(null),S=a(null),C=e=>e.then(()=>(x(null),c()),e=>(x(e),c())),w=e=>C(h===null?u.post(`/commands`,{name:g,action:_,enabled:e}):u.patch(`/commands/${h}`,{enabled:e}));return o`<li class=${`card ${v?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${g}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${d(v?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${v} aria-label=${d(`rules.enabled_of`,{name:g})}
          onChange=${e=>w(e.currentTarget.checked)} ...${f()} />
      </label>
    </div>
    <p class="sentence">${d(`command.what.${_}`)}</p>
    <${y} command=${e} answers=${n} />
    <div class="bar">
      <button ref=${S} aria-label=${d(`rules.edit_of`,{name:g})}
        onClick=${()=>m({open:String(h??_)})}>${d(`edit`)}</button>
      ${h!==null&&o`<${t} className="bad" label=${d(i?`command.reset`:`delete`)}
        description=${d(i?`command.reset_of`:`delete_of`,{name:g})} question=${d(i?`command.reset_sure`:`command.delete_sure`)}
        act=${()=>C(u.delete(`/commands/${h}`).then(()=>i?S.current?.focus():r()))} />`}
    </div>
    <${l} error=${b} />
  </li>`}function S({command:t,answers:r,taken:i,onClose:a,onSaved:c}){let{client:d,say:f}=p(),[m,g]=s(t),[_,v]=s(null),[b,x]=s(!1),S=e=>g(t=>({...t,...e})),{command_id:C,name:w,action:T,answer:E,user_cooldown:D}=m,O=i.includes(w.toLowerCase()),k=async e=>{if(e.preventDefault(),O)return;x(!0);let t={name:w,answer:E?.trim()||null,user_cooldown:D};try{C===null?await d.post(`/commands`,{...t,action:T}):await d.patch(`/commands/${C}`,t),c()}catch(e){v(e),x(!1)}},A=h[T].map(e=>`{${e}}`),j=[...new Set((E??``).match(/\{\w+\}/g))].filter(e=>!A.includes(e));return o`<${e} title=${f(`rules.edit_of`,{name:t.name})} onClose=${a}>
    <form onSubmit=${k}>
      <${y} command=${m} answers=${r} />
      <div class="fields">
        <${n} label=${f(`command.name`)} value=${w} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${f(`command.name_how`)} reason=${O?f(`command.taken`):``} onInput=${e=>S({name:e.currentTarget.value})} />
        <${n} label=${f(`product.user_cooldown_label`)} type="number" min="1" max="86400" step="1"
          defaultValue=${t.user_cooldown??``}
          onInput=${e=>S({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${n} label=${f(`command.answer`)} value=${E??``} maxlength="400" dir="auto"
            placeholder=${r.template(`command.own.${T}`,{})}
            onInput=${e=>S({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${j.length>0&&o`<p class="bad" role="status">
        ${f(`command.unknown`,{many:j.length,names:j.join(`, `)})}</p>`}
      <p class="quiet">${f(`command.placeholders`,{list:A.join(` `)})}</p>
      <div class="ending">
        <${l} error=${_} />
        <${u} class="main" disabled=${b}>${f(`save`)}<//>${` `}
        <button type="button" onClick=${a}>${f(`cancel`)}</button>
      </div>
    </form>
  <//>`}export{b as View};