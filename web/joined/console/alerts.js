
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
  </li>`}function k(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?k(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?k(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}const A=/* @__PURE__ */ new Map;function ee(e){let{client:t,subscribe:n,connected:r}=o(),i=`/overlays/${e.overlay_id}`,[c,l]=h(A.get(i)??e.settings??{}),[u,d]=h({paused:e.paused,muted:e.muted}),[f,p]=h(``),[m,_]=h(null),v=a(c),y=a(null),b=a(null),x=a(/* @__PURE__ */ new Set),S=a(0),C=a(Promise.resolve(!0)),w=async e=>{S.current+=1;let n=S.current;p(`alerts.saving`),e.settings&&x.current.add(JSON.stringify(e.settings));try{return await t.patch(i,e),e.settings&&A.delete(i),_(null),n===S.current&&!y.current&&p(`alerts.saved`),!0}catch(t){return e.settings&&A.set(i,e.settings),p(``),_(t),!1}},T=e=>(C.current=w(e),C.current),E=()=>(clearTimeout(b.current),y.current=null,T({settings:v.current})),D=()=>y.current?E():C.current.then(e=>e||E()),O=(e,t,n=300)=>{let r=k(v.current,e,t);v.current=r,l(r),y.current=r,p(`alerts.saving`),clearTimeout(b.current),b.current=setTimeout(E,n)};return s(()=>{r&&A.has(i)&&E()},[r]),s(()=>{let e=()=>void(y.current&&E());return addEventListener(`pagehide`,e),()=>{removeEventListener(`pagehide`,e),e()}},[]),s(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===i&&n&&(d({paused:n.paused,muted:n.muted}),y.current||x.current.has(JSON.stringify(n.settings))||(v.current=n.settings??{},l(v.current)))}),[]),{path:i,values:c,settings:g(c),flags:u,state:f,error:m,setError:_,change:O,type:(e,t)=>O(e,t||void 0,1500),clearState:()=>p(``),flush:E,settle:D,toggle:e=>{d({...u,[e]:!u[e]}),T({[e]:!u[e]})}}}function j({settings:e,flags:t,settle:n},r){let{client:i,say:s}=o(),[c,l]=h({note:``,off:null,busy:!1}),u=a(0),d=()=>{u.current+=1,l({note:``,off:null,busy:!1})},f=async(a,o)=>{let{enabled:c,minimum:f}=T(e,a);d();let p=u.current,m=(e,t=null)=>p===u.current&&l({note:e,off:t,busy:!1});if(r(),!c)return m(s(`alerts.is_off`,{kind:s(`kind.${a}`)}),a);if(v(a)&&o<f)return m(s(`alerts.below`,{minimum:f}));if(l({note:``,off:null,busy:!0}),!await n())return m(``);try{return await i.post(`/alerts`,{test:y(a,o,s)}),m(t.paused?s(`alerts.sent_paused`):await b(i,s,{kind:a,event:{}}))}catch(e){let t=e;return m(t.isRetryable?s(`unreachable`):t.detail??t.message)}};return{...c,send:f,clear:d}}const M=i`<section class="alert-preview"><div class="kept"><div class="scene"></div></div></section>`,N=`alerts/addresses.css`,P=`alerts/properties.css`,te=r(()=>E(Promise.all([import(`./addresses2.js`),import(`./addresses.js`)]).then(([module])=>module),N).then(({Addresses:e})=>e)),F=r(()=>Promise.all([import(`./look.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Look:e})=>e)),I=r(()=>E(Promise.all([import(`./preview.js`),import(`./overlay.js`)]).then(([module])=>module),`alerts/preview.css`).then(({Preview:e})=>e),M),L=r(e=>e.withTexts(E(Promise.all([import(`./properties.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),P),`stream`).then(({Properties:e})=>e)),R=r(()=>E(Promise.all([import(`./variations.js`),import(`./overlay.js`),import(`./template.js`)]).then(([module])=>module),P).then(({Variations:e})=>e)),z=r(e=>e.withTexts(E(Promise.all([import(`./widgets.js`),import(`./overlay.js`),import(`./addresses.js`)]).then(([module])=>module),N),`stream`).then(({Widgets:e})=>e));function B({overlay:t,title:r,create:a,reload:c}){let{client:l,say:f,status:p,parameters:m,setParameters:g}=o(),y=ee(t),b=y.state===`alerts.saving`&&p!==`connected`,{settings:E,flags:O,change:k}=y,A=w.includes(m.get(`kind`))?m.get(`kind`):w[0],M=T(E,A),[N,P]=h({}),[B,V]=h(0),H=N[A]??Math.max(S(A),M.minimum),U=e=>P({...N,[A]:e}),W=()=>V(e=>e+1),G=j(y,W);s(y.clearState,[m.get(`tab`)]);let K=e=>{g({kind:e}),G.clear()},q=async()=>{let e=Object.values(E.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),t=new Set(e.flatMap(e=>e?.document_id??[]));try{await l.delete(y.path),await Promise.all([...t].map(e=>l.delete(`/documents/${e}`).catch(()=>{}))),c()}catch(e){y.setError(e)}},J=e=>l.patch(y.path,{name:e}).then(c,y.setError),Y=e=>{let t=_(e);t&&k([`position`],t),k([`place`],t?void 0:e)},X=(e,t)=>k([`alerts`,e,`enabled`],t),Z=(e,t,n)=>i`<${d} aria-pressed=${O[e]} onClick=${()=>y.toggle(e)}>
      ${f(O[e]?n:t)}
    <//>`,Q=(e,t)=>k([`alerts`,A,...e],t),$=(e,t)=>y.type([`alerts`,A,...e],t),ne={alerts:f(`nav.alerts`),widgets:f(`alerts.widgets`),urls:f(`alerts.address`),overlay:f(`alerts.look`)},re=i`<section class="card alert-theme">
    <${C} theme=${E.theme} onChange=${e=>k([`theme`],e)} />
  </section>
  <div class="alert-editor">
    <${D} settings=${E} selected=${A} onSelect=${K} onEnable=${X} />
    <${I} overlay=${t} values=${y.values} settings=${E} kind=${A} rule=${M}
      amount=${H} setAmount=${U} plays=${B} play=${W} test=${G} muted=${O.muted}
      onMove=${Y}
      onEnable=${e=>(X(e,!0),G.clear())} />
    <${L} key=${A} kind=${A} rule=${M} values=${y.values} settings=${E}
      amount=${H} change=${Q} type=${$} flush=${y.flush} />
    ${v(A)&&i`<section class="alert-variations" aria-label=${f(`alerts.variations`)}>
      <${R} key=${`variations ${A}`} kind=${A} rule=${M} settings=${E}
        change=${Q} type=${$} raw=${y.values.alerts?.[A]?.variations} flush=${y.flush}
        played=${x(M,H)?.minimum}
        onTest=${e=>(U(e),G.send(A,e))} />
    </section>`}
  </div>`;return i`<div class="bar spread alert-bar">
      <div class="bar">${r}</div>
      <div class="bar">
        <span class="quiet" role="status">${y.state&&f(b?`offline.waiting`:y.state)}</span>
        ${Z(`paused`,`queue.pause`,`queue.resume`)} ${Z(`muted`,`alerts.mute`,`alerts.unmute`)}
      </div>
    </div>
    <${u} error=${y.error} onRetry=${y.error&&y.flush} />
    <${n} label=${f(`nav.alerts`)} names=${ne} onInput=${y.clearState}>
      ${n=>i`${n===`alerts`&&re}
        ${n===`widgets`&&i`<${z} overlay=${t} settings=${E} change=${k} />`}
        ${n===`urls`&&i`<${te} overlay=${t} />`}
        ${n===`overlay`&&i`<${F} name=${t.name} rename=${J} settings=${E}
            change=${k} />
          <p class="bar alert-end"><${d} onClick=${a}>${f(`alerts.another`)}<//> <${e} className="bad" label=${f(`alerts.delete`)}
            description=${`${f(`alerts.delete`)}: ${t.name}`} question=${f(`alerts.delete_sure`)}
            note=${f(`alerts.delete_note`)} act=${q} /></p>`}`}
    <//>`}const V=({overlay_id:e,name:t})=>({value:String(e),label:t});function H(){let{client:e,say:n,connected:r,parameters:a,setParameters:s}=o(),{value:f,error:m,reload:g}=p(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=h(null),y=()=>{let t=(f?.length??0)+1,r=`${n(`alerts.first_name`)}${t>1?` ${t}`:``}`;e.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),s({overlay:String(e.overlay_id)}),g()},v)};if(!f||f.length===0&&!r){let e=m??_;return i`<h1>${n(`nav.alerts`)}</h1>
      ${e?i`<${u} error=${e} onRetry=${g} />`:i`<${l} rows=${6} />`}`}let b=f.find(({overlay_id:e})=>String(e)===a.get(`overlay`))??f[0],x=i`<h1>${n(`nav.alerts`)}</h1>
    ${f.length>1&&i`<${t} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
      onChange=${e=>s({overlay:e.currentTarget.value})}
      options=${f.map(V)} />`}`;return i`<${u} error=${_} />
    ${f.length===0?i`${x}<${c}>${n(`alerts.empty`)}
          <${d} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:i`<${B} key=${b.overlay_id} overlay=${b} title=${x} create=${y}
          reload=${g} />`}`}export{H as View};