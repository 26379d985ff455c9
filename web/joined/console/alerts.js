
import{a as e,d as t,g as n,m as r,u as i}from"./forms.js";import{C as a,E as o,O as s,S as c,f as l,g as u,h as d,l as f,p,t as m,u as h,w as g,x as _}from"./common.js";import{C as v,S as y,T as b,b as x,c as S,d as C,l as w,o as T,r as E,s as D,t as O,u as k,v as A,w as j,x as M,y as N}from"./overlay.js";import{D as P,O as F}from"./first.js";const I=[`subscriber`,`gift`,`cheer`,`raid`,`document`,...C.slice(4)],L={subscriber:[1,3,12,60],gift:[1,5,20,50],cheer:[1,100,1e3,1e4],raid:[1,42,100,1e3],purchase:[1,400,5e3,5e4]},R=e=>e in L,z=e=>L[e]?.[1]??1;function B(e,t){let n=[t,...t.variations].map(({minimum:e})=>e).filter(e=>e>0);return[.../* @__PURE__ */ new Set([...L[e],...n])].sort((e,t)=>e-t)}const V={subscriber:[`name`,`months`,`tier`,`message`],gift:[`name`,`amount`,`tier`],cheer:[`name`,`amount`,`message`],raid:[`name`,`amount`],follow:[`name`],redemption:[`name`,`title`,`message`],purchase:[`name`,`title`,`price`,`message`],notice:[`message`],document:[`name`,`message`],plain:[`name`,`message`],stamp:[`type`]},H={giver:{user_id:`1`,user_name:`Ann`},tier:1},U={subscriber:`resubscribed`,gift:`gifts`,document:`letter`},W=e=>U[e]??e,G=(e,t)=>e.alerts[t];function K(e,t,n){let r={user_name:`Ann`},i=n(`sample.${e}`);switch(e){case`subscriber`:return{...r,event_type:`subscriber`,tier:1,subscribed_length:t,message:i};case`gift`:return{...r,event_type:`plain`,message:`-`,reference:`test`,details:{...H,total:t}};case`cheer`:return{...r,event_type:`cheer`,amount:t,message:i};case`raid`:return{...r,event_type:`raid`,viewer_count:t};case`follow`:return{...r,event_type:`plain`,message:`Ann followed the channel.`,source:`twitch/channel.follow`};case`redemption`:{let e=n(`sample.reward`),t={title:e,cost:100};return{...r,event_type:`plain`,message:`${e} (100 points): ${i}`,source:`twitch/channel.channel_points_custom_reward_redemption.add`,details:t}}case`purchase`:return{purchase:{...r,name:n(`sample.product`),price:t,quantity:1,answer:null}};case`notice`:{let e={level:4,total:12300};return{...r,event_type:`plain`,message:`A hype train ended.`,source:`twitch/channel.hype_train.end`,details:e}}case`document`:return{...r,event_type:`plain`,message:i,details:{sample:`letter`}};default:return{...r,event_type:`plain`,message:i}}}const ee=(e,t,n)=>e===`stamp`?{stamp_id:1,document_id:1,stamp_type:`heart`,pos_x:0,pos_y:0,rotation:0}:K(e,t,n),q=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function te({kind:e,rule:t,amount:n,setAmount:r}){let{say:i}=_(),a=B(e,t),o=Math.max(0,a.filter(e=>e<=n).length-1),c=q(t,n),l=i(`kind.${e}`),u=c?i(`alerts.variation_of`,{kind:l,minimum:c.minimum}):l,d=e=>t.variations.some(({minimum:t})=>t===e);return s`<div class="amount-slider">
    <label>
      <span>${i(`alerts.test_amount`)} <strong>${i.number(n)}</strong></span>
      <input type="range" min="0" max=${a.length-1} step="1" value=${o}
        aria-valuetext=${`${i.number(a[o])}: ${u}`}
        onInput=${e=>r(a[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${a.map(e=>s`<span key=${e} class=${d(e)?`minimum`:``}>${i.compact(e)}</span>`)}
    </div>
    ${t.variations.length>0&&s`<p class="played">
      <span class="swatch" style=${{background:y(e,n,(c??t).color)}}></span>
      ${i(`alerts.plays`)} <strong>${u}</strong></p>`}
  </div>`}function ne({settings:e,selected:t,onSelect:n,onEnable:r}){let{say:i}=_();return s`<section class="card alert-list" aria-label=${i(`alerts.list`)}>
    <ul>
      ${I.map(i=>s`<${re} key=${i} kind=${i} rule=${G(e,i)} settings=${e}
        isSelected=${i===t} onSelect=${n} onEnable=${r} />`)}
    </ul>
  </section>`}function re({kind:e,rule:t,settings:n,isSelected:r,onSelect:i,onEnable:a}){let{say:o}=_(),c=o(`kind.${e}`),l=o(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),u=t.sound===`none`?``:` · ♪ ${o(`sound.${t.sound}`)}`,d=t.variations.map(({minimum:e})=>`≥\u00a0${o.number(e)}`).reverse();return s`<li class=${t.enabled?``:`off`}>
    <input type="checkbox" checked=${t.enabled} aria-label=${o(`alerts.enabled_of`,{kind:c})}
      onChange=${t=>a(e,t.currentTarget.checked)} ...${h()} />
    <button aria-current=${r?`true`:void 0} onClick=${()=>i(e)}>
      <${p} name=${e} />
      <span class="alert-name">${c}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${l}${u}`:o(`alerts.off`)}</small>
      ${d.length>0&&s`<small>${d.join(` · `)}</small>`}
    </button>
  </li>`}const ie=[`dark`,`bright`,`own`],J=`preview`,[Y,X]=[800,450];async function ae(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:Y,height:X}),r=Math.max(Y/t.width,X/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(Y-i)/2,(X-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function oe(){let[e,t]=c(`dark`),[n,r]=c(F.get(J));return{name:e,setName:t,picture:n,read:async e=>{let n=await ae(e);F.set(J,n),r(n),t(`own`)}}}function se({background:{name:e,setName:t,picture:n,read:r}}){let{say:i}=_(),[a,o]=c(!1);return s`<fieldset class="backgrounds">
    <legend>${i(`alerts.background`)}</legend>
    ${ie.filter(e=>e!==`own`||n).map(n=>s`<label key=${n}>
        <input type="radio" name="background" checked=${n===e} onChange=${()=>t(n)} />
        ${i(`alerts.background.${n}`)}</label>`)}
    <${k} label=${i(n?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{o(!1),r(e).catch(()=>o(!0))}} />
    ${a&&s`<span class="bad" role="alert">${i(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const ce={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},le=e=>Math.min(2,Math.max(0,e));function ue(e){let{say:t}=_(),n=b(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function de({place:e,onMove:t}){let{say:n}=_(),r=o(null),i=b(e),a=i??v[0];return s`<div class="place-choice">
    <div class="pad" ref=${r} role="radiogroup" aria-label=${n(`alerts.position`)} onKeyDown=${e=>{let n=ce[e.key];if(!n)return;e.preventDefault();let i=v.indexOf(a),o=le(Math.floor(i/3)+n[1])*3+le(i%3+n[0]);t(j(v[o])),r.current.children[o].focus()}}>
      ${v.map(e=>s`<button key=${e} role="radio" aria-checked=${e===i}
    tabindex=${e===a?0:-1} aria-label=${n(`position.${e}`)}
    onClick=${()=>t(j(e))}></button>`)}
    </div>
    <p><strong>${n(`alerts.position`)}: ${ue(e)}</strong><br />
      <span class="quiet">${n(`alerts.place`)}</span></p>
  </div>`}const Z=[0,50,100],Q=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function fe(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function pe(e,t){return Z.find(n=>Math.abs((e-n)/100*t)<=8)??Q(e)}function me(e,t,n){let r=r=>t[r]>0?pe(Q(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const he=(e,t,n)=>({x:Q(e.x+t),y:Q(e.y+n)}),ge=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),_e=({x:e,y:t})=>({x:Z.includes(e)?e:null,y:Z.includes(t)?t:null}),ve={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},ye={width:.4,height:.24};function be(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function xe({frame:e,settings:{place:t,margin:n},onDrag:r,onMove:i}){let{say:a}=_(),l=o(null),u=o(null),[d,f]=c(null),[,p]=c(0),m=()=>{u.current=be(e.current)??u.current,p(e=>e+1)},{clientWidth:h=0,clientHeight:g=0}=l.current??{},v={width:h,height:g},y=u.current??{width:h*ye.width,height:g*ye.height},b=fe(v,y,n),x=d?.place??t,S=e=>{e.button===0&&(m(),l.current.setPointerCapture(e.pointerId),f({place:t,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!d)return;let n={x:e.clientX-d.x,y:e.clientY-d.y},i=d.hasMoved||Math.hypot(n.x,n.y)>3;if(!i)return;let a=me(t,b,n);f({...d,place:a,hasMoved:i}),r(a)},w=e=>{if(!d)return;if(f(null),d.hasMoved)return i(d.place);let{left:n,top:r}=l.current.getBoundingClientRect(),a=ge(t,b),o={x:e.clientX-n-a.left-y.width/2,y:e.clientY-r-a.top-y.height/2};return Math.abs(o.x)<y.width/2&&Math.abs(o.y)<y.height/2?void 0:i(me(t,b,o))},T=e=>{let n=ve[e.key];if(!n)return;e.preventDefault();let[r,a]=n.map(t=>t*(e.shiftKey?10:1));i(he(t,r,a))},{left:E,top:D}=ge(x,b),O={left:`${E}px`,top:`${D}px`,width:`${y.width}px`,height:`${y.height}px`},k=ue(x);return s`<div class=${`places ${d?.hasMoved?`dragging`:``}`} ref=${l} onPointerEnter=${m}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${w} onPointerCancel=${()=>f(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${Se} on=${d?.hasMoved?_e(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${O} onFocus=${m} onKeyDown=${T}
      aria-label=${`${a(`alerts.move`)}: ${k}`}><span>${k}</span></button>
  </div>`}function Se({on:e}){let t=t=>[0,50,100].map(n=>{let r=e[t]===n?`on`:``;return s`<i key=${`${t}${n}`} class=${`guide ${t} at-${n} ${r}`}></i>`});return[...t(`x`),...t(`y`)]}function Ce(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function we(e){let{overlay:t,values:n,settings:r,kind:i,rule:l,amount:u,setAmount:d}=e,{plays:p,play:m,test:h,muted:g,onMove:v,onEnable:y}=e,{say:b}=_(),x=o(null),S=oe(),[C,w]=c(!1),T=o(p);a(()=>{let e=({source:e,data:t})=>{e===x.current?.contentWindow&&t===`ready`&&w(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:E,position:D,...O}=n,k=e=>x.current.contentWindow.postMessage(e,location.origin),A=e=>({settings:Ce(n,i,e),muted:g||!e,data:ee(i,u,b)});a(()=>{if(!C)return;let e=T.current!==p,t=setTimeout(()=>{T.current=p,k(A(e))},e?0:250);return()=>clearTimeout(t)},[C,JSON.stringify(O),i,u,p,g]);let j=e=>{let t=A(!1);k({...t,settings:{...t.settings,place:e},isMove:!0})};a(()=>C?j(r.place):void 0,[C,r.place.x,r.place.y]);let M=S.name===`own`?{backgroundImage:`url("${S.picture}")`}:{},N=R(i)&&u<l.minimum,F=b(`kind.${i}`);return s`<section class="alert-preview" aria-label=${b(`alerts.preview`)}>
    <div class=${`scene ${S.name}`} style=${M}>
      <iframe ref=${x} src=${`${P}/overlay/preview/#overlay=${t.overlay_id}`}
        title=${b(`alerts.preview`)} tabindex="-1"></iframe>
      <${xe} frame=${x} settings=${r} onDrag=${j} onMove=${v} />
    </div>
    <div class="card">
      <div class="bar">
        <button onClick=${m}>▶ ${b(`alerts.play`)}</button>
        ${i!==`stamp`&&s`<${f} class="main" aria-label=${b(`alerts.test_of`,{kind:F})}
          onClick=${()=>h.send(i,u)}>${b(`alerts.test`)}<//>`}
      </div>
      ${R(i)&&s`<${te} kind=${i} rule=${l} amount=${u} setAmount=${d} />`}
      <p class="bar alert-note" role="status">
        ${h.note||N&&b(`alerts.below`,{minimum:l.minimum})}
        ${h.off&&s`<${f} onClick=${()=>y(h.off??``)}>${b(`alerts.turn_on`)}<//>`}
      </p>
      <${de} place=${r.place} onMove=${v} />
      <${se} background=${S} />
    </div>
  </section>`}const Te={bell:[[1,.3,`sine`,1],[2.76,.1,`sine`,.55],[5.4,.045,`sine`,.3]],pluck:[[1,.26,`triangle`,1],[2,.1,`sine`,.6],[4,.05,`sine`,.25]],brass:[[1,.09,`sawtooth`,1],[1.006,.08,`sawtooth`,1],[.5,.12,`triangle`,1]],water:[[1,.36,`sine`,1],[1.5,.1,`triangle`,.5]]},Ee={chime:{instrument:`bell`,attack:.004,notes:[[880,0,1.1],[1318.5,.12,1.2],[1760,.24,1.6]]},coin:{instrument:`pluck`,attack:.002,notes:[[987.8,0,.16],[1318.5,.085,.65],[2637,.085,.4]]},fanfare:{instrument:`brass`,attack:.03,notes:[[523.3,0,.2],[659.3,.15,.2],[784,.3,.22],[1046.5,.46,1.1],[784,.46,1.1],[659.3,.46,1.1]]},drop:{instrument:`water`,attack:.003,bend:.45,notes:[[760,0,.18],[560,.13,.4]]}};let De=null;function Oe(e){let t=e.createBuffer(2,.9*e.sampleRate,e.sampleRate);for(let e of[0,1]){let n=t.getChannelData(e);for(let e=0;e<n.length;e+=1)n[e]=(Math.random()*2-1)*(1-e/n.length)**3}return t}function ke(e,t){let n=new GainNode(e,{gain:t}),r=new ConvolverNode(e,{buffer:Oe(e)});return n.connect(e.destination),n.connect(r).connect(new GainNode(e,{gain:.22})).connect(e.destination),n}async function Ae({sound:e,volume:t},n){try{if(e===`none`||t===0||e===`custom`&&!n)return;let r=De??=new AudioContext;r.resume().catch(()=>{}),e===`custom`?await je(r,t,n??``):Me(r,ke(r,t),Ee[e])}catch{}}async function je(e,t,n){let r=Uint8Array.from(atob(n.split(`,`)[1]),e=>e.charCodeAt(0)),i=new AudioBufferSourceNode(e,{buffer:await e.decodeAudioData(r.buffer)});i.connect(new GainNode(e,{gain:t})).connect(e.destination),i.start()}function Me(e,t,{instrument:n,attack:r,bend:i,notes:a}){for(let[o,s,c]of a)for(let[a,l,u,d]of Te[n]){let n=e.currentTime+s,f=n+c*d,p=new OscillatorNode(e,{frequency:o*a,type:u});i&&p.frequency.exponentialRampToValueAtTime(o*a*i,f);let m=new GainNode(e,{gain:0});m.gain.setValueAtTime(0,n),m.gain.linearRampToValueAtTime(l,n+r),m.gain.exponentialRampToValueAtTime(8e-4,f),p.connect(m).connect(t),p.start(n),p.stop(f)}}function Ne({own:e,automatic:t,onCommit:n}){let{say:i}=_();return s`<div class="color">
    <${r} label=${i(`alerts.color`)} type="color" value=${e??t} onCommit=${n} />
    ${e?s`<button class="quiet" onClick=${({currentTarget:e})=>{e.parentElement.querySelector(`input`).focus(),n(void 0)}}>${i(`alerts.color_reset`)}</button>`:s`<small class="quiet">${i(`alerts.color_automatic`)}</small>`}
  </div>`}const Pe=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],Fe=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function Ie(e){let{client:t}=_();return{upload:async e=>{let n={document_data:await Fe(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function Le({picture:e,hint:t,change:n,flush:r}){let{say:i}=_(),{upload:a,forget:o}=Ie(r),[l,u]=c(null),[p,m]=c(``),[g,v]=c(!1),y=t=>(n([`picture`],t),o([e])),b=async e=>{if(u(null),!Pe.includes(e.type)||e.size>2097152)return m(i(`alerts.picture_wrong`));m(i(`alerts.picture_loading`));try{await y(await a(e))}catch(e){u(e)}return m(``)},x=e=>{e.preventDefault(),v(e.type===`dragover`)};return s`<div class=${`own-picture ${g?`over`:``}`} onDragOver=${x} onDragLeave=${x}
    onDrop=${e=>{x(e);let t=e.dataTransfer?.files[0];t&&b(t)}}>
    ${e&&s`<img src=${e.url} alt=${i(`alerts.picture`)} />`}
    <div class="bar">
      <${k} label=${i(`alerts.picture`)} accept=${Pe.join(`,`)} onFile=${b}
        ...${h()} />
      ${e&&s`<${f} onClick=${()=>y(void 0)}>${i(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${t}</span>
    <span role="status">${p}</span>
    <${d} error=${l} />
  </div>`}function Re(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const ze=(e,t)=>[...e.matchAll(/\{(\w+)\}/g)].filter(([,e])=>!V[t].includes(e)).map(([e])=>e);function Be({kind:e,value:t,placeholder:n,onType:r,onCommit:i,hasChips:a=!1}){let{say:l}=_(),u=o(null),d=ze(t,e),[f,p]=c(null),m=f??t;g(()=>Re(u.current),[m,n]);let h=e=>{p(null),i(e)},v=({currentTarget:e})=>{let t=e.value.replace(/\s*\n\s*/g,` `);p(t),r(t)},y=e=>{let t=u.current;t.value===``&&(t.value=`${n} `);let{selectionStart:r,selectionEnd:i}=t;t.setRangeText(`{${e}}`,r,i,`end`),t.focus(),h(t.value.slice(0,300))};return s`<div class="template">
    <label class="field"><span>${l(`alerts.text`)}</span>
      <textarea ref=${u} rows="1" maxlength=${300} value=${m} placeholder=${n}
        onInput=${v} onBlur=${()=>f!==null&&h(f)}></textarea>
    </label>
    ${d.length>0&&s`<p class="bad" role="status">
      ${l(`alerts.unknown_placeholder`,{many:d.length,names:d.join(`, `)})}</p>`}
    ${a&&s`<ul class="placeholders" aria-label=${l(`alerts.placeholders`)}>
      ${V[e].map(t=>{let n=l(t===`amount`?`placeholder.amount.${e}`:`placeholder.${t}`);return s`<li key=${t}>
          <button onClick=${()=>y(t)}><code>${`{${t}}`}</code> ${n}</button></li>`})}
    </ul>`}
  </div>`}function Ve({kind:e,rule:t,values:n,settings:i,amount:a,change:o,show:c,flush:l}){let{say:u}=_(),d=n.alerts?.[e]??{},f=(e,t,n,i={})=>{let a=[`number`,`range`].includes(i.type);return s`<${r} label=${u(e)} value=${n} ...${i} onCommit=${e=>o([t],e===``?void 0:a?Number(e):e)} />`},m=u.template(`overlay.${W(e)}`,{amount:e===`purchase`?1:2}),h={type:`number`,min:1,max:60,step:.5,placeholder:String(i.duration/1e3)},g={type:`number`,min:0,step:1},v=T(u,`theme`,x,`alerts.theme.overlay`),b=(e,t,n)=>s`<label class="check"><input type="checkbox" checked=${n}
      onChange=${t=>o([e],t.currentTarget.checked)} />${t}</label>`;return s`<section class="card alert-properties" aria-label=${u(`kind.${e}`)}>
    <h2><${p} name=${e} /> ${u(`kind.${e}`)}</h2>
    <p>${b(`enabled`,u(`alerts.enabled`),t.enabled)}</p>
    ${e===`document`&&!i.hasLetterRule&&s`<p class="quiet">${u(`alerts.letters_how`)}</p>`}
    <${Be} kind=${e} value=${t.text} placeholder=${m} hasChips
      onType=${e=>c([`text`],e)}
      onCommit=${e=>o([`text`],e||void 0)} />
    <div class="fields">
      ${R(e)&&f(`alerts.minimum.${e}`,`minimum`,t.minimum||``,g)}
      ${f(`alerts.theme`,`theme`,d.theme??``,{options:v})}
      <${Ne} own=${d.color} automatic=${y(e,a,M[e])}
        onCommit=${e=>o([`color`],e)} />
      ${f(`alerts.animation`,`animation`,t.animation,{options:D(u,`animation`,N)})}
      ${f(`alerts.duration`,`duration`,t.duration===null?``:t.duration/1e3,h)}
      ${f(`alerts.sound`,`sound`,t.sound,{options:S(u,i)})}
      ${f(`alerts.volume`,`volume`,t.volume,{type:`range`,min:0,max:1,step:.05})}
      <button onClick=${()=>Ae(t,i.customSound)} disabled=${t.sound===`none`}>
        ♪ ${u(`alerts.listen`)}</button>
    </div>
    <p>${b(`speak`,u(`alerts.speak`),t.speak)}</p>
    <${Le} picture=${d.picture} change=${o} flush=${l}
      hint=${`${u(`alerts.picture_how`)}${e===`document`?`. ${u(`alerts.picture_letter`)}`:``}`} />
  </section>`}function $(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?$(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?$(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function He(e){let{client:t,subscribe:n}=_(),r=`/overlays/${e.overlay_id}`,[i,s]=c(e.settings??{}),[l,u]=c({paused:e.paused,muted:e.muted}),[d,f]=c(``),[p,m]=c(null),h=o(i),g=o(null),v=o(null),y=o(/* @__PURE__ */ new Set),b=o(0),x=o(Promise.resolve(!0)),S=async e=>{b.current+=1;let n=b.current;f(`alerts.saving`),e.settings&&y.current.add(JSON.stringify(e.settings));try{return await t.patch(r,e),m(null),n===b.current&&!g.current&&f(`alerts.saved`),!0}catch(e){return f(``),m(e),!1}},C=e=>(x.current=S(e),x.current),w=()=>(clearTimeout(v.current),g.current=null,C({settings:h.current}));return a(()=>()=>{clearTimeout(v.current),g.current&&t.patch(r,{settings:g.current}).catch(()=>{})},[]),a(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===r&&n&&(u({paused:n.paused,muted:n.muted}),g.current||y.current.has(JSON.stringify(n.settings))||(h.current=n.settings??{},s(h.current)))}),[]),{path:r,values:i,settings:A(i),flags:l,state:d,error:p,setError:m,change:(e,t)=>{let n=$(h.current,e,t);h.current=n,s(n),g.current=n,f(`alerts.saving`),clearTimeout(v.current),v.current=setTimeout(w,300)},show:(e,t)=>s($(h.current,e,t||void 0)),flush:w,settle:()=>g.current?w():x.current.then(e=>e||w()),toggle:e=>{u({...l,[e]:!l[e]}),C({[e]:!l[e]})}}}function Ue({settings:e,flags:t,settle:n},r){let{client:i,say:a}=_(),[o,s]=c({note:``,off:null}),l=(e,t=null)=>s({note:e,off:t}),u=async(o,s)=>{let{enabled:c,minimum:u}=G(e,o);if(r(),!c)return l(a(`alerts.is_off`,{kind:a(`kind.${o}`)}),o);if(R(o)&&s<u)return l(a(`alerts.below`,{minimum:u}));if(l(`…`),!await n())return l(``);try{return await i.post(`/alerts`,{test:K(o,s,a)}),l(a(t.paused?`alerts.sent_paused`:await E(i)))}catch(e){let t=e;return l(t.isRetryable?a(`unreachable`):t.detail??t.message)}};return{...o,send:u,clear:()=>l(``)}}function We({kind:e,rule:t,settings:n,raw:r,played:i,change:a,show:o,flush:c,onTest:l}){let{say:u}=_(),{forget:d}=Ie(c),p=Array.isArray(r)?r:[],m=Math.max(t.minimum,z(e),...p.map(({minimum:e})=>Number(e)||0)),h=p.map((e,t)=>({variation:e,index:t}));h.sort((e,t)=>e.variation.minimum-t.variation.minimum);let g=()=>a([`variations`],[...p,{minimum:m*10}]),v=e=>{a([`variations`],p.filter((t,n)=>n!==e)),d([p[e].picture])};return s`<h2>${u(`alerts.variations`)}</h2>
    ${h.map(({variation:r,index:u})=>s`<${Ge} key=${u} kind=${e} variation=${r} rule=${t}
        settings=${n} flush=${c} played=${i} onTest=${l} onRemove=${()=>v(u)}
        change=${(e,t)=>a([`variations`,String(u),...e],t)}
        show=${(e,t)=>o([`variations`,String(u),...e],t)} />`)}
    ${p.length<20&&s`<${f} class="add" onClick=${g}>+ ${u(`alerts.add_variation`)}<//>`}`}function Ge({kind:e,variation:t,rule:n,settings:i,played:a,change:o,show:c,flush:l,onRemove:u,onTest:d}){let{say:p}=_(),m=p(`alerts.variation_of`,{kind:p(`kind.${e}`),minimum:t.minimum}),h=e=>t=>o([e],t||void 0),g=(e,n)=>{let i=T(p,e,n,`alerts.as_alert`);return s`<${r} label=${p(`alerts.${e}`)} value=${t[e]??``} options=${i}
      onCommit=${h(e)} />`},v=e=>Number(e)>0&&o([`minimum`],Number(e)),b=Number(t.minimum)===a;return s`<section class=${`card variation ${b?`played`:``}`} aria-label=${m}>
    <div class="bar spread">
      <h3>${m} ${b&&s`<small>${p(`alerts.in_preview`)}</small>`}</h3>
      <${f} aria-label=${p(`alerts.test_of`,{kind:m})} onClick=${()=>d(t.minimum)}>
        ${p(`alerts.test`)}<//></div>
    <${Be} kind=${e} value=${t.text??``} placeholder=${n.text||p(`alerts.as_alert`)}
      onType=${e=>c([`text`],e)} onCommit=${h(`text`)} />
    <div class="fields">
      <${r} label=${p(`alerts.minimum.${e}`)} type="number" min="1" step="1" value=${t.minimum}
        onCommit=${v} />
      <${Ne} own=${t.color} automatic=${y(e,t.minimum,n.color)}
        onCommit=${e=>o([`color`],e)} />
      ${g(`theme`,x)} ${g(`sound`,w(i))} ${g(`animation`,N)}
    </div>
    <${Le} picture=${t.picture} hint=${p(`alerts.picture_how`)} change=${o} flush=${l} />
    <${f} class="quiet bad" aria-label=${`${p(`alerts.remove_variation`)}: ${m}`} onClick=${u}>
      ${p(`alerts.remove_variation`)}<//>
  </section>`}const Ke=()=>Promise.all([import(`./addresses2.js`),import(`./addresses.js`)]).then(([module])=>module).then(({Addresses:e})=>e),qe=()=>Promise.all([import(`./look.js`),import(`./overlay.js`),import(`./forms.js`)]).then(([module])=>module).then(({Look:e})=>e),Je=()=>Promise.all([import(`./widgets.js`),import(`./overlay.js`),import(`./addresses.js`),import(`./forms.js`)]).then(([module])=>module).then(({Widgets:e})=>e);function Ye({overlay:t,title:r,create:a,reload:o}){let{client:l,say:u,parameters:p,setParameters:m}=_(),h=He(t),{settings:g,flags:v,change:y}=h,x=I.includes(p.get(`kind`))?p.get(`kind`):I[0],S=G(g,x),[C,w]=c({}),[T,E]=c(0),D=C[x]??Math.max(z(x),S.minimum),k=e=>w({...C,[x]:e}),A=()=>E(e=>e+1),j=Ue(h,A),M=e=>{m({kind:e}),j.clear()},N=async()=>{let e=Object.values(g.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),t=new Set(e.flatMap(e=>e?.document_id??[]));try{await l.delete(h.path),await Promise.all([...t].map(e=>l.delete(`/documents/${e}`).catch(()=>{}))),o()}catch(e){h.setError(e)}},P=e=>l.patch(h.path,{name:e}).then(o,h.setError),F=e=>{let t=b(e);t&&y([`position`],t),y([`place`],t?void 0:e)},L=(e,t)=>y([`alerts`,e,`enabled`],t),B=(e,t,n)=>s`<${f} aria-pressed=${v[e]} onClick=${()=>h.toggle(e)}>
      ${u(v[e]?n:t)}
    <//>`,V=(e,t)=>y([`alerts`,x,...e],t),H=(e,t)=>h.show([`alerts`,x,...e],t),U={alerts:u(`nav.alerts`),widgets:u(`alerts.widgets`),urls:u(`alerts.address`),overlay:u(`alerts.look`)},W=s`<section class="card alert-theme">
    <${O} theme=${g.theme} onChange=${e=>y([`theme`],e)} />
  </section>
  <div class="alert-editor">
    <${ne} settings=${g} selected=${x} onSelect=${M} onEnable=${L} />
    <${we} overlay=${t} values=${h.values} settings=${g} kind=${x} rule=${S}
      amount=${D} setAmount=${k} plays=${T} play=${A} test=${j} muted=${v.muted}
      onMove=${F}
      onEnable=${e=>(L(e,!0),j.clear())} />
    <${Ve} key=${x} kind=${x} rule=${S} values=${h.values} settings=${g}
      amount=${D} change=${V} show=${H} flush=${h.flush} />
    ${R(x)&&s`<section class="alert-variations" aria-label=${u(`alerts.variations`)}>
      <${We} key=${`variations ${x}`} kind=${x} rule=${S} settings=${g}
        change=${V} show=${H} raw=${h.values.alerts?.[x]?.variations} flush=${h.flush}
        played=${q(S,D)?.minimum}
        onTest=${e=>(k(e),j.send(x,e))} />
    </section>`}
  </div>`;return s`<div class="bar spread alert-bar">
      <div class="bar">${r}</div>
      <div class="bar">
        <span class="quiet" role="status">${h.state&&u(h.state)}</span>
        ${B(`paused`,`queue.pause`,`queue.resume`)} ${B(`muted`,`alerts.mute`,`alerts.unmute`)}
      </div>
    </div>
    <${d} error=${h.error} onRetry=${h.error&&h.flush} />
    <${n} label=${u(`nav.alerts`)} names=${U}>
      ${n=>s`${n===`alerts`&&W}
        ${n===`widgets`&&s`<${e} load=${Je} overlay=${t} settings=${g} change=${y} />`}
        ${n===`urls`&&s`<${e} load=${Ke} overlay=${t} />`}
        ${n===`overlay`&&s`<${e} load=${qe} name=${t.name} rename=${P} settings=${g}
            change=${y} />
          <p class="bar"><${f} onClick=${a}>${u(`alerts.another`)}<//> <${i} className="bad" label=${u(`alerts.delete`)} question=${u(`alerts.delete_sure`)}
            note=${u(`alerts.delete_note`)} act=${N} /></p>`}`}
    <//>`}const Xe=({overlay_id:e,name:t})=>({value:String(e),label:t});function Ze(){let{client:e,say:n,connected:r,parameters:i,setParameters:a}=_(),{value:o,error:p,reload:h}=m(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[g,v]=c(null),y=()=>{let t=(o?.length??0)+1,r=`${n(`alerts.first_name`)}${t>1?` ${t}`:``}`;e.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),a({overlay:String(e.overlay_id)}),h()},v)};if(!o||o.length===0&&!r){let e=p??g;return s`<h1>${n(`nav.alerts`)}</h1>
      ${e?s`<${d} error=${e} onRetry=${h} />`:s`<${u} rows=${6} />`}`}let b=o.find(({overlay_id:e})=>String(e)===i.get(`overlay`))??o[0],x=s`<h1>${n(`nav.alerts`)}</h1>
    ${o.length>1&&s`<${t} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
      onChange=${e=>a({overlay:e.currentTarget.value})}
      options=${o.map(Xe)} />`}`;return s`<${d} error=${g} />
    ${o.length===0?s`${x}<${l}>${n(`alerts.empty`)}
          <${f} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:s`<${Ye} key=${b.overlay_id} overlay=${b} title=${x} create=${y}
          reload=${h} />`}`}export{Ze as View};