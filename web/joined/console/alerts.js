
import{A as e,B as t,D as n,G as r,N as i,O as a,P as o,R as s,S as c,U as l,V as u,a as d,g as f,j as p,v as m,y as h,z as g}from"./common.js";import{a as _,c as v,d as y,f as b,i as x,l as S,m as C,n as w,p as T,r as E,t as D,u as O}from"./settings.js";import{D as k,E as A}from"./first.js";import{t as j}from"./themes.js";const[M,N]=[6,3.4];function P(e,t,[n,r]){let i=new URL(e);return i.search=String(new URLSearchParams({"layer-name":t,"layer-width":String(n),"layer-height":String(r)})),i.href}function ee({page:e,name:t,size:n,address:i,isReady:a,onCopy:o}){let{say:c}=s(),[l,u]=n,d=Math.min(M/l,N/u),f=({dataTransfer:e})=>{if(!e)return;let r=P(i,t,n);e.setData(`text/uri-list`,r),e.setData(`text/plain`,r),e.effectAllowed=`copyLink`},p=r`<span class="outline" aria-hidden="true">
      <i class=${e||`alerts`} style=${{width:`${l*d}rem`,height:`${u*d}rem`}}></i></span>
    <strong>${t}</strong> <small>${l} × ${u}</small>`;return r`<li>
    ${a?r`<a class="source" href=${i} target="_blank" rel="noopener" draggable="true"
          onDragStart=${f}>${p}</a>`:r`<div class="source">${p}</div>`}
    <button aria-label=${`${c(`alerts.copy`)}: ${t}`} onClick=${o}>${c(`copy`)}</button>
  </li>`}const te=[{page:``,size:[1920,1080]},{page:`emotes`,size:[1920,1080]},{page:`goal`,size:[700,200]},{page:`goal2`,size:[700,200]},{page:`leaderboard`,size:[400,560]},{page:`recent`,size:[700,420]},{page:`ticker`,size:[1920,80]},{page:`pets`,size:[1920,320]}],F=(e,t)=>e===`goal2`?`${F(`goal`,t)}&second`:`${A}/overlay/${e&&`${e}/`}#${t}`,ne=e=>e?.focus();function re({overlay:e}){let{client:n,say:o,key:c}=s(),[l,u]=g(null),[d,f]=g(``),[p,m]=g(!1),[h,_]=g(null),[v,y]=g(``),b=a(),x=c!==``,S=(t,n)=>F(t,`overlay=${e.overlay_id}${n?`&token=${n}`:``}`);t(()=>y(``),[d]);let C=e=>o(e===``?`nav.alerts`:e===`emotes`?`alerts.emotes`:`widget.${e}`),w=async(t,n,r=!1)=>{try{await navigator.clipboard.writeText(S(t,n)),y(o(r?`alerts.token_copied`:`copied`,{name:e.name}))}catch{y(o(r?`alerts.token_created`:`alerts.copy_failed`,{name:e.name}))}},T=async()=>{m(!1),_(null);try{let{token:t}=await n.post(`/tokens`,{name:e.name.slice(0,100)});u(t),await w(d,t,!0)}catch(e){_(e)}},E=!x||l!==null,D=e=>(f(e),E?w(e,l):m(!0));return r`<section class="card addresses" aria-label=${o(`alerts.address`)}>
    <h2>${o(`alerts.address`)}</h2>
    <p>${o(E?`alerts.address_how`:`alerts.address_token`)}</p>
    <ul class="tiles">
      ${te.map(({page:e,size:t})=>r`<${ee} key=${e} page=${e} name=${C(e)} size=${t}
        address=${S(e,l)} isReady=${E} onCopy=${()=>D(e)} />`)}
    </ul>
    <p class="chosen-page"><strong>${C(d)}</strong>
      <code class="address">${S(d,l??(x?`…`:null))}</code></p>
    ${p&&r`<div class="question" role="group" aria-label=${o(`alerts.token_ask`)}>
      <p>${o(`alerts.token_ask`)}</p>
      <p class="bar">
        <button class="main" ref=${ne} onClick=${T} ...${b}>${o(`alerts.token_yes`)}</button>
        <button onClick=${()=>m(!1)}>${o(`cancel`)}</button>
      </p>
    </div>`}
    <p class="good" role="status">${v}</p>
    <${i} error=${h} />
  </section>`}const I=[`subscriber`,`gift`,`cheer`,`raid`,`document`,...D.slice(4)],L={subscriber:[1,3,12,60],gift:[1,5,20,50],cheer:[1,100,1e3,1e4],raid:[1,42,100,1e3],purchase:[1,400,5e3,5e4]},R=e=>e in L,z=e=>L[e]?.[1]??1;function ie(e,t){let n=[t,...t.variations].map(({minimum:e})=>e).filter(e=>e>0);return[.../* @__PURE__ */ new Set([...L[e],...n])].sort((e,t)=>e-t)}const ae={subscriber:[`name`,`months`,`tier`,`message`],gift:[`name`,`amount`,`tier`],cheer:[`name`,`amount`,`message`],raid:[`name`,`amount`],follow:[`name`],redemption:[`name`,`title`,`message`],purchase:[`name`,`title`,`price`,`message`],notice:[`message`],document:[`name`,`message`],plain:[`name`,`message`],stamp:[`type`]},oe={giver:{user_id:`1`,user_name:`Ann`},tier:1},se={subscriber:`resubscribed`,gift:`gifts`,document:`letter`},ce=e=>se[e]??e,B=(e,t)=>e.alerts[t];function V(e,t,n){let r={user_name:`Ann`},i=n(`sample.${e}`);switch(e){case`subscriber`:return{...r,event_type:`subscriber`,tier:1,subscribed_length:t,message:i};case`gift`:return{...r,event_type:`plain`,message:`-`,reference:`test`,details:{...oe,total:t}};case`cheer`:return{...r,event_type:`cheer`,amount:t,message:i};case`raid`:return{...r,event_type:`raid`,viewer_count:t};case`follow`:return{...r,event_type:`plain`,message:`Ann followed the channel.`,source:`twitch/channel.follow`};case`redemption`:{let e=n(`sample.reward`),t={title:e,cost:100};return{...r,event_type:`plain`,message:`${e} (100 points): ${i}`,source:`twitch/channel.channel_points_custom_reward_redemption.add`,details:t}}case`purchase`:return{purchase:{...r,name:n(`sample.product`),price:t,quantity:1,answer:null}};case`notice`:{let e={level:4,total:12300};return{...r,event_type:`plain`,message:`A hype train ended.`,source:`twitch/channel.hype_train.end`,details:e}}case`document`:return{...r,event_type:`plain`,message:i,details:{sample:`letter`}};default:return{...r,event_type:`plain`,message:i}}}const le=(e,t,n)=>e===`stamp`?{stamp_id:1,document_id:1,stamp_type:`heart`,pos_x:0,pos_y:0,rotation:0}:V(e,t,n),H=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function ue({kind:e,rule:t,amount:n,setAmount:i}){let{say:a}=s(),o=ie(e,t),c=Math.max(0,o.filter(e=>e<=n).length-1),l=H(t,n),u=a(`kind.${e}`),d=l?a(`alerts.variation_of`,{kind:u,minimum:l.minimum}):u,f=e=>t.variations.some(({minimum:t})=>t===e);return r`<div class="amount-slider">
    <label>
      <span>${a(`alerts.test_amount`)} <strong>${a.number(n)}</strong></span>
      <input type="range" min="0" max=${o.length-1} step="1" value=${c}
        aria-valuetext=${`${a.number(o[c])}: ${d}`}
        onInput=${e=>i(o[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${o.map(e=>r`<span key=${e} class=${f(e)?`minimum`:``}>${a.compact(e)}</span>`)}
    </div>
    ${t.variations.length>0&&r`<p class="played">
      <span class="swatch" style=${{background:(l??t).color}}></span>
      ${a(`alerts.plays`)} <strong>${d}</strong></p>`}
  </div>`}function de({settings:e,selected:t,onSelect:n,onEnable:i}){let{say:a}=s();return r`<section class="card alert-list" aria-label=${a(`alerts.list`)}>
    <ul>
      ${I.map(a=>r`<${fe} key=${a} kind=${a} rule=${B(e,a)} settings=${e}
        isSelected=${a===t} onSelect=${n} onEnable=${i} />`)}
    </ul>
  </section>`}function fe({kind:e,rule:t,settings:n,isSelected:i,onSelect:o,onEnable:c}){let{say:l}=s(),u=l(`kind.${e}`),d=l(`alerts.seconds`,{many:(t.duration??n.duration)/1e3}),f=t.sound===`none`?``:` · ♪ ${l(`sound.${t.sound}`)}`,m=t.variations.map(({minimum:e})=>`≥\u00a0${l.number(e)}`).reverse();return r`<li class=${t.enabled?``:`off`}>
    <input type="checkbox" checked=${t.enabled} aria-label=${l(`alerts.enabled_of`,{kind:u})}
      onChange=${t=>c(e,t.currentTarget.checked)} ...${a()} />
    <button aria-current=${i?`true`:void 0} onClick=${()=>o(e)}>
      <${p} name=${e} />
      <span class="alert-name">${u}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${d}${f}`:l(`alerts.off`)}</small>
      ${m.length>0&&r`<small>${m.join(` · `)}</small>`}
    </button>
  </li>`}function U({label:e,accept:t,onFile:n,...i}){return r`<label class=${`file-button ${i.disabled?`disabled`:``}`}>
    ${e}<input type="file" accept=${t} onChange=${({currentTarget:e})=>{let[t]=e.files;e.value=``,t&&n(t)}} ...${i} />
  </label>`}function pe({isSet:e,onChange:t}){let{say:i}=s(),[o,c]=g(``);return r`<div class="bar">
    <${U} label=${i(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){c(i(`alerts.sound_too_long`));return}c(``);let n=new FileReader;n.addEventListener(`load`,()=>t(n.result)),n.readAsDataURL(e)}} ...${a()} />
    ${e&&r`<${n} onClick=${()=>t(void 0)}>${i(`alerts.remove_sound`)}<//>`}
    ${o&&r`<p class="error" role="alert">${o}</p>`}
  </div>`}const me=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function he({settings:e,change:t}){let{say:n}=s(),i=(e,i,a,o)=>r`<${c} label=${n(e)} type="number" value=${a} ...${o} onCommit=${e=>t([i],e===``?void 0:Number(e))} />`,a=(e,i,a,o)=>r`<${h} label=${n(e)} value=${a} options=${o} onChange=${e=>t([i],e.currentTarget.value)} />`,o=x.map(e=>({value:e,label:n(`size.${e}`)}));return r`<section class="card">
    <h2>${n(`alerts.look`)}</h2>
    <div class="fields">
      ${i(`alerts.scale`,`scale`,e.scale,{min:.25,max:4,step:.05})}
      ${a(`alerts.largest_size`,`largest_size`,e.largestSize,o)}
      ${i(`alerts.margin`,`margin`,e.margin,{min:0,max:20,step:1})}
      ${i(`alerts.duration`,`duration`,e.duration/1e3,{min:1,max:60,step:.5})}
      ${i(`alerts.delay`,`delay`,e.delay/1e3,{min:0,max:600,step:1})}
      ${i(`alerts.max_age`,`max_age`,e.maxAge/1e3,{min:1,max:86400,step:1})}
      ${a(`settings.language`,`lang`,e.lang,[{value:``,label:n(`alerts.browser`)},...me])}
    </div>
    <${pe} isSet=${e.customSound!==null}
      onChange=${e=>t([`custom_sound`],e)} />
  </section>`}const ge=[`dark`,`bright`,`own`],W=`preview`,[G,K]=[800,450];async function _e(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:G,height:K}),r=Math.max(G/t.width,K/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(G-i)/2,(K-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function ve(){let[e,t]=g(`dark`),[n,r]=g(k.get(W));return{name:e,setName:t,picture:n,read:async e=>{let n=await _e(e);k.set(W,n),r(n),t(`own`)}}}function ye({background:{name:e,setName:t,picture:n,read:i}}){let{say:a}=s(),[o,c]=g(!1);return r`<fieldset class="backgrounds">
    <legend>${a(`alerts.background`)}</legend>
    ${ge.filter(e=>e!==`own`||n).map(n=>r`<label key=${n}>
        <input type="radio" name="background" checked=${n===e} onChange=${()=>t(n)} />
        ${a(`alerts.background.${n}`)}</label>`)}
    <${U} label=${a(n?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{c(!1),i(e).catch(()=>c(!0))}} />
    ${o&&r`<span class="bad" role="alert">${a(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const be={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},q=e=>Math.min(2,Math.max(0,e));function xe(e){let{say:t}=s(),n=C(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function Se({place:e,onMove:t}){let{say:n}=s(),i=l(null),a=C(e),o=a??b[0];return r`<div class="place-choice">
    <div class="pad" ref=${i} role="radiogroup" aria-label=${n(`alerts.position`)} onKeyDown=${e=>{let n=be[e.key];if(!n)return;e.preventDefault();let r=b.indexOf(o),a=q(Math.floor(r/3)+n[1])*3+q(r%3+n[0]);t(T(b[a])),i.current.children[a].focus()}}>
      ${b.map(e=>r`<button key=${e} role="radio" aria-checked=${e===a}
    tabindex=${e===o?0:-1} aria-label=${n(`position.${e}`)}
    onClick=${()=>t(T(e))}></button>`)}
    </div>
    <p><strong>${n(`alerts.position`)}: ${xe(e)}</strong><br />
      <span class="quiet">${n(`alerts.place`)}</span></p>
  </div>`}const J=[0,50,100],Y=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function Ce(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function we(e,t){return J.find(n=>Math.abs((e-n)/100*t)<=8)??Y(e)}function Te(e,t,n){let r=r=>t[r]>0?we(Y(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const Ee=(e,t,n)=>({x:Y(e.x+t),y:Y(e.y+n)}),De=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),Oe=({x:e,y:t})=>({x:J.includes(e)?e:null,y:J.includes(t)?t:null}),ke={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Ae={width:.4,height:.24};function je(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function Me({frame:e,settings:{place:t,margin:n},onDrag:i,onMove:a}){let{say:o}=s(),c=l(null),u=l(null),[d,f]=g(null),[,p]=g(0),m=()=>{u.current=je(e.current)??u.current,p(e=>e+1)},{clientWidth:h=0,clientHeight:_=0}=c.current??{},v={width:h,height:_},y=u.current??{width:h*Ae.width,height:_*Ae.height},b=Ce(v,y,n),x=d?.place??t,S=e=>{e.button===0&&(m(),c.current.setPointerCapture(e.pointerId),f({place:t,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!d)return;let n={x:e.clientX-d.x,y:e.clientY-d.y},r=d.hasMoved||Math.hypot(n.x,n.y)>3;if(!r)return;let a=Te(t,b,n);f({...d,place:a,hasMoved:r}),i(a)},w=e=>{if(!d)return;if(f(null),d.hasMoved)return a(d.place);let{left:n,top:r}=c.current.getBoundingClientRect(),i=De(t,b),o={x:e.clientX-n-i.left-y.width/2,y:e.clientY-r-i.top-y.height/2};return Math.abs(o.x)<y.width/2&&Math.abs(o.y)<y.height/2?void 0:a(Te(t,b,o))},T=e=>{let n=ke[e.key];if(!n)return;e.preventDefault();let[r,i]=n.map(t=>t*(e.shiftKey?10:1));a(Ee(t,r,i))},{left:E,top:D}=De(x,b),O={left:`${E}px`,top:`${D}px`,width:`${y.width}px`,height:`${y.height}px`},k=xe(x);return r`<div class=${`places ${d?.hasMoved?`dragging`:``}`} ref=${c} onPointerEnter=${m}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${w} onPointerCancel=${()=>f(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${Ne} on=${d?.hasMoved?Oe(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${O} onFocus=${m} onKeyDown=${T}
      aria-label=${`${o(`alerts.move`)}: ${k}`}><span>${k}</span></button>
  </div>`}function Ne({on:e}){let t=t=>[0,50,100].map(n=>{let i=e[t]===n?`on`:``;return r`<i key=${`${t}${n}`} class=${`guide ${t} at-${n} ${i}`}></i>`});return[...t(`x`),...t(`y`)]}function Pe(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function Fe(e){let{overlay:i,values:a,settings:o,kind:c,rule:u,amount:d,setAmount:f}=e,{plays:p,play:m,test:h,muted:_,onMove:v,onEnable:y}=e,{say:b}=s(),x=l(null),S=ve(),[C,w]=g(!1),T=l(p);t(()=>{let e=({source:e,data:t})=>{e===x.current?.contentWindow&&t===`ready`&&w(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:E,position:D,...O}=a,k=e=>x.current.contentWindow.postMessage(e,location.origin),j=e=>({settings:Pe(a,c,e),muted:_||!e,data:le(c,d,b)});t(()=>{if(!C)return;let e=T.current!==p,t=setTimeout(()=>{T.current=p,k(j(e))},e?0:250);return()=>clearTimeout(t)},[C,JSON.stringify(O),c,d,p,_]);let M=e=>{let t=j(!1);k({...t,settings:{...t.settings,place:e},isMove:!0})};t(()=>C?M(o.place):void 0,[C,o.place.x,o.place.y]);let N=S.name===`own`?{backgroundImage:`url("${S.picture}")`}:{},P=R(c)&&d<u.minimum,ee=b(`kind.${c}`);return r`<section class="card alert-preview" aria-label=${b(`alerts.preview`)}>
    <div class=${`scene ${S.name}`} style=${N}>
      <iframe ref=${x} src=${`${A}/overlay/preview/#overlay=${i.overlay_id}`}
        title=${b(`alerts.preview`)} tabindex="-1"></iframe>
      <${Me} frame=${x} settings=${o} onDrag=${M} onMove=${v} />
    </div>
    <div class="bar">
      <button onClick=${m}>▶ ${b(`alerts.play`)}</button>
      ${c!==`stamp`&&r`<${n} class="main" aria-label=${b(`alerts.test_of`,{kind:ee})}
        onClick=${()=>h.send(c,d)}>${b(`alerts.test`)}<//>`}
    </div>
    ${R(c)&&r`<${ue} kind=${c} rule=${u} amount=${d} setAmount=${f} />`}
    <p class="bar alert-note" role="status">
      ${h.note||P&&b(`alerts.below`,{minimum:u.minimum})}
      ${h.off&&r`<${n} onClick=${()=>y(h.off??``)}>${b(`alerts.turn_on`)}<//>`}
    </p>
    <${Se} place=${o.place} onMove=${v} />
    <${ye} background=${S} />
  </section>`}const Ie={bell:[[1,.3,`sine`,1],[2.76,.1,`sine`,.55],[5.4,.045,`sine`,.3]],pluck:[[1,.26,`triangle`,1],[2,.1,`sine`,.6],[4,.05,`sine`,.25]],brass:[[1,.09,`sawtooth`,1],[1.006,.08,`sawtooth`,1],[.5,.12,`triangle`,1]],water:[[1,.36,`sine`,1],[1.5,.1,`triangle`,.5]]},Le={chime:{instrument:`bell`,attack:.004,notes:[[880,0,1.1],[1318.5,.12,1.2],[1760,.24,1.6]]},coin:{instrument:`pluck`,attack:.002,notes:[[987.8,0,.16],[1318.5,.085,.65],[2637,.085,.4]]},fanfare:{instrument:`brass`,attack:.03,notes:[[523.3,0,.2],[659.3,.15,.2],[784,.3,.22],[1046.5,.46,1.1],[784,.46,1.1],[659.3,.46,1.1]]},drop:{instrument:`water`,attack:.003,bend:.45,notes:[[760,0,.18],[560,.13,.4]]}};let Re=null;function ze(e){let t=e.createBuffer(2,.9*e.sampleRate,e.sampleRate);for(let e of[0,1]){let n=t.getChannelData(e);for(let e=0;e<n.length;e+=1)n[e]=(Math.random()*2-1)*(1-e/n.length)**3}return t}function Be(e,t){let n=new GainNode(e,{gain:t}),r=new ConvolverNode(e,{buffer:ze(e)});return n.connect(e.destination),n.connect(r).connect(new GainNode(e,{gain:.22})).connect(e.destination),n}async function Ve({sound:e,volume:t},n){try{if(e===`none`||t===0||e===`custom`&&!n)return;let r=Re??=new AudioContext;r.resume().catch(()=>{}),e===`custom`?await He(r,t,n??``):Ue(r,Be(r,t),Le[e])}catch{}}async function He(e,t,n){let r=Uint8Array.from(atob(n.split(`,`)[1]),e=>e.charCodeAt(0)),i=new AudioBufferSourceNode(e,{buffer:await e.decodeAudioData(r.buffer)});i.connect(new GainNode(e,{gain:t})).connect(e.destination),i.start()}function Ue(e,t,{instrument:n,attack:r,bend:i,notes:a}){for(let[o,s,c]of a)for(let[a,l,u,d]of Ie[n]){let n=e.currentTime+s,f=n+c*d,p=new OscillatorNode(e,{frequency:o*a,type:u});i&&p.frequency.exponentialRampToValueAtTime(o*a*i,f);let m=new GainNode(e,{gain:0});m.gain.setValueAtTime(0,n),m.gain.linearRampToValueAtTime(l,n+r),m.gain.exponentialRampToValueAtTime(8e-4,f),p.connect(m).connect(t),p.start(n),p.stop(f)}}const We=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],Ge=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function Ke(e){let{client:t}=s();return{upload:async e=>{let n={document_data:await Ge(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function qe({picture:e,hint:t,change:o,flush:c}){let{say:l}=s(),{upload:u,forget:d}=Ke(c),[f,p]=g(null),[m,h]=g(``),[_,v]=g(!1),y=t=>(o([`picture`],t),d([e])),b=async e=>{if(p(null),!We.includes(e.type)||e.size>2097152)return h(l(`alerts.picture_wrong`));h(l(`alerts.picture_loading`));try{await y(await u(e))}catch(e){p(e)}return h(``)},x=e=>{e.preventDefault(),v(e.type===`dragover`)};return r`<div class=${`own-picture ${_?`over`:``}`} onDragOver=${x} onDragLeave=${x}
    onDrop=${e=>{x(e);let t=e.dataTransfer?.files[0];t&&b(t)}}>
    ${e&&r`<img src=${e.url} alt=${l(`alerts.picture`)} />`}
    <div class="bar">
      <${U} label=${l(`alerts.picture`)} accept=${We.join(`,`)} onFile=${b}
        ...${a()} />
      ${e&&r`<${n} onClick=${()=>y(void 0)}>${l(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${t}</span>
    <span role="status">${m}</span>
    <${i} error=${f} />
  </div>`}const X=(e,t,n)=>n.map(n=>({value:n,label:e(`${t}.${n}`)})),Je=(e,t,n,r)=>[{value:``,label:e(r)},...X(e,t,n)],Z=e=>O.filter(t=>t!==`custom`||e.customSound),Ye=(e,t)=>X(e,`sound`,Z(t));function Xe(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const Ze=(e,t)=>[...e.matchAll(/\{(\w+)\}/g)].filter(([,e])=>!ae[t].includes(e)).map(([e])=>e);function Q({kind:e,value:t,placeholder:n,onCommit:i,hasChips:a=!1}){let{say:o}=s(),c=l(null),d=Ze(t,e),[f,p]=g(null),m=f??t;u(()=>Xe(c.current),[m,n]);let h=e=>{p(null),i(e)},_=({currentTarget:e})=>p(e.value.replace(/\s*\n\s*/g,` `)),v=e=>{let t=c.current;t.value===``&&(t.value=`${n} `);let{selectionStart:r,selectionEnd:i}=t;t.setRangeText(`{${e}}`,r,i,`end`),t.focus(),h(t.value.slice(0,300))};return r`<div class="template">
    <label class="field"><span>${o(`alerts.text`)}</span>
      <textarea ref=${c} rows="1" maxlength=${300} value=${m} placeholder=${n}
        onInput=${_} onChange=${e=>h(e.currentTarget.value)}></textarea>
    </label>
    ${d.length>0&&r`<p class="bad" role="status">
      ${o(`alerts.unknown_placeholder`,{many:d.length,names:d.join(`, `)})}</p>`}
    ${a&&r`<ul class="placeholders" aria-label=${o(`alerts.placeholders`)}>
      ${ae[e].map(t=>{let n=o(t===`amount`?`placeholder.amount.${e}`:`placeholder.${t}`);return r`<li key=${t}>
          <button onClick=${()=>v(t)}><code>${`{${t}}`}</code> ${n}</button></li>`})}
    </ul>`}
  </div>`}function Qe({kind:e,rule:t,values:n,settings:i,change:a,flush:o}){let{say:l}=s(),u=n.alerts?.[e]??{},d=(e,t,n,i={})=>{let o=[`number`,`range`].includes(i.type);return r`<${c} label=${l(e)} value=${n} ...${i} onCommit=${e=>a([t],e===``?void 0:o?Number(e):e)} />`},f=l.template(`overlay.${ce(e)}`,{amount:e===`purchase`?1:2}),m={type:`number`,min:1,max:60,step:.5,placeholder:String(i.duration/1e3)},h={type:`number`,min:0,step:1},g=Je(l,`theme`,y,`alerts.theme.overlay`),_=(e,t,n)=>r`<label class="check"><input type="checkbox" checked=${n}
      onChange=${t=>a([e],t.currentTarget.checked)} />${t}</label>`;return r`<section class="card alert-properties" aria-label=${l(`kind.${e}`)}>
    <h2><${p} name=${e} /> ${l(`kind.${e}`)}</h2>
    <p>${_(`enabled`,l(`alerts.enabled`),t.enabled)}</p>
    ${e===`document`&&!i.hasLetterRule&&r`<p class="quiet">${l(`alerts.letters_how`)}</p>`}
    <${Q} kind=${e} value=${t.text} placeholder=${f} hasChips
      onCommit=${e=>a([`text`],e||void 0)} />
    <div class="fields">
      ${R(e)&&d(`alerts.minimum.${e}`,`minimum`,t.minimum||``,h)}
      ${d(`alerts.theme`,`theme`,u.theme??``,{options:g})}
      ${d(`alerts.color`,`color`,t.color,{type:`color`})}
      ${d(`alerts.animation`,`animation`,t.animation,{options:X(l,`animation`,S)})}
      ${d(`alerts.duration`,`duration`,t.duration===null?``:t.duration/1e3,m)}
      ${d(`alerts.sound`,`sound`,t.sound,{options:Ye(l,i)})}
      ${d(`alerts.volume`,`volume`,t.volume,{type:`range`,min:0,max:1,step:.05})}
      <button onClick=${()=>Ve(t,i.customSound)} disabled=${t.sound===`none`}>
        ♪ ${l(`alerts.listen`)}</button>
    </div>
    <p>${_(`speak`,l(`alerts.speak`),t.speak)}</p>
    <${qe} picture=${u.picture} change=${a} flush=${o}
      hint=${`${l(`alerts.picture_how`)}${e===`document`?`. ${l(`alerts.picture_letter`)}`:``}`} />
  </section>`}function $(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?$(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?$(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function $e(e){let{client:n,subscribe:r}=s(),i=`/overlays/${e.overlay_id}`,[a,o]=g(e.settings??{}),[c,u]=g({paused:e.paused,muted:e.muted}),[d,f]=g(``),[p,m]=g(null),h=l(a),_=l(null),y=l(null),b=l(/* @__PURE__ */ new Set),x=l(0),S=async e=>{x.current+=1;let t=x.current;f(`alerts.saving`),e.settings&&b.current.add(JSON.stringify(e.settings));try{return await n.patch(i,e),m(null),t===x.current&&!_.current&&f(`alerts.saved`),!0}catch(e){return f(``),m(e),!1}},C=()=>(clearTimeout(y.current),_.current=null,S({settings:h.current}));return t(()=>()=>{clearTimeout(y.current),_.current&&n.patch(i,{settings:_.current}).catch(()=>{})},[]),t(()=>r(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===i&&n&&(u({paused:n.paused,muted:n.muted}),_.current||b.current.has(JSON.stringify(n.settings))||(h.current=n.settings??{},o(h.current)))}),[]),{path:i,values:a,settings:v(a),flags:c,state:d,error:p,setError:m,change:(e,t)=>{let n=$(h.current,e,t);h.current=n,o(n),_.current=n,f(`alerts.saving`),clearTimeout(y.current),y.current=setTimeout(C,300)},flush:C,toggle:e=>{u({...c,[e]:!c[e]}),S({[e]:!c[e]})}}}function et({settings:e,flags:t},n){let{client:r,say:i}=s(),[a,o]=g({note:``,off:null}),c=(e,t=null)=>o({note:e,off:t}),l=async(a,o)=>{let{enabled:s,minimum:l}=B(e,a);if(n(),!s)return c(i(`alerts.is_off`,{kind:i(`kind.${a}`)}),a);if(R(a)&&o<l)return c(i(`alerts.below`,{minimum:l}));c(`…`);try{return await r.post(`/alerts`,{test:V(a,o,i)}),c(i(t.paused?`alerts.sent_paused`:await d(r)))}catch(e){let t=e;return c(t.isRetryable?i(`unreachable`):t.detail??t.message)}};return{...a,send:l,clear:()=>c(``)}}function tt({kind:e,rule:t,settings:i,raw:a,played:o,change:c,flush:l,onTest:u}){let{say:d}=s(),{forget:f}=Ke(l),p=Array.isArray(a)?a:[],m=Math.max(t.minimum,z(e),...p.map(({minimum:e})=>Number(e)||0)),h=p.map((e,t)=>({variation:e,index:t}));h.sort((e,t)=>e.variation.minimum-t.variation.minimum);let g=()=>c([`variations`],[...p,{minimum:m*10}]),_=e=>{c([`variations`],p.filter((t,n)=>n!==e)),f([p[e].picture])};return r`<h2>${d(`alerts.variations`)}</h2>
    ${h.map(({variation:n,index:a})=>r`<${nt} key=${a} kind=${e} variation=${n} rule=${t}
        settings=${i} flush=${l} played=${o} onTest=${u} onRemove=${()=>_(a)}
        change=${(e,t)=>c([`variations`,String(a),...e],t)} />`)}
    ${p.length<20&&r`<${n} class="add" onClick=${g}>+ ${d(`alerts.add_variation`)}<//>`}`}function nt({kind:e,variation:t,rule:i,settings:a,played:o,change:l,flush:u,onRemove:d,onTest:f}){let{say:p}=s(),m=p(`alerts.variation_of`,{kind:p(`kind.${e}`),minimum:t.minimum}),h=e=>t=>l([e],t||void 0),g=(e,n)=>{let i=Je(p,e,n,`alerts.as_alert`);return r`<${c} label=${p(`alerts.${e}`)} value=${t[e]??``} options=${i}
      onCommit=${h(e)} />`},_=e=>Number(e)>0&&l([`minimum`],Number(e)),v=Number(t.minimum)===o;return r`<section class=${`card variation ${v?`played`:``}`} aria-label=${m}>
    <div class="bar spread">
      <h3>${m} ${v&&r`<small>${p(`alerts.in_preview`)}</small>`}</h3>
      <${n} aria-label=${p(`alerts.test_of`,{kind:m})} onClick=${()=>f(t.minimum)}>
        ${p(`alerts.test`)}<//></div>
    <${Q} kind=${e} value=${t.text??``} placeholder=${i.text||p(`alerts.as_alert`)}
      onCommit=${h(`text`)} />
    <div class="fields">
      <${c} label=${p(`alerts.minimum.${e}`)} type="number" min="1" step="1" value=${t.minimum}
        onCommit=${_} />
      <${c} label=${p(`alerts.color`)} type="color" value=${t.color??i.color}
        onCommit=${h(`color`)} />
      ${g(`theme`,y)} ${g(`sound`,Z(a))} ${g(`animation`,S)}
    </div>
    <${qe} picture=${t.picture} hint=${p(`alerts.picture_how`)} change=${l} flush=${u} />
    <${n} class="quiet" aria-label=${`${p(`alerts.remove_variation`)}: ${m}`} onClick=${d}>
      ${p(`alerts.remove_variation`)}<//>
  </section>`}function rt({overlay:e,settings:n,change:i}){let{say:a,parameters:o,setParameters:u}=s(),{leaderboard:d,recent:f,ticker:p,pets:m}=n,g=(e,t,n,o)=>r`<${c} label=${a(e)} type="number" step="1" value=${n} ...${o}
      onCommit=${e=>i(t,e===``?void 0:Number(e))} />`,v=(e,t,n,o,s)=>r`<${h} label=${a(e)} value=${n} options=${X(a,o,s)}
      onChange=${e=>i(t,e.currentTarget.value)} />`,y=e=>{let t=n[e];return r`${v(`goal.what`,[e,`of`],t.of,`goal`,E)}
      ${g(`goal.target`,[e,`target`],t.target,{min:1})}
      ${g(`goal.start`,[e,`start`],t.start,{min:0})}
      <${c} label=${a(`goal.name`)} value=${t.title} maxlength="100" onCommit=${t=>i([e,`title`],t||void 0)} />
      <${h} label=${a(`goal.since`)} type="date" value=${t.since?.slice(0,10)??``} onChange=${({currentTarget:{value:t}})=>i([e,`since`],t?`${t}T00:00:00Z`:void 0)} />`},b={goal:y(`goal`),goal2:y(`goal2`),leaderboard:r`${v(`board.what`,[`leaderboard`,`board`],d.board,`board`,w)}
      ${v(`board.period`,[`leaderboard`,`period`],d.period,`period`,_)}
      ${g(`board.limit`,[`leaderboard`,`limit`],d.limit,{min:3,max:10})}`,recent:g(`recent.limit`,[`recent`,`limit`],f.limit,{min:1,max:10}),ticker:g(`ticker.limit`,[`ticker`,`limit`],p.limit,{min:1,max:30}),pets:r`${g(`pets.limit`,[`pets`,`limit`],m.limit,{min:1,max:30})}
      <label class="check"><input type="checkbox" checked=${m.names}
        onChange=${e=>i([`pets`,`names`],e.currentTarget.checked)} />
        ${a(`pets.names`)}</label>`},x=Object.keys(b),S=x.includes(o.get(`widget`))?o.get(`widget`):x[0],C=l(null);return t(()=>{o.has(`widget`)&&C.current?.scrollIntoView()},[]),r`<section class="card widgets" ref=${C} aria-label=${a(`alerts.widgets`)}>
    <h2>${a(`alerts.widgets`)}</h2>
    <div class="bar" role="group" aria-label=${a(`alerts.widgets`)}>
      ${x.map(e=>r`<button key=${e} aria-pressed=${e===S}
        onClick=${()=>u({widget:e})}>${a(`widget.${e}`)}</button>`)}
    </div>
    <div class="fields" key=${S}>${b[S]}</div>
    <iframe key=${`${S} frame`} class=${S} src=${F(S,`overlay=${e.overlay_id}`)}
      title=${a(`widget.${S}`)} loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${a(S===`pets`?`pets.how`:`widget.live`)}</p>
  </section>`}function it({overlay:e,reload:t}){let{client:a,say:o,parameters:c,setParameters:l}=s(),u=$e(e),{settings:d,flags:f,change:p}=u,h=I.includes(c.get(`kind`))?c.get(`kind`):I[0],_=B(d,h),[v,y]=g({}),[b,x]=g(0),S=v[h]??Math.max(z(h),_.minimum),w=e=>y({...v,[h]:e}),T=()=>x(e=>e+1),E=et(u,T),D=e=>{l({kind:e}),E.clear()},O=async()=>{let e=Object.values(d.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),n=new Set(e.flatMap(e=>e?.document_id??[]));try{await a.delete(u.path),await Promise.all([...n].map(e=>a.delete(`/documents/${e}`).catch(()=>{}))),t()}catch(e){u.setError(e)}},k=e=>{let t=C(e);t&&p([`position`],t),p([`place`],t?void 0:e)},A=(e,t)=>p([`alerts`,e,`enabled`],t),M=(e,t,i)=>r`<${n} aria-pressed=${f[e]} onClick=${()=>u.toggle(e)}>
      ${o(f[e]?i:t)}
    <//>`,N=(e,t)=>p([`alerts`,h,...e],t);return r`<div class="bar alert-bar">
      ${M(`paused`,`queue.pause`,`queue.resume`)} ${M(`muted`,`alerts.mute`,`alerts.unmute`)}
      <span class="quiet" role="status">${u.state&&o(u.state)}</span>
    </div>
    <${i} error=${u.error} onRetry=${u.error&&u.flush} />
    <section class="card alert-theme">
      <${j} theme=${d.theme} onChange=${e=>p([`theme`],e)} />
    </section>
    <div class="alert-editor">
      <${de} settings=${d} selected=${h} onSelect=${D} onEnable=${A} />
      <${Fe} overlay=${e} values=${u.values} settings=${d} kind=${h} rule=${_}
        amount=${S} setAmount=${w} plays=${b} play=${T} test=${E} muted=${f.muted}
        onMove=${k}
        onEnable=${e=>(A(e,!0),E.clear())} />
      <${Qe} key=${h} kind=${h} rule=${_} values=${u.values} settings=${d}
        change=${N} flush=${u.flush} />
      ${R(h)&&r`<section class="alert-variations" aria-label=${o(`alerts.variations`)}>
        <${tt} key=${`variations ${h}`} kind=${h} rule=${_} settings=${d}
          change=${N} raw=${u.values.alerts?.[h]?.variations} flush=${u.flush}
          played=${H(_,S)?.minimum}
          onTest=${e=>(w(e),E.send(h,e))} />
      </section>`}
    </div>
    <${re} overlay=${e} />
    <div class="alert-rest">
      <${he} settings=${d} change=${p} />
      <${rt} overlay=${e} settings=${d} change=${p} />
    </div>
    <p><${m} className="" label=${o(`alerts.delete`)} question=${o(`alerts.delete_sure`)}
      note=${o(`alerts.delete_note`)}
      act=${O} /></p>`}const at=({overlay_id:e,name:t})=>({value:String(e),label:t});function ot(){let{client:t,say:a,connected:c,parameters:l,setParameters:u}=s(),{value:d,error:p,reload:m}=f(async()=>(await t.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=g(null),y=()=>t.post(`/overlays`,{name:a(`alerts.first_name`),settings:{}}).then(e=>{v(null),u({overlay:String(e.overlay_id)}),m()},v);if(!d||d.length===0&&!c){let e=p??_;return r`<h1>${a(`nav.alerts`)}</h1>
      ${e?r`<${i} error=${e} onRetry=${m} />`:r`<${o} rows=${6} />`}`}let b=d.find(({overlay_id:e})=>String(e)===l.get(`overlay`))??d[0];return r`<div class="bar spread">
      <h1>${a(`nav.alerts`)}</h1>
      <div class="bar">
        ${d.length>1&&r`<${h} label=${a(`alerts.overlay`)} value=${String(b.overlay_id)}
          onChange=${e=>u({overlay:e.currentTarget.value})}
          options=${d.map(at)} />`}
        ${d.length>0&&r`<${n} onClick=${y}>${a(`alerts.another`)}<//>`}
      </div>
    </div>
    <${i} error=${_} />
    ${d.length===0?r`<${e}>${a(`alerts.empty`)}
          <${n} class="main" onClick=${y}>${a(`alerts.create`)}<//><//>`:r`<${it} key=${b.overlay_id} overlay=${b} reload=${m} />`}`}export{ot as View};