
import{c as e,l as t,m as n,r}from"./forms.js";import{A as i,O as a,S as o,T as s,f as c,g as l,h as u,l as d,p as f,t as p,u as m,w as h}from"./common.js";import{D as g,P as _,_ as v,b as y,c as b,f as x,g as S,o as C,p as w,y as T}from"./overlay.js";import{p as E}from"./first.js";function D({settings:e,selected:t,onSelect:n,onEnable:r}){let{say:a}=o();return i`<section class="card alert-list" aria-label=${a(`alerts.list`)}>
    <ul>
      ${w.map(a=>i`<${O} key=${a} kind=${a} rule=${T(e,a)} settings=${e}
        isSelected=${a===t} onSelect=${n} onEnable=${r} />`)}
    </ul>
  </section>`}function O({kind:e,rule:t,settings:n,isSelected:r,onSelect:a,onEnable:s}){let{say:c}=o(),l=c(`kind.${e}`),u=c(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),d=t.sound===`none`?``:` · ♪ ${c(`sound.${t.sound}`)}`,p=t.variations.map(({minimum:e})=>`≥\u00a0${c.number(e)}`).reverse();return i`<li class=${t.enabled?``:`off`}>
    <label><input type="checkbox" checked=${t.enabled} aria-label=${c(`alerts.enabled_of`,{kind:l})}
      onChange=${t=>s(e,t.currentTarget.checked)} ...${m()} /></label>
    <button aria-current=${r?`true`:void 0} onClick=${()=>a(e)}>
      <${f} name=${e} />
      <span class="alert-name">${l}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${u}${d}`:c(`alerts.off`)}</small>
      ${p.length>0&&i`<small>${p.join(` · `)}</small>`}
    </button>
  </li>`}function k(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?k(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?k(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}const A=/* @__PURE__ */ new Map;function j(e){let{client:t,subscribe:n}=o(),r=`/overlays/${e.overlay_id}`,[i,c]=h(A.get(r)??e.settings??{}),[l,u]=h({paused:e.paused,muted:e.muted}),[d,f]=h(``),[p,m]=h(null),_=a(i),v=a(null),y=a(null),b=a(/* @__PURE__ */ new Set),x=a(0),S=a(Promise.resolve(!0)),C=async e=>{x.current+=1;let n=x.current;f(`alerts.saving`),e.settings&&b.current.add(JSON.stringify(e.settings));try{return await t.patch(r,e),e.settings&&A.delete(r),m(null),n===x.current&&!v.current&&f(`alerts.saved`),!0}catch(t){return e.settings&&A.set(r,e.settings),f(``),m(t),!1}},w=e=>(S.current=C(e),S.current),T=()=>(clearTimeout(y.current),v.current=null,w({settings:_.current}));return s(()=>(A.has(r)&&T(),()=>{clearTimeout(y.current),v.current&&C({settings:v.current})}),[]),s(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===r&&n&&(u({paused:n.paused,muted:n.muted}),v.current||b.current.has(JSON.stringify(n.settings))||(_.current=n.settings??{},c(_.current)))}),[]),{path:r,values:i,settings:g(i),flags:l,state:d,error:p,setError:m,change:(e,t)=>{let n=k(_.current,e,t);_.current=n,c(n),v.current=n,f(`alerts.saving`),clearTimeout(y.current),y.current=setTimeout(T,300)},clearState:()=>f(``),show:(e,t)=>c(k(_.current,e,t||void 0)),flush:T,settle:()=>v.current?T():S.current.then(e=>e||T()),toggle:e=>{u({...l,[e]:!l[e]}),w({[e]:!l[e]})}}}function M({settings:e,flags:t,settle:n},r){let{client:i,say:a}=o(),[s,c]=h({note:``,off:null}),l=(e,t=null)=>c({note:e,off:t}),u=async(o,s)=>{let{enabled:c,minimum:u}=T(e,o);if(r(),!c)return l(a(`alerts.is_off`,{kind:a(`kind.${o}`)}),o);if(v(o)&&s<u)return l(a(`alerts.below`,{minimum:u}));if(l(`…`),!await n())return l(``);try{return await i.post(`/alerts`,{test:y(o,s,a)}),l(t.paused?a(`alerts.sent_paused`):await b(i,a,{kind:o,event:{}}))}catch(e){let t=e;return l(t.isRetryable?a(`unreachable`):t.detail??t.message)}};return{...s,send:u,clear:()=>l(``)}}const N=i`<section class="alert-preview"><div class="kept"><div class="scene"></div></div></section>`,P=`alerts/addresses.css`,F=`alerts/properties.css`,I=r(()=>E(Promise.all([import(`./addresses2.js`),import(`./addresses.js`)]).then(([module])=>module),P).then(({Addresses:e})=>e)),L=r(()=>Promise.all([import(`./look.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Look:e})=>e)),R=r(()=>E(Promise.all([import(`./preview.js`),import(`./overlay.js`)]).then(([module])=>module),`alerts/preview.css`).then(({Preview:e})=>e),N),z=r(e=>e.withTexts(E(Promise.all([import(`./properties.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),F),`stream`).then(({Properties:e})=>e)),B=r(()=>E(Promise.all([import(`./variations.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),F).then(({Variations:e})=>e)),V=r(e=>e.withTexts(E(Promise.all([import(`./widgets.js`),import(`./overlay.js`),import(`./addresses.js`)]).then(([module])=>module),P),`stream`).then(({Widgets:e})=>e));function H({overlay:t,title:r,create:a,reload:c}){let{client:l,say:f,parameters:p,setParameters:m}=o(),g=j(t),{settings:y,flags:b,change:E}=g,O=w.includes(p.get(`kind`))?p.get(`kind`):w[0],k=T(y,O),[A,N]=h({}),[P,F]=h(0),H=A[O]??Math.max(S(O),k.minimum),U=e=>N({...A,[O]:e}),W=()=>F(e=>e+1),G=M(g,W);s(g.clearState,[p.get(`tab`)]);let K=e=>{m({kind:e}),G.clear()},q=async()=>{let e=Object.values(y.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),t=new Set(e.flatMap(e=>e?.document_id??[]));try{await l.delete(g.path),await Promise.all([...t].map(e=>l.delete(`/documents/${e}`).catch(()=>{}))),c()}catch(e){g.setError(e)}},J=e=>l.patch(g.path,{name:e}).then(c,g.setError),Y=e=>{let t=_(e);t&&E([`position`],t),E([`place`],t?void 0:e)},X=(e,t)=>E([`alerts`,e,`enabled`],t),Z=(e,t,n)=>i`<${d} aria-pressed=${b[e]} onClick=${()=>g.toggle(e)}>
      ${f(b[e]?n:t)}
    <//>`,Q=(e,t)=>E([`alerts`,O,...e],t),$=(e,t)=>g.show([`alerts`,O,...e],t),ee={alerts:f(`nav.alerts`),widgets:f(`alerts.widgets`),urls:f(`alerts.address`),overlay:f(`alerts.look`)},te=i`<section class="card alert-theme">
    <${C} theme=${y.theme} onChange=${e=>E([`theme`],e)} />
  </section>
  <div class="alert-editor">
    <${D} settings=${y} selected=${O} onSelect=${K} onEnable=${X} />
    <${R} overlay=${t} values=${g.values} settings=${y} kind=${O} rule=${k}
      amount=${H} setAmount=${U} plays=${P} play=${W} test=${G} muted=${b.muted}
      onMove=${Y}
      onEnable=${e=>(X(e,!0),G.clear())} />
    <${z} key=${O} kind=${O} rule=${k} values=${g.values} settings=${y}
      amount=${H} change=${Q} show=${$} flush=${g.flush} />
    ${v(O)&&i`<section class="alert-variations" aria-label=${f(`alerts.variations`)}>
      <${B} key=${`variations ${O}`} kind=${O} rule=${k} settings=${y}
        change=${Q} show=${$} raw=${g.values.alerts?.[O]?.variations} flush=${g.flush}
        played=${x(k,H)?.minimum}
        onTest=${e=>(U(e),G.send(O,e))} />
    </section>`}
  </div>`;return i`<div class="bar spread alert-bar">
      <div class="bar">${r}</div>
      <div class="bar">
        <span class="quiet" role="status">${g.state&&f(g.state)}</span>
        ${Z(`paused`,`queue.pause`,`queue.resume`)} ${Z(`muted`,`alerts.mute`,`alerts.unmute`)}
      </div>
    </div>
    <${u} error=${g.error} onRetry=${g.error&&g.flush} />
    <${n} label=${f(`nav.alerts`)} names=${ee} onInput=${g.clearState}>
      ${n=>i`${n===`alerts`&&te}
        ${n===`widgets`&&i`<${V} overlay=${t} settings=${y} change=${E} />`}
        ${n===`urls`&&i`<${I} overlay=${t} />`}
        ${n===`overlay`&&i`<${L} name=${t.name} rename=${J} settings=${y}
            change=${E} />
          <p class="bar alert-end"><${d} onClick=${a}>${f(`alerts.another`)}<//> <${e} className="bad" label=${f(`alerts.delete`)}
            description=${`${f(`alerts.delete`)}: ${t.name}`} question=${f(`alerts.delete_sure`)}
            note=${f(`alerts.delete_note`)} act=${q} /></p>`}`}
    <//>`}const U=({overlay_id:e,name:t})=>({value:String(e),label:t});function W(){let{client:e,say:n,connected:r,parameters:a,setParameters:s}=o(),{value:f,error:m,reload:g}=p(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=h(null),y=()=>{let t=(f?.length??0)+1,r=`${n(`alerts.first_name`)}${t>1?` ${t}`:``}`;e.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),s({overlay:String(e.overlay_id)}),g()},v)};if(!f||f.length===0&&!r){let e=m??_;return i`<h1>${n(`nav.alerts`)}</h1>
      ${e?i`<${u} error=${e} onRetry=${g} />`:i`<${l} rows=${6} />`}`}let b=f.find(({overlay_id:e})=>String(e)===a.get(`overlay`))??f[0],x=i`<h1>${n(`nav.alerts`)}</h1>
    ${f.length>1&&i`<${t} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
      onChange=${e=>s({overlay:e.currentTarget.value})}
      options=${f.map(U)} />`}`;return i`<${u} error=${_} />
    ${f.length===0?i`${x}<${c}>${n(`alerts.empty`)}
          <${d} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:i`<${H} key=${b.overlay_id} overlay=${b} title=${x} create=${y}
          reload=${g} />`}`}export{W as View};