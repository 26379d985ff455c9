
import{$ as e,B as t,E as n,J as r,L as i,M as a,O as o,R as s,U as c,V as l,W as u,X as d,Y as f,Z as p,a as m,k as h,tt as g}from"./common.js";import{a as _,c as v,d as y,f as b,i as x,l as S,m as C,n as w,p as T,r as E,t as D,u as O}from"./settings.js";import{_ as k,g as A}from"./first.js";import{t as j}from"./themes.js";const[M,N]=[6,3.4];function P(e,t,[n,r]){let i=new URL(e);return i.search=String(new URLSearchParams({"layer-name":t,"layer-width":String(n),"layer-height":String(r)})),i.href}function F({page:e,name:t,size:n,address:i,isReady:a,onCopy:o}){let{say:s}=r(),[c,l]=n,u=Math.min(M/c,N/l),d=({dataTransfer:e})=>{if(!e)return;let r=P(i,t,n);e.setData(`text/uri-list`,r),e.setData(`text/plain`,r),e.effectAllowed=`copyLink`},f=g`<span class="outline" aria-hidden="true">
      <i class=${e||`alerts`} style=${{width:`${c*u}rem`,height:`${l*u}rem`}}></i></span>
    <strong>${t}</strong> <small>${c} × ${l}</small>`;return g`<li>
    ${a?g`<a class="source" href=${i} target="_blank" rel="noopener" draggable="true"
          onDragStart=${d}>${f}</a>`:g`<div class="source">${f}</div>`}
    <button aria-label=${`${s(`alerts.copy`)}: ${t}`} onClick=${o}>${s(`copy`)}</button>
  </li>`}const ee=[{page:``,size:[1920,1080]},{page:`emotes`,size:[1920,1080]},{page:`goal`,size:[700,200]},{page:`leaderboard`,size:[400,560]},{page:`recent`,size:[700,420]},{page:`ticker`,size:[1920,80]},{page:`pets`,size:[1920,320]}],te=e=>e?.focus();function ne({overlay:e}){let{client:t,say:n,key:i}=r(),[a,o]=f(null),[l,u]=f(``),[p,m]=f(!1),[h,_]=f(null),[v,y]=f(``),b=s(),x=i!==``,S=t=>`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,C=(e,t)=>`${A}/overlay/${e&&`${e}/`}${S(t)}`;d(()=>y(``),[l]);let w=e=>n(e===``?`nav.alerts`:e===`emotes`?`alerts.emotes`:`widget.${e}`),T=async(t,r,i=!1)=>{try{await navigator.clipboard.writeText(C(t,r)),y(n(i?`alerts.token_copied`:`copied`,{name:e.name}))}catch{y(n(i?`alerts.token_created`:`alerts.copy_failed`,{name:e.name}))}},E=async()=>{m(!1),_(null);try{let{token:n}=await t.post(`/tokens`,{name:e.name.slice(0,100)});o(n),await T(l,n,!0)}catch(e){_(e)}},D=!x||a!==null,O=e=>(u(e),D?T(e,a):m(!0));return g`<section class="card addresses" aria-label=${n(`alerts.address`)}>
    <h2>${n(`alerts.address`)}</h2>
    <p>${n(D?`alerts.address_how`:`alerts.address_token`)}</p>
    <ul class="tiles">
      ${ee.map(({page:e,size:t})=>g`<${F} key=${e} page=${e} name=${w(e)} size=${t}
        address=${C(e,a)} isReady=${D} onCopy=${()=>O(e)} />`)}
    </ul>
    <p class="chosen-page"><strong>${w(l)}</strong>
      <code class="address">${C(l,a??(x?`…`:null))}</code></p>
    ${p&&g`<div class="question" role="group" aria-label=${n(`alerts.token_ask`)}>
      <p>${n(`alerts.token_ask`)}</p>
      <p class="bar">
        <button class="main" ref=${te} onClick=${E} ...${b}>${n(`alerts.token_yes`)}</button>
        <button onClick=${()=>m(!1)}>${n(`cancel`)}</button>
      </p>
    </div>`}
    <p class="good" role="status">${v}</p>
    <${c} error=${h} />
  </section>`}const I=[`subscriber`,`gift`,`cheer`,`raid`,`document`,...D.slice(4)],L={subscriber:[1,3,12,60],gift:[1,5,20,50],cheer:[1,100,1e3,1e4],raid:[1,42,100,1e3],purchase:[1,400,5e3,5e4]},R=e=>e in L,re=e=>L[e]?.[1]??1;function ie(e,t){let n=[t,...t.variations].map(({minimum:e})=>e).filter(e=>e>0);return[.../* @__PURE__ */ new Set([...L[e],...n])].sort((e,t)=>e-t)}const ae={subscriber:[`name`,`months`,`tier`,`message`],gift:[`name`,`amount`,`tier`],cheer:[`name`,`amount`,`message`],raid:[`name`,`amount`],follow:[`name`],redemption:[`name`,`title`,`message`],purchase:[`name`,`title`,`price`,`message`],notice:[`message`],document:[`name`,`message`],plain:[`name`,`message`],stamp:[`type`]},oe={giver:{user_id:`1`,user_name:`Ann`},tier:1},se={subscriber:`resubscribed`,gift:`gifts`,document:`letter`},ce=e=>se[e]??e,z=(e,t)=>e.alerts[t];function B(e,t,n){let r={user_name:`Ann`},i=n(`sample.${e}`);switch(e){case`subscriber`:return{...r,event_type:`subscriber`,tier:1,subscribed_length:t,message:i};case`gift`:return{...r,event_type:`plain`,message:`-`,reference:`test`,details:{...oe,total:t}};case`cheer`:return{...r,event_type:`cheer`,amount:t,message:i};case`raid`:return{...r,event_type:`raid`,viewer_count:t};case`follow`:return{...r,event_type:`plain`,message:`Ann followed the channel.`,source:`twitch/channel.follow`};case`redemption`:{let e=n(`sample.reward`),t={title:e,cost:100};return{...r,event_type:`plain`,message:`${e} (100 points): ${i}`,source:`twitch/channel.channel_points_custom_reward_redemption.add`,details:t}}case`purchase`:return{purchase:{...r,name:n(`sample.product`),price:t,quantity:1,answer:null}};case`notice`:{let e={level:4,total:12300};return{...r,event_type:`plain`,message:`A hype train ended.`,source:`twitch/channel.hype_train.end`,details:e}}case`document`:return{...r,event_type:`plain`,message:i,details:{sample:`letter`}};default:return{...r,event_type:`plain`,message:i}}}const le=(e,t,n)=>e===`stamp`?{stamp_id:1,document_id:1,stamp_type:`heart`,pos_x:0,pos_y:0,rotation:0}:B(e,t,n),V=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function ue({kind:e,rule:t,amount:n,setAmount:i}){let{say:a}=r(),o=ie(e,t),s=Math.max(0,o.filter(e=>e<=n).length-1),c=V(t,n),l=a(`kind.${e}`),u=c?a(`alerts.variation_of`,{kind:l,minimum:c.minimum}):l,d=e=>t.variations.some(({minimum:t})=>t===e);return g`<div class="amount-slider">
    <label>
      <span>${a(`alerts.test_amount`)} <strong>${a.number(n)}</strong></span>
      <input type="range" min="0" max=${o.length-1} step="1" value=${s}
        aria-valuetext=${`${a.number(o[s])}: ${u}`}
        onInput=${e=>i(o[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${o.map(e=>g`<span key=${e} class=${d(e)?`minimum`:``}>${a.compact(e)}</span>`)}
    </div>
    ${t.variations.length>0&&g`<p class="played">
      <span class="swatch" style=${{background:(c??t).color}}></span>
      ${a(`alerts.plays`)} <strong>${u}</strong></p>`}
  </div>`}function de({settings:e,selected:t,onSelect:n,onEnable:i}){let{say:a}=r();return g`<section class="card alert-list" aria-label=${a(`alerts.list`)}>
    <ul>
      ${I.map(r=>g`<${fe} key=${r} kind=${r} rule=${z(e,r)} settings=${e}
        isSelected=${r===t} onSelect=${n} onEnable=${i} />`)}
    </ul>
  </section>`}function fe({kind:e,rule:t,settings:n,isSelected:i,onSelect:a,onEnable:o}){let{say:c}=r(),u=c(`kind.${e}`),d=c(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),f=t.sound===`none`?``:` · ♪ ${c(`sound.${t.sound}`)}`,p=t.variations.map(({minimum:e})=>`≥\u00a0${c.number(e)}`).reverse();return g`<li class=${t.enabled?``:`off`}>
    <input type="checkbox" checked=${t.enabled} aria-label=${c(`alerts.enabled_of`,{kind:u})}
      onChange=${t=>o(e,t.currentTarget.checked)} ...${s()} />
    <button aria-current=${i?`true`:void 0} onClick=${()=>a(e)}>
      <${l} name=${e} />
      <span class="alert-name">${u}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${d}${f}`:c(`alerts.off`)}</small>
      ${p.length>0&&g`<small>${p.join(` · `)}</small>`}
    </button>
  </li>`}function H({label:e,accept:t,onFile:n,...r}){return g`<label class=${`file-button ${r.disabled?`disabled`:``}`}>
    ${e}<input type="file" accept=${t} onChange=${({currentTarget:e})=>{let[t]=e.files;e.value=``,t&&n(t)}} ...${r} />
  </label>`}function pe({isSet:e,onChange:t}){let{say:n}=r(),[a,o]=f(``);return g`<div class="bar">
    <${H} label=${n(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){o(n(`alerts.sound_too_long`));return}o(``);let r=new FileReader;r.addEventListener(`load`,()=>t(r.result)),r.readAsDataURL(e)}} ...${s()} />
    ${e&&g`<${i} onClick=${()=>t(void 0)}>${n(`alerts.remove_sound`)}<//>`}
    ${a&&g`<p class="error" role="alert">${a}</p>`}
  </div>`}const me=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function he({settings:e,change:t}){let{say:n}=r(),i=(e,r,i,o)=>g`<${a} label=${n(e)} type="number" value=${i} ...${o} onCommit=${e=>t([r],e===``?void 0:Number(e))} />`,o=(e,r,i,a)=>g`<${h} label=${n(e)} value=${i} options=${a} onChange=${e=>t([r],e.currentTarget.value)} />`,s=x.map(e=>({value:e,label:n(`size.${e}`)}));return g`<section class="card">
    <h2>${n(`alerts.look`)}</h2>
    <div class="fields">
      ${i(`alerts.scale`,`scale`,e.scale,{min:.25,max:4,step:.05})}
      ${o(`alerts.largest_size`,`largest_size`,e.largestSize,s)}
      ${i(`alerts.margin`,`margin`,e.margin,{min:0,max:20,step:1})}
      ${i(`alerts.duration`,`duration`,e.duration/1e3,{min:1,max:60,step:.5})}
      ${i(`alerts.delay`,`delay`,e.delay/1e3,{min:0,max:600,step:1})}
      ${i(`alerts.max_age`,`max_age`,e.maxAge/1e3,{min:1,max:86400,step:1})}
      ${o(`settings.language`,`lang`,e.lang,[{value:``,label:n(`alerts.browser`)},...me])}
    </div>
    <${pe} isSet=${e.customSound!==null}
      onChange=${e=>t([`custom_sound`],e)} />
  </section>`}const ge=[`dark`,`bright`,`own`],U=`preview`,[W,G]=[800,450];async function _e(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:W,height:G}),r=Math.max(W/t.width,G/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(W-i)/2,(G-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function ve(){let[e,t]=f(`dark`),[n,r]=f(k.get(U));return{name:e,setName:t,picture:n,read:async e=>{let n=await _e(e);k.set(U,n),r(n),t(`own`)}}}function ye({background:{name:e,setName:t,picture:n,read:i}}){let{say:a}=r(),[o,s]=f(!1);return g`<fieldset class="backgrounds">
    <legend>${a(`alerts.background`)}</legend>
    ${ge.filter(e=>e!==`own`||n).map(n=>g`<label key=${n}>
        <input type="radio" name="background" checked=${n===e} onChange=${()=>t(n)} />
        ${a(`alerts.background.${n}`)}</label>`)}
    <${H} label=${a(n?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{s(!1),i(e).catch(()=>s(!0))}} />
    ${o&&g`<span class="bad" role="alert">${a(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const be={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},K=e=>Math.min(2,Math.max(0,e));function q(e){let{say:t}=r(),n=C(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function xe({place:t,onMove:n}){let{say:i}=r(),a=e(null),o=C(t),s=o??b[0];return g`<div class="place-choice">
    <div class="pad" ref=${a} role="radiogroup" aria-label=${i(`alerts.position`)} onKeyDown=${e=>{let t=be[e.key];if(!t)return;e.preventDefault();let r=b.indexOf(s),i=K(Math.floor(r/3)+t[1])*3+K(r%3+t[0]);n(T(b[i])),a.current.children[i].focus()}}>
      ${b.map(e=>g`<button key=${e} role="radio" aria-checked=${e===o}
    tabindex=${e===s?0:-1} aria-label=${i(`position.${e}`)}
    onClick=${()=>n(T(e))}></button>`)}
    </div>
    <p><strong>${i(`alerts.position`)}: ${q(t)}</strong><br />
      <span class="quiet">${i(`alerts.place`)}</span></p>
  </div>`}const J=[0,50,100],Y=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function Se(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function Ce(e,t){return J.find(n=>Math.abs((e-n)/100*t)<=8)??Y(e)}function we(e,t,n){let r=r=>t[r]>0?Ce(Y(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const Te=(e,t,n)=>({x:Y(e.x+t),y:Y(e.y+n)}),Ee=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),De=({x:e,y:t})=>({x:J.includes(e)?e:null,y:J.includes(t)?t:null}),Oe={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},ke={width:.4,height:.24};function Ae(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function je({frame:t,settings:{place:n,margin:i},onDrag:a,onMove:o}){let{say:s}=r(),c=e(null),l=e(null),[u,d]=f(null),[,p]=f(0),m=()=>{l.current=Ae(t.current)??l.current,p(e=>e+1)},{clientWidth:h=0,clientHeight:_=0}=c.current??{},v={width:h,height:_},y=l.current??{width:h*ke.width,height:_*ke.height},b=Se(v,y,i),x=u?.place??n,S=e=>{e.button===0&&(m(),c.current.setPointerCapture(e.pointerId),d({place:n,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!u)return;let t={x:e.clientX-u.x,y:e.clientY-u.y},r=u.hasMoved||Math.hypot(t.x,t.y)>3;if(!r)return;let i=we(n,b,t);d({...u,place:i,hasMoved:r}),a(i)},w=e=>{if(!u)return;if(d(null),u.hasMoved)return o(u.place);let{left:t,top:r}=c.current.getBoundingClientRect(),i=Ee(n,b),a={x:e.clientX-t-i.left-y.width/2,y:e.clientY-r-i.top-y.height/2};return Math.abs(a.x)<y.width/2&&Math.abs(a.y)<y.height/2?void 0:o(we(n,b,a))},T=e=>{let t=Oe[e.key];if(!t)return;e.preventDefault();let[r,i]=t.map(t=>t*(e.shiftKey?10:1));o(Te(n,r,i))},{left:E,top:D}=Ee(x,b),O={left:`${E}px`,top:`${D}px`,width:`${y.width}px`,height:`${y.height}px`},k=q(x);return g`<div class=${`places ${u?.hasMoved?`dragging`:``}`} ref=${c} onPointerEnter=${m}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${w} onPointerCancel=${()=>d(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${Me} on=${u?.hasMoved?De(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${O} onFocus=${m} onKeyDown=${T}
      aria-label=${`${s(`alerts.move`)}: ${k}`}><span>${k}</span></button>
  </div>`}function Me({on:e}){let t=t=>[0,50,100].map(n=>{let r=e[t]===n?`on`:``;return g`<i key=${`${t}${n}`} class=${`guide ${t} at-${n} ${r}`}></i>`});return[...t(`x`),...t(`y`)]}function Ne(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function Pe(t){let{overlay:n,values:a,settings:o,kind:s,rule:c,amount:l,setAmount:u}=t,{plays:p,play:m,test:h,muted:_,onMove:v,onEnable:y}=t,{say:b}=r(),x=e(null),S=ve(),[C,w]=f(!1),T=e(p);d(()=>{let e=({source:e,data:t})=>{e===x.current?.contentWindow&&t===`ready`&&w(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:E,position:D,...O}=a,k=e=>x.current.contentWindow.postMessage(e,location.origin),j=e=>({settings:Ne(a,s,e),muted:_||!e,data:le(s,l,b)});d(()=>{if(!C)return;let e=T.current!==p,t=setTimeout(()=>{T.current=p,k(j(e))},e?0:250);return()=>clearTimeout(t)},[C,JSON.stringify(O),s,l,p,_]);let M=e=>{let t=j(!1);k({...t,settings:{...t.settings,place:e},isMove:!0})};d(()=>C?M(o.place):void 0,[C,o.place.x,o.place.y]);let N=S.name===`own`?{backgroundImage:`url("${S.picture}")`}:{},P=R(s)&&l<c.minimum,F=b(`kind.${s}`);return g`<section class="card alert-preview" aria-label=${b(`alerts.preview`)}>
    <div class=${`scene ${S.name}`} style=${N}>
      <iframe ref=${x} src=${`${A}/overlay/preview/#overlay=${n.overlay_id}`}
        title=${b(`alerts.preview`)} tabindex="-1"></iframe>
      <${je} frame=${x} settings=${o} onDrag=${M} onMove=${v} />
    </div>
    <div class="bar">
      <button onClick=${m}>▶ ${b(`alerts.play`)}</button>
      ${s!==`stamp`&&g`<${i} class="main" aria-label=${b(`alerts.test_of`,{kind:F})}
        onClick=${()=>h.send(s,l)}>${b(`alerts.test`)}<//>`}
    </div>
    ${R(s)&&g`<${ue} kind=${s} rule=${c} amount=${l} setAmount=${u} />`}
    <p class="bar alert-note" role="status">
      ${h.note||P&&b(`alerts.below`,{minimum:c.minimum})}
      ${h.off&&g`<${i} onClick=${()=>y(h.off??``)}>${b(`alerts.turn_on`)}<//>`}
    </p>
    <${xe} place=${o.place} onMove=${v} />
    <${ye} background=${S} />
  </section>`}const Fe={bell:[[1,.3,`sine`,1],[2.76,.1,`sine`,.55],[5.4,.045,`sine`,.3]],pluck:[[1,.26,`triangle`,1],[2,.1,`sine`,.6],[4,.05,`sine`,.25]],brass:[[1,.09,`sawtooth`,1],[1.006,.08,`sawtooth`,1],[.5,.12,`triangle`,1]],water:[[1,.36,`sine`,1],[1.5,.1,`triangle`,.5]]},Ie={chime:{instrument:`bell`,attack:.004,notes:[[880,0,1.1],[1318.5,.12,1.2],[1760,.24,1.6]]},coin:{instrument:`pluck`,attack:.002,notes:[[987.8,0,.16],[1318.5,.085,.65],[2637,.085,.4]]},fanfare:{instrument:`brass`,attack:.03,notes:[[523.3,0,.2],[659.3,.15,.2],[784,.3,.22],[1046.5,.46,1.1],[784,.46,1.1],[659.3,.46,1.1]]},drop:{instrument:`water`,attack:.003,bend:.45,notes:[[760,0,.18],[560,.13,.4]]}};let Le=null;function Re(e){let t=e.createBuffer(2,.9*e.sampleRate,e.sampleRate);for(let e of[0,1]){let n=t.getChannelData(e);for(let e=0;e<n.length;e+=1)n[e]=(Math.random()*2-1)*(1-e/n.length)**3}return t}function ze(e,t){let n=new GainNode(e,{gain:t}),r=new ConvolverNode(e,{buffer:Re(e)});return n.connect(e.destination),n.connect(r).connect(new GainNode(e,{gain:.22})).connect(e.destination),n}async function Be({sound:e,volume:t},n){try{if(e===`none`||t===0||e===`custom`&&!n)return;let r=Le??=new AudioContext;r.resume().catch(()=>{}),e===`custom`?await Ve(r,t,n??``):He(r,ze(r,t),Ie[e])}catch{}}async function Ve(e,t,n){let r=Uint8Array.from(atob(n.split(`,`)[1]),e=>e.charCodeAt(0)),i=new AudioBufferSourceNode(e,{buffer:await e.decodeAudioData(r.buffer)});i.connect(new GainNode(e,{gain:t})).connect(e.destination),i.start()}function He(e,t,{instrument:n,attack:r,bend:i,notes:a}){for(let[o,s,c]of a)for(let[a,l,u,d]of Fe[n]){let n=e.currentTime+s,f=n+c*d,p=new OscillatorNode(e,{frequency:o*a,type:u});i&&p.frequency.exponentialRampToValueAtTime(o*a*i,f);let m=new GainNode(e,{gain:0});m.gain.setValueAtTime(0,n),m.gain.linearRampToValueAtTime(l,n+r),m.gain.exponentialRampToValueAtTime(8e-4,f),p.connect(m).connect(t),p.start(n),p.stop(f)}}const Ue=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],We=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function Ge(e){let{client:t}=r();return{upload:async e=>{let n={document_data:await We(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function Ke({picture:e,hint:t,change:n,flush:a}){let{say:o}=r(),{upload:l,forget:u}=Ge(a),[d,p]=f(null),[m,h]=f(``),[_,v]=f(!1),y=t=>(n([`picture`],t),u([e])),b=async e=>{if(p(null),!Ue.includes(e.type)||e.size>2097152)return h(o(`alerts.picture_wrong`));h(o(`alerts.picture_loading`));try{await y(await l(e))}catch(e){p(e)}return h(``)},x=e=>{e.preventDefault(),v(e.type===`dragover`)};return g`<div class=${`own-picture ${_?`over`:``}`} onDragOver=${x} onDragLeave=${x}
    onDrop=${e=>{x(e);let t=e.dataTransfer?.files[0];t&&b(t)}}>
    ${e&&g`<img src=${e.url} alt=${o(`alerts.picture`)} />`}
    <div class="bar">
      <${H} label=${o(`alerts.picture`)} accept=${Ue.join(`,`)} onFile=${b}
        ...${s()} />
      ${e&&g`<${i} onClick=${()=>y(void 0)}>${o(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${t}</span>
    <span role="status">${m}</span>
    <${c} error=${d} />
  </div>`}const X=(e,t,n)=>n.map(n=>({value:n,label:e(`${t}.${n}`)})),Z=(e,t,n,r)=>[{value:``,label:e(r)},...X(e,t,n)],qe=e=>O.filter(t=>t!==`custom`||e.customSound),Je=(e,t)=>X(e,`sound`,qe(t));function Ye(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const Xe=(e,t)=>[...e.matchAll(/\{(\w+)\}/g)].filter(([,e])=>!ae[t].includes(e)).map(([e])=>e);function Q({kind:t,value:n,placeholder:i,onCommit:a,hasChips:o=!1}){let{say:s}=r(),c=e(null),l=Xe(n,t),[u,d]=f(null),m=u??n;p(()=>Ye(c.current),[m,i]);let h=e=>{d(null),a(e)},_=({currentTarget:e})=>d(e.value.replace(/\s*\n\s*/g,` `)),v=e=>{let t=c.current;t.value===``&&(t.value=`${i} `);let{selectionStart:n,selectionEnd:r}=t;t.setRangeText(`{${e}}`,n,r,`end`),t.focus(),h(t.value.slice(0,300))};return g`<div class="template">
    <label class="field"><span>${s(`alerts.text`)}</span>
      <textarea ref=${c} rows="1" maxlength=${300} value=${m} placeholder=${i}
        onInput=${_} onChange=${e=>h(e.currentTarget.value)}></textarea>
    </label>
    ${l.length>0&&g`<p class="bad" role="status">
      ${s(`alerts.unknown_placeholder`,{many:l.length,names:l.join(`, `)})}</p>`}
    ${o&&g`<ul class="placeholders" aria-label=${s(`alerts.placeholders`)}>
      ${ae[t].map(e=>{let n=s(e===`amount`?`placeholder.amount.${t}`:`placeholder.${e}`);return g`<li key=${e}>
          <button onClick=${()=>v(e)}><code>${`{${e}}`}</code> ${n}</button></li>`})}
    </ul>`}
  </div>`}function Ze({kind:e,rule:t,values:n,settings:i,change:o,flush:s}){let{say:c}=r(),u=n.alerts?.[e]??{},d=(e,t,n,r={})=>{let i=[`number`,`range`].includes(r.type);return g`<${a} label=${c(e)} value=${n} ...${r} onCommit=${e=>o([t],e===``?void 0:i?Number(e):e)} />`},f=c.template(`overlay.${ce(e)}`,{amount:e===`purchase`?1:2}),p={type:`number`,min:1,max:60,step:.5,placeholder:String(i.duration/1e3)},m={type:`number`,min:0,step:1},h=Z(c,`theme`,y,`alerts.theme.overlay`),_=(e,t,n)=>g`<label class="check"><input type="checkbox" checked=${n}
      onChange=${t=>o([e],t.currentTarget.checked)} />${t}</label>`;return g`<section class="card alert-properties" aria-label=${c(`kind.${e}`)}>
    <h2><${l} name=${e} /> ${c(`kind.${e}`)}</h2>
    <p>${_(`enabled`,c(`alerts.enabled`),t.enabled)}</p>
    ${e===`document`&&!i.hasLetterRule&&g`<p class="quiet">${c(`alerts.letters_how`)}</p>`}
    <${Q} kind=${e} value=${t.text} placeholder=${f} hasChips
      onCommit=${e=>o([`text`],e||void 0)} />
    <div class="fields">
      ${R(e)&&d(`alerts.minimum.${e}`,`minimum`,t.minimum||``,m)}
      ${d(`alerts.theme`,`theme`,u.theme??``,{options:h})}
      ${d(`alerts.color`,`color`,t.color,{type:`color`})}
      ${d(`alerts.animation`,`animation`,t.animation,{options:X(c,`animation`,S)})}
      ${d(`alerts.duration`,`duration`,t.duration===null?``:t.duration/1e3,p)}
      ${d(`alerts.sound`,`sound`,t.sound,{options:Je(c,i)})}
      ${d(`alerts.volume`,`volume`,t.volume,{type:`range`,min:0,max:1,step:.05})}
      <button onClick=${()=>Be(t,i.customSound)} disabled=${t.sound===`none`}>
        ♪ ${c(`alerts.listen`)}</button>
    </div>
    <p>${_(`speak`,c(`alerts.speak`),t.speak)}</p>
    <${Ke} picture=${u.picture} change=${o} flush=${s}
      hint=${`${c(`alerts.picture_how`)}${e===`document`?`. ${c(`alerts.picture_letter`)}`:``}`} />
  </section>`}function $(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?$(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?$(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function Qe(t){let{client:n,subscribe:i}=r(),a=`/overlays/${t.overlay_id}`,[o,s]=f(t.settings??{}),[c,l]=f({paused:t.paused,muted:t.muted}),[u,p]=f(``),[m,h]=f(null),g=e(o),_=e(null),y=e(null),b=e(/* @__PURE__ */ new Set),x=e(0),S=async e=>{x.current+=1;let t=x.current;p(`alerts.saving`),e.settings&&b.current.add(JSON.stringify(e.settings));try{return await n.patch(a,e),h(null),t===x.current&&!_.current&&p(`alerts.saved`),!0}catch(e){return p(``),h(e),!1}},C=()=>(clearTimeout(y.current),_.current=null,S({settings:g.current}));return d(()=>()=>{clearTimeout(y.current),_.current&&n.patch(a,{settings:_.current}).catch(()=>{})},[]),d(()=>i(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===a&&n&&(l({paused:n.paused,muted:n.muted}),_.current||b.current.has(JSON.stringify(n.settings))||(g.current=n.settings??{},s(g.current)))}),[]),{path:a,values:o,settings:v(o),flags:c,state:u,error:m,setError:h,change:(e,t)=>{let n=$(g.current,e,t);g.current=n,s(n),_.current=n,p(`alerts.saving`),clearTimeout(y.current),y.current=setTimeout(C,300)},flush:C,toggle:e=>{l({...c,[e]:!c[e]}),S({[e]:!c[e]})}}}function $e({settings:e,flags:t},n){let{client:i,say:a}=r(),[o,s]=f({note:``,off:null}),c=(e,t=null)=>s({note:e,off:t}),l=async(r,o)=>{let{enabled:s,minimum:l}=z(e,r);if(n(),!s)return c(a(`alerts.is_off`,{kind:a(`kind.${r}`)}),r);if(R(r)&&o<l)return c(a(`alerts.below`,{minimum:l}));c(`…`);try{return await i.post(`/alerts`,{test:B(r,o,a)}),c(a(t.paused?`alerts.sent_paused`:await m(i)))}catch(e){let t=e;return c(t.isRetryable?a(`unreachable`):t.detail??t.message)}};return{...o,send:l,clear:()=>c(``)}}function et({kind:e,rule:t,settings:n,raw:a,played:o,change:s,flush:c,onTest:l}){let{say:u}=r(),{forget:d}=Ge(c),f=Array.isArray(a)?a:[],p=Math.max(t.minimum,re(e),...f.map(({minimum:e})=>Number(e)||0)),m=f.map((e,t)=>({variation:e,index:t}));m.sort((e,t)=>e.variation.minimum-t.variation.minimum);let h=()=>s([`variations`],[...f,{minimum:p*10}]),_=e=>{s([`variations`],f.filter((t,n)=>n!==e)),d([f[e].picture])};return g`<h2>${u(`alerts.variations`)}</h2>
    ${m.map(({variation:r,index:i})=>g`<${tt} key=${i} kind=${e} variation=${r} rule=${t}
        settings=${n} flush=${c} played=${o} onTest=${l} onRemove=${()=>_(i)}
        change=${(e,t)=>s([`variations`,String(i),...e],t)} />`)}
    ${f.length<20&&g`<${i} class="add" onClick=${h}>+ ${u(`alerts.add_variation`)}<//>`}`}function tt({kind:e,variation:t,rule:n,settings:o,played:s,change:c,flush:l,onRemove:u,onTest:d}){let{say:f}=r(),p=f(`alerts.variation_of`,{kind:f(`kind.${e}`),minimum:t.minimum}),m=e=>t=>c([e],t||void 0),h=(e,n)=>{let r=Z(f,e,n,`alerts.as_alert`);return g`<${a} label=${f(`alerts.${e}`)} value=${t[e]??``} options=${r}
      onCommit=${m(e)} />`},_=e=>Number(e)>0&&c([`minimum`],Number(e)),v=Number(t.minimum)===s;return g`<section class=${`card variation ${v?`played`:``}`} aria-label=${p}>
    <div class="bar spread">
      <h3>${p} ${v&&g`<small>${f(`alerts.in_preview`)}</small>`}</h3>
      <${i} aria-label=${f(`alerts.test_of`,{kind:p})} onClick=${()=>d(t.minimum)}>
        ${f(`alerts.test`)}<//></div>
    <${Q} kind=${e} value=${t.text??``} placeholder=${n.text||f(`alerts.as_alert`)}
      onCommit=${m(`text`)} />
    <div class="fields">
      <${a} label=${f(`alerts.minimum.${e}`)} type="number" min="1" step="1" value=${t.minimum}
        onCommit=${_} />
      <${a} label=${f(`alerts.color`)} type="color" value=${t.color??n.color}
        onCommit=${m(`color`)} />
      ${h(`theme`,y)} ${h(`sound`,qe(o))} ${h(`animation`,S)}
    </div>
    <${Ke} picture=${t.picture} hint=${f(`alerts.picture_how`)} change=${c} flush=${l} />
    <${i} class="quiet" aria-label=${`${f(`alerts.remove_variation`)}: ${p}`} onClick=${u}>
      ${f(`alerts.remove_variation`)}<//>
  </section>`}function nt({overlay:e,settings:t,change:n}){let{say:i,parameters:o,setParameters:s}=r(),{goal:c,leaderboard:l,recent:u,ticker:d,pets:f}=t,p=(e,t,r,o)=>g`<${a} label=${i(e)} type="number" step="1" value=${r} ...${o}
      onCommit=${e=>n(t,e===``?void 0:Number(e))} />`,m=(e,t,r,a,o)=>g`<${h} label=${i(e)} value=${r} options=${X(i,a,o)}
      onChange=${e=>n(t,e.currentTarget.value)} />`,v={goal:g`${m(`goal.what`,[`goal`,`of`],c.of,`goal`,E)}
      ${p(`goal.target`,[`goal`,`target`],c.target,{min:1})}
      ${p(`goal.start`,[`goal`,`start`],c.start,{min:0})}
      <${a} label=${i(`goal.name`)} value=${c.title} maxlength="100" onCommit=${e=>n([`goal`,`title`],e||void 0)} />
      <${h} label=${i(`goal.since`)} type="date" value=${c.since?.slice(0,10)??``} onChange=${({currentTarget:{value:e}})=>n([`goal`,`since`],e?`${e}T00:00:00Z`:void 0)} />`,leaderboard:g`${m(`board.what`,[`leaderboard`,`board`],l.board,`board`,w)}
      ${m(`board.period`,[`leaderboard`,`period`],l.period,`period`,_)}
      ${p(`board.limit`,[`leaderboard`,`limit`],l.limit,{min:3,max:10})}`,recent:p(`recent.limit`,[`recent`,`limit`],u.limit,{min:1,max:10}),ticker:p(`ticker.limit`,[`ticker`,`limit`],d.limit,{min:1,max:30}),pets:g`${p(`pets.limit`,[`pets`,`limit`],f.limit,{min:1,max:30})}
      <label class="check"><input type="checkbox" checked=${f.names}
        onChange=${e=>n([`pets`,`names`],e.currentTarget.checked)} />
        ${i(`pets.names`)}</label>`},y=Object.keys(v),b=y.includes(o.get(`widget`))?o.get(`widget`):y[0];return g`<section class="card widgets" aria-label=${i(`alerts.widgets`)}>
    <h2>${i(`alerts.widgets`)}</h2>
    <div class="bar" role="group" aria-label=${i(`alerts.widgets`)}>
      ${y.map(e=>g`<button key=${e} aria-pressed=${e===b}
        onClick=${()=>s({widget:e})}>${i(`widget.${e}`)}</button>`)}
    </div>
    <div class="fields" key=${b}>${v[b]}</div>
    <iframe key=${`${b} frame`} class=${b} src=${`${A}/overlay/${b}/#overlay=${e.overlay_id}`}
      title=${i(`widget.${b}`)} loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${i(b===`pets`?`pets.how`:`widget.live`)}</p>
  </section>`}function rt({overlay:e,reload:t}){let{client:n,say:a,parameters:s,setParameters:l}=r(),u=Qe(e),{settings:d,flags:p,change:m}=u,h=I.includes(s.get(`kind`))?s.get(`kind`):I[0],_=z(d,h),[v,y]=f({}),[b,x]=f(0),S=v[h]??Math.max(re(h),_.minimum),w=e=>y({...v,[h]:e}),T=()=>x(e=>e+1),E=$e(u,T),D=e=>{l({kind:e}),E.clear()},O=async()=>{let e=Object.values(d.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),r=new Set(e.flatMap(e=>e?.document_id??[]));try{await n.delete(u.path),await Promise.all([...r].map(e=>n.delete(`/documents/${e}`).catch(()=>{}))),t()}catch(e){u.setError(e)}},k=e=>{let t=C(e);t&&m([`position`],t),m([`place`],t?void 0:e)},A=(e,t)=>m([`alerts`,e,`enabled`],t),M=(e,t,n)=>g`<${i} aria-pressed=${p[e]} onClick=${()=>u.toggle(e)}>
      ${a(p[e]?n:t)}
    <//>`,N=(e,t)=>m([`alerts`,h,...e],t);return g`<div class="bar alert-bar">
      ${M(`paused`,`queue.pause`,`queue.resume`)} ${M(`muted`,`alerts.mute`,`alerts.unmute`)}
      <span class="quiet" role="status">${u.state&&a(u.state)}</span>
    </div>
    <${c} error=${u.error} onRetry=${u.error&&u.flush} />
    <section class="card alert-theme">
      <${j} theme=${d.theme} onChange=${e=>m([`theme`],e)} />
    </section>
    <div class="alert-editor">
      <${de} settings=${d} selected=${h} onSelect=${D} onEnable=${A} />
      <${Pe} overlay=${e} values=${u.values} settings=${d} kind=${h} rule=${_}
        amount=${S} setAmount=${w} plays=${b} play=${T} test=${E} muted=${p.muted}
        onMove=${k}
        onEnable=${e=>(A(e,!0),E.clear())} />
      <${Ze} key=${h} kind=${h} rule=${_} values=${u.values} settings=${d}
        change=${N} flush=${u.flush} />
      ${R(h)&&g`<section class="alert-variations" aria-label=${a(`alerts.variations`)}>
        <${et} key=${`variations ${h}`} kind=${h} rule=${_} settings=${d}
          change=${N} raw=${u.values.alerts?.[h]?.variations} flush=${u.flush}
          played=${V(_,S)?.minimum}
          onTest=${e=>(w(e),E.send(h,e))} />
      </section>`}
    </div>
    <${ne} overlay=${e} />
    <div class="alert-rest">
      <${he} settings=${d} change=${m} />
      <${nt} overlay=${e} settings=${d} change=${m} />
    </div>
    <p><${o} className="" label=${a(`alerts.delete`)} question=${a(`alerts.delete_sure`)}
      note=${a(`alerts.delete_note`)}
      act=${O} /></p>`}const it=({overlay_id:e,name:t})=>({value:String(e),label:t});function at(){let{client:e,say:a,connected:o,parameters:s,setParameters:l}=r(),{value:d,error:p,reload:m}=n(async()=>(await e.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=f(null),y=()=>e.post(`/overlays`,{name:a(`alerts.first_name`),settings:{}}).then(e=>{v(null),l({overlay:String(e.overlay_id)}),m()},v);if(!d||d.length===0&&!o){let e=p??_;return g`<h1>${a(`nav.alerts`)}</h1>
      ${e?g`<${c} error=${e} onRetry=${m} />`:g`<${u} rows=${6} />`}`}let b=d.find(({overlay_id:e})=>String(e)===s.get(`overlay`))??d[0];return g`<div class="bar spread">
      <h1>${a(`nav.alerts`)}</h1>
      <div class="bar">
        ${d.length>1&&g`<${h} label=${a(`alerts.overlay`)} value=${String(b.overlay_id)}
          onChange=${e=>l({overlay:e.currentTarget.value})}
          options=${d.map(it)} />`}
        ${d.length>0&&g`<${i} onClick=${y}>${a(`alerts.another`)}<//>`}
      </div>
    </div>
    <${c} error=${_} />
    ${d.length===0?g`<${t}>${a(`alerts.empty`)}
          <${i} class="main" onClick=${y}>${a(`alerts.create`)}<//><//>`:g`<${rt} key=${b.overlay_id} overlay=${b} reload=${m} />`}`}export{at as View};