
import{_ as e,c as t,l as n}from"./forms.js";import{C as r,O as i,S as a,g as o,h as s,l as c,t as l,u,x as d}from"./common.js";import{h as f}from"./first.js";const p={balance:[`user`,`points`,`rank`],top:[`user`],buy:[`user`,`product`,`price`,`points`],give:[`user`,`to`,`amount`,`points`]};function m(e){let{say:t}=d(),[n,i]=a(()=>t);return r(()=>{e&&e!==t.lang&&f(e,`economy`).then(e=>i(()=>e),()=>{})},[e]),n}const h=(e,t)=>new Intl.DisplayNames(e.lang,{type:`language`}).of(t)??t;function g({name:e,action:t,answer:n},r){let i={user:`Ann`,points:n?`1250`:r.number(1250),rank:`3`,product:r(`command.sample_product`),price:`400`,to:`Bob`,amount:`50`},a=p[t],o=n?.trim()||r.template(`command.own.${t}`,{});return{message:[e,r(`command.sample.${t}`)].filter(Boolean).join(` `),answer:o.replace(/\{(\w+)\}/g,(e,t)=>a.includes(t)?i[t]:t in i?``:e)}}function _({command:e,answers:t}){let{say:n}=d(),{message:r,answer:a}=g(e,t);return i`<dl class="chat" aria-label=${n(`command.preview`)}>
    <dt>Ann</dt><dd dir="auto" lang=${t.lang}>${r}</dd>
    <dt>${n(`command.channel`)}</dt><dd dir="auto" lang=${t.lang}>${a}</dd>
  </dl>`}function v(){let{client:e,say:t,parameters:n,setParameters:r}=d(),{value:a,error:c,reload:u}=l(async()=>(await e.page(`/commands`,{query:{limit:100,order:`asc`}})).records,`commands`),f=l(()=>e.request(`GET`,`/connections/twitch`),`connection`,3e4),{transport:g,state:_,missing_scopes:v}=f.value?.data??{},x=m(f.value?.headers.get(`content-language`)),S=i`<h1>${t(`nav.commands`)}</h1>`;if(!a)return i`${S}<${s} error=${c} onRetry=${u} />${!c&&i`<${o} rows=${4} />`}`;let C=e=>{let t=a.filter(t=>t.action===e),n={command_id:null,name:x(`command.name.${e}`),action:e,answer:null,user_cooldown:null,enabled:!1};return t.length?t:[n]},w=Object.keys(p).flatMap(C),T=n.get(`open`),E=w.find(e=>String(e.command_id??e.action)===T),D=()=>r({open:null});return i`${S}
    <p class="quiet">${t(`command.how`)}</p>
    ${g===`webhook`&&i`<p class="notice" role="status">${t(`command.no_answers`)}</p>`}
    ${g===`websocket`&&_===`none`&&i`<p class="bar centred" role="status">
      ${t(`command.not_connected`)} <a class="button" href="#/settings?tab=twitch">${t(`begin.twitch`)}</a></p>`}
    ${v?.includes(`user:write:chat`)&&i`<p class="bar centred" role="status">
      ${t(`command.no_scope`)} <a class="button" href="#/settings?tab=twitch">${t(`nav.settings`)}</a></p>`}
    ${x.lang!==t.lang&&i`<p class="quiet">${t(`command.language`,{language:h(t,x.lang),tag:t.lang})}</p>`}
    <${s} error=${c} onRetry=${u} />
    <ul class="rules">
      ${w.map((e,t)=>i`<${y} key=${`${e.action} ${t}`} command=${e}
        answers=${x} isOnly=${C(e.action).length===1} reload=${()=>(u(),f.reload())} />`)}
    </ul>
    ${E&&i`<${b} key=${T} command=${E} answers=${x}
      taken=${w.filter(e=>e!==E).map(({name:e})=>e.toLowerCase())} onClose=${D} onSaved=${()=>(D(),u())} />`}`}function y({command:e,answers:n,isOnly:r,reload:o}){let{client:c,say:l,setParameters:f}=d(),{command_id:p,name:m,action:h,enabled:g}=e,[v,y]=a(null),b=e=>e.then(()=>(y(null),o()),e=>(y(e),o())),x=e=>b(p===null?c.post(`/commands`,{name:m,action:h,enabled:e}):c.patch(`/commands/${p}`,{enabled:e}));return i`<li class=${`card ${g?``:`off`}`}>
    <div class="bar spread">
      <h2 dir="auto">${m}</h2>
      <label class="switch">
        <span class="quiet" aria-hidden="true">${l(g?`rules.on`:`rules.off`)}</span>
        <input type="checkbox" role="switch" checked=${g} aria-label=${l(`rules.enabled_of`,{name:m})}
          onChange=${e=>x(e.currentTarget.checked)} ...${u()} />
      </label>
    </div>
    <p class="sentence">${l(`command.what.${h}`)}</p>
    <${_} command=${e} answers=${n} />
    <div class="bar">
      <button aria-label=${l(`rules.edit_of`,{name:m})}
        onClick=${()=>f({open:String(p??h)})}>${l(`edit`)}</button>
      ${p!==null&&i`<${t} className="bad" label=${l(r?`command.reset`:`delete`)}
        description=${l(r?`command.reset_of`:`delete_of`,{name:m})} question=${l(r?`command.reset_sure`:`command.delete_sure`)}
        act=${()=>b(c.delete(`/commands/${p}`))} />`}
    </div>
    <${s} error=${v} />
  </li>`}function b({command:t,answers:r,taken:o,onClose:l,onSaved:u}){let{client:f,say:m}=d(),[h,g]=a(t),[v,y]=a(null),[b,x]=a(!1),S=e=>g(t=>({...t,...e})),{command_id:C,name:w,action:T,answer:E,user_cooldown:D}=h,O=o.includes(w.toLowerCase()),k=async e=>{if(e.preventDefault(),O)return;x(!0);let t={name:w,answer:E?.trim()||null,user_cooldown:D};try{C===null?await f.post(`/commands`,{...t,action:T}):await f.patch(`/commands/${C}`,t),u()}catch(e){y(e),x(!1)}},A=p[T].map(e=>`{${e}}`),j=[...new Set((E??``).match(/\{\w+\}/g))].filter(e=>!A.includes(e));return i`<${e} title=${m(`rules.edit_of`,{name:t.name})} onClose=${l}>
    <form onSubmit=${k}>
      <${_} command=${h} answers=${r} />
      <div class="fields">
        <${n} label=${m(`command.name`)} value=${w} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${m(`command.name_how`)} reason=${O?m(`command.taken`):``} onInput=${e=>S({name:e.currentTarget.value})} />
        <${n} label=${m(`product.user_cooldown_label`)} type="number" min="1" max="86400" step="1"
          defaultValue=${t.user_cooldown??``}
          onInput=${e=>S({user_cooldown:e.currentTarget.value?Number(e.currentTarget.value):null})} />
        <div class="whole">
          <${n} label=${m(`command.answer`)} value=${E??``} maxlength="400" dir="auto"
            placeholder=${r.template(`command.own.${T}`,{})}
            onInput=${e=>S({answer:e.currentTarget.value||null})} />
        </div>
      </div>
      ${j.length>0&&i`<p class="bad" role="status">
        ${m(`command.unknown`,{many:j.length,names:j.join(`, `)})}</p>`}
      <p class="quiet">${m(`command.placeholders`,{list:A.join(` `)})}</p>
      <div class="ending">
        <${s} error=${v} />
        <${c} class="main" busy=${b}>${m(`save`)}<//>${` `}
        <button type="button" onClick=${l}>${m(`cancel`)}</button>
      </div>
    </form>
  <//>`}export{v as View};