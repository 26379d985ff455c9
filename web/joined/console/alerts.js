
import{c as e,l as t,m as n,r}from"./forms.js";import{C as i,D as a,S as o,f as s,g as c,h as l,k as u,l as d,p as f,t as p,u as m,w as h}from"./common.js";import{D as g,P as _,_ as v,b as y,c as b,f as x,g as S,o as C,p as w,y as T}from"./overlay.js";import{p as E}from"./first.js";function D({settings:e,selected:t,onSelect:n,onEnable:r}){let{say:i}=o();return u`<section class="card alert-list" aria-label=${i(`alerts.list`)}>
    <ul>
      ${w.map(i=>u`<${O} key=${i} kind=${i} rule=${T(e,i)} settings=${e}
        isSelected=${i===t} onSelect=${n} onEnable=${r} />`)}
    </ul>
  </section>`}function O({kind:e,rule:t,settings:n,isSelected:r,onSelect:i,onEnable:a}){let{say:s}=o(),c=s(`kind.${e}`),l=s(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),d=t.sound===`none`?``:` · ♪ ${s(`sound.${t.sound}`)}`,p=t.variations.map(({minimum:e})=>`≥\u00a0${s.number(e)}`).reverse();return u`<li class=${t.enabled?``:`off`}>
    <label><input type="checkbox" checked=${t.enabled} aria-label=${s(`alerts.enabled_of`,{kind:c})}
      onChange=${t=>a(e,t.currentTarget.checked)} ...${m()} /></label>
    <button aria-current=${r?`true`:void 0} onClick=${()=>i(e)}>
      <${f} name=${e} />
      <span class="alert-name">${c}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${l}${d}`:s(`alerts.off`)}</small>
      ${p.length>0&&u`<small>${p.join(` · `)}</small>`}
    </button>
  </li>`}function k(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?k(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?k(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function A(e){let{client:t,subscribe:n}=o(),r=`/overlays/${e.overlay_id}`,[s,c]=i(e.settings??{}),[l,u]=i({paused:e.paused,muted:e.muted}),[d,f]=i(``),[p,m]=i(null),_=a(s),v=a(null),y=a(null),b=a(/* @__PURE__ */ new Set),x=a(0),S=a(Promise.resolve(!0)),C=async e=>{x.current+=1;let n=x.current;f(`alerts.saving`),e.settings&&b.current.add(JSON.stringify(e.settings));try{return await t.patch(r,e),m(null),n===x.current&&!v.current&&f(`alerts.saved`),!0}catch(e){return f(``),m(e),!1}},w=e=>(S.current=C(e),S.current),T=()=>(clearTimeout(y.current),v.current=null,w({settings:_.current}));return h(()=>()=>{clearTimeout(y.current),v.current&&t.patch(r,{settings:v.current}).catch(()=>{})},[]),h(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===r&&n&&(u({paused:n.paused,muted:n.muted}),v.current||b.current.has(JSON.stringify(n.settings))||(_.current=n.settings??{},c(_.current)))}),[]),{path:r,values:s,settings:g(s),flags:l,state:d,error:p,setError:m,change:(e,t)=>{let n=k(_.current,e,t);_.current=n,c(n),v.current=n,f(`alerts.saving`),clearTimeout(y.current),y.current=setTimeout(T,300)},clearState:()=>f(``),show:(e,t)=>c(k(_.current,e,t||void 0)),flush:T,settle:()=>v.current?T():S.current.then(e=>e||T()),toggle:e=>{u({...l,[e]:!l[e]}),w({[e]:!l[e]})}}}function j({settings:e,flags:t,settle:n},r){let{client:a,say:s}=o(),[c,l]=i({note:``,off:null}),u=(e,t=null)=>l({note:e,off:t}),d=async(i,o)=>{let{enabled:c,minimum:l}=T(e,i);if(r(),!c)return u(s(`alerts.is_off`,{kind:s(`kind.${i}`)}),i);if(v(i)&&o<l)return u(s(`alerts.below`,{minimum:l}));if(u(`…`),!await n())return u(``);try{return await a.post(`/alerts`,{test:y(i,o,s)}),u(t.paused?s(`alerts.sent_paused`):await b(a,s,{kind:i,event:{}}))}catch(e){let t=e;return u(t.isRetryable?s(`unreachable`):t.detail??t.message)}};return{...c,send:d,clear:()=>u(``)}}const M=u`<section class="alert-preview"><div class="kept"><div class="scene"></div></div></section>`,N=`alerts/addresses.css`,P=`alerts/properties.css`,F=r(()=>E(Promise.all([import(`./addresses2.js`),import(`./addresses.js`)]).then(([module])=>module),N).then(({Addresses:e})=>e)),I=r(()=>Promise.all([import(`./look.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Look:e})=>e)),L=r(()=>E(Promise.all([import(`./preview.js`),import(`./overlay.js`)]).then(([module])=>module),`alerts/preview.css`).then(({Preview:e})=>e),M),R=r(e=>e.withTexts(E(Promise.all([import(`./properties.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),P),`stream`).then(({Properties:e})=>e)),z=r(()=>E(Promise.all([import(`./variations.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),P).then(({Variations:e})=>e)),B=r(e=>e.withTexts(E(Promise.all([import(`./widgets.js`),import(`./overlay.js`),import(`./addresses.js`)]).then(([module])=>module),N),`stream`).then(({Widgets:e})=>e));function V({overlay:t,title:r,create:a,reload:s}){let{client:c,say:f,parameters:p,setParameters:m}=o(),g=A(t),{settings:y,flags:b,change:E}=g,O=w.includes(p.get(`kind`))?p.get(`kind`):w[0],k=T(y,O),[M,N]=i({}),[P,V]=i(0),H=M[O]??Math.max(S(O),k.minimum),U=e=>N({...M,[O]:e}),W=()=>V(e=>e+1),G=j(g,W);h(g.clearState,[p.get(`tab`)]);let K=e=>{m({kind:e}),G.clear()},q=async()=>{let e=Object.values(y.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),t=new Set(e.flatMap(e=>e?.document_id??[]));try{await c.delete(g.path),await Promise.all([...t].map(e=>c.delete(`/documents/${e}`).catch(()=>{}))),s()}catch(e){g.setError(e)}},J=e=>c.patch(g.path,{name:e}).then(s,g.setError),Y=e=>{let t=_(e);t&&E([`position`],t),E([`place`],t?void 0:e)},X=(e,t)=>E([`alerts`,e,`enabled`],t),Z=(e,t,n)=>u`<${d} aria-pressed=${b[e]} onClick=${()=>g.toggle(e)}>
      ${f(b[e]?n:t)}
    <//>`,Q=(e,t)=>E([`alerts`,O,...e],t),$=(e,t)=>g.show([`alerts`,O,...e],t),ee={alerts:f(`nav.alerts`),widgets:f(`alerts.widgets`),urls:f(`alerts.address`),overlay:f(`alerts.look`)},te=u`<section class="card alert-theme">
    <${C} theme=${y.theme} onChange=${e=>E([`theme`],e)} />
  </section>
  <div class="alert-editor">
    <${D} settings=${y} selected=${O} onSelect=${K} onEnable=${X} />
    <${L} overlay=${t} values=${g.values} settings=${y} kind=${O} rule=${k}
      amount=${H} setAmount=${U} plays=${P} play=${W} test=${G} muted=${b.muted}
      onMove=${Y}
      onEnable=${e=>(X(e,!0),G.clear())} />
    <${R} key=${O} kind=${O} rule=${k} values=${g.values} settings=${y}
      amount=${H} change=${Q} show=${$} flush=${g.flush} />
    ${v(O)&&u`<section class="alert-variations" aria-label=${f(`alerts.variations`)}>
      <${z} key=${`variations ${O}`} kind=${O} rule=${k} settings=${y}
        change=${Q} show=${$} raw=${g.values.alerts?.[O]?.variations} flush=${g.flush}
        played=${x(k,H)?.minimum}
        onTest=${e=>(U(e),G.send(O,e))} />
    </section>`}
  </div>`;return u`<div class="bar spread alert-bar">
      <div class="bar">${r}</div>
      <div class="bar">
        <span class="quiet" role="status">${g.state&&f(g.state)}</span>
        ${Z(`paused`,`queue.pause`,`queue.resume`)} ${Z(`muted`,`alerts.mute`,`alerts.unmute`)}
      </div>
    </div>
    <${l} error=${g.error} onRetry=${g.error&&g.flush} />
    <${n} label=${f(`nav.alerts`)} names=${ee} onInput=${g.clearState}>
      ${n=>u`${n===`alerts`&&te}
        ${n===`widgets`&&u`<${B} overlay=${t} settings=${y} change=${E} />`}
        ${n===`urls`&&u`<${F} overlay=${t} />`}
        ${n===`overlay`&&u`<${I} name=${t.name} rename=${J} settings=${y}
            change=${E} />
          <p class="bar alert-end"><${d} onClick=${a}>${f(`alerts.another`)}<//> <${e} className="bad" label=${f(`alerts.delete`)}
            description=${`${f(`alerts.delete`)}: ${t.name}`} question=${f(`alerts.delete_sure`)}
            note=${f(`alerts.delete_note`)} act=${q} /></p>`}`}
    <//>`}const H=({overlay_id:e,name:t})=>({value:String(e),label:t});function U(){let{client:e,say:n,connected:r,parameters:a,setParameters:f}=o(),{value:m,error:h,reload:g}=p(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=i(null),y=()=>{let t=(m?.length??0)+1,r=`${n(`alerts.first_name`)}${t>1?` ${t}`:``}`;e.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),f({overlay:String(e.overlay_id)}),g()},v)};if(!m||m.length===0&&!r){let e=h??_;return u`<h1>${n(`nav.alerts`)}</h1>
      ${e?u`<${l} error=${e} onRetry=${g} />`:u`<${c} rows=${6} />`}`}let b=m.find(({overlay_id:e})=>String(e)===a.get(`overlay`))??m[0],x=u`<h1>${n(`nav.alerts`)}</h1>
    ${m.length>1&&u`<${t} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
      onChange=${e=>f({overlay:e.currentTarget.value})}
      options=${m.map(H)} />`}`;return u`<${l} error=${_} />
    ${m.length===0?u`${x}<${s}>${n(`alerts.empty`)}
          <${d} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:u`<${V} key=${b.overlay_id} overlay=${b} title=${x} create=${y}
          reload=${g} />`}`}export{U as View};