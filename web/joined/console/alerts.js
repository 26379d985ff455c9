
import{C as e,E as t,F as n,G as r,H as i,L as a,M as o,P as s,R as c,S as l,U as u,W as d,Y as f,a as p,g as m,j as h,q as g}from"./common.js";import{a as _,c as v,d as y,f as b,h as x,i as S,l as C,m as w,n as T,p as E,r as D,t as O,u as k}from"./settings.js";import{D as A,O as j}from"./first.js";import"./queue.js";import{t as M}from"./themes.js";const[N,P]=[6,3.4];function F(e,t,[n,r]){let i=new URL(e);return i.search=String(new URLSearchParams({"layer-name":t,"layer-width":String(n),"layer-height":String(r)})),i.href}function ee({page:e,name:t,size:n,address:r,isReady:a,onCopy:o}){let{say:s}=i(),[c,l]=n,u=Math.min(N/c,P/l),d=({dataTransfer:e})=>{if(!e)return;let i=F(r,t,n);e.setData(`text/uri-list`,i),e.setData(`text/plain`,i),e.effectAllowed=`copyLink`},p=f`<span class="outline" aria-hidden="true">
      <i class=${e||`alerts`} style=${{width:`${c*u}rem`,height:`${l*u}rem`}}></i></span>
    <strong>${t}</strong> <small>${c} × ${l}</small>`;return f`<li>
    ${a?f`<a class="source" href=${r} target="_blank" rel="noopener" draggable="true"
          onDragStart=${d}>${p}</a>`:f`<div class="source">${p}</div>`}
    <button aria-label=${`${s(`alerts.copy`)}: ${t}`} onClick=${o}>${s(`copy`)}</button>
  </li>`}const te=[{page:``,size:[1920,1080]},{page:`emotes`,size:[1920,1080]},{page:`goal`,size:[700,200]},{page:`goal2`,size:[700,200]},{page:`leaderboard`,size:[400,560]},{page:`recent`,size:[700,420]},{page:`ticker`,size:[1920,80]},{page:`pets`,size:[1920,320]}],I=(e,t)=>e===`goal2`?`${I(`goal`,t)}&second`:`${A}/overlay/${e&&`${e}/`}#${t}`,ne=e=>e?.focus();function re({overlay:e}){let{client:t,say:n,key:r}=i(),[s,c]=u(null),[l,p]=u(``),[m,h]=u(!1),[g,_]=u(null),[v,y]=u(``),b=o(),x=r!==``,S=(t,n)=>I(t,`overlay=${e.overlay_id}${n?`&token=${n}`:``}`);d(()=>y(``),[l]);let C=e=>n(e===``?`nav.alerts`:e===`emotes`?`alerts.emotes`:`widget.${e}`),w=async(t,r,i=!1)=>{try{await navigator.clipboard.writeText(S(t,r)),y(n(i?`alerts.token_copied`:`copied`,{name:e.name}))}catch{y(n(i?`alerts.token_created`:`alerts.copy_failed`,{name:e.name}))}},T=async()=>{h(!1),_(null);try{let{token:n}=await t.post(`/tokens`,{name:e.name.slice(0,100)});c(n),await w(l,n,!0)}catch(e){_(e)}},E=!x||s!==null,D=e=>(p(e),E?w(e,s):h(!0));return f`<section class="card addresses" aria-label=${n(`alerts.address`)}>
    <h2>${n(`alerts.address`)}</h2>
    <p>${n(E?`alerts.address_how`:`alerts.address_token`)}</p>
    <ul class="tiles">
      ${te.map(({page:e,size:t})=>f`<${ee} key=${e} page=${e} name=${C(e)} size=${t}
        address=${S(e,s)} isReady=${E} onCopy=${()=>D(e)} />`)}
    </ul>
    <p class="chosen-page"><strong>${C(l)}</strong>
      <code class="address">${S(l,s??(x?`…`:null))}</code></p>
    ${m&&f`<div class="question" role="group" aria-label=${n(`alerts.token_ask`)}>
      <p>${n(`alerts.token_ask`)}</p>
      <p class="bar">
        <button class="main" ref=${ne} onClick=${T} ...${b}>${n(`alerts.token_yes`)}</button>
        <button onClick=${()=>h(!1)}>${n(`cancel`)}</button>
      </p>
    </div>`}
    <p class="good" role="status">${v}</p>
    <${a} error=${g} />
  </section>`}const ie=[[1e4,`#ff5a6a`],[5e3,`#5aacff`],[1e3,`#3fe0c5`],[100,`#c08bff`]],ae=e=>ie.find(([t])=>e>=t)?.[1]??k.cheer,L=(e,t,n)=>e===`cheer`&&n===k.cheer?ae(t):n,R=[`subscriber`,`gift`,`cheer`,`raid`,`document`,...O.slice(4)],z={subscriber:[1,3,12,60],gift:[1,5,20,50],cheer:[1,100,1e3,1e4],raid:[1,42,100,1e3],purchase:[1,400,5e3,5e4]},B=e=>e in z,V=e=>z[e]?.[1]??1;function oe(e,t){let n=[t,...t.variations].map(({minimum:e})=>e).filter(e=>e>0);return[.../* @__PURE__ */ new Set([...z[e],...n])].sort((e,t)=>e-t)}const H={subscriber:[`name`,`months`,`tier`,`message`],gift:[`name`,`amount`,`tier`],cheer:[`name`,`amount`,`message`],raid:[`name`,`amount`],follow:[`name`],redemption:[`name`,`title`,`message`],purchase:[`name`,`title`,`price`,`message`],notice:[`message`],document:[`name`,`message`],plain:[`name`,`message`],stamp:[`type`]},se={giver:{user_id:`1`,user_name:`Ann`},tier:1},ce={subscriber:`resubscribed`,gift:`gifts`,document:`letter`},le=e=>ce[e]??e,U=(e,t)=>e.alerts[t];function W(e,t,n){let r={user_name:`Ann`},i=n(`sample.${e}`);switch(e){case`subscriber`:return{...r,event_type:`subscriber`,tier:1,subscribed_length:t,message:i};case`gift`:return{...r,event_type:`plain`,message:`-`,reference:`test`,details:{...se,total:t}};case`cheer`:return{...r,event_type:`cheer`,amount:t,message:i};case`raid`:return{...r,event_type:`raid`,viewer_count:t};case`follow`:return{...r,event_type:`plain`,message:`Ann followed the channel.`,source:`twitch/channel.follow`};case`redemption`:{let e=n(`sample.reward`),t={title:e,cost:100};return{...r,event_type:`plain`,message:`${e} (100 points): ${i}`,source:`twitch/channel.channel_points_custom_reward_redemption.add`,details:t}}case`purchase`:return{purchase:{...r,name:n(`sample.product`),price:t,quantity:1,answer:null}};case`notice`:{let e={level:4,total:12300};return{...r,event_type:`plain`,message:`A hype train ended.`,source:`twitch/channel.hype_train.end`,details:e}}case`document`:return{...r,event_type:`plain`,message:i,details:{sample:`letter`}};default:return{...r,event_type:`plain`,message:i}}}const ue=(e,t,n)=>e===`stamp`?{stamp_id:1,document_id:1,stamp_type:`heart`,pos_x:0,pos_y:0,rotation:0}:W(e,t,n),G=(e,t)=>e.variations.find(({minimum:e})=>t>=e);function de({kind:e,rule:t,amount:n,setAmount:r}){let{say:a}=i(),o=oe(e,t),s=Math.max(0,o.filter(e=>e<=n).length-1),c=G(t,n),l=a(`kind.${e}`),u=c?a(`alerts.variation_of`,{kind:l,minimum:c.minimum}):l,d=e=>t.variations.some(({minimum:t})=>t===e);return f`<div class="amount-slider">
    <label>
      <span>${a(`alerts.test_amount`)} <strong>${a.number(n)}</strong></span>
      <input type="range" min="0" max=${o.length-1} step="1" value=${s}
        aria-valuetext=${`${a.number(o[s])}: ${u}`}
        onInput=${e=>r(o[Number(e.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${o.map(e=>f`<span key=${e} class=${d(e)?`minimum`:``}>${a.compact(e)}</span>`)}
    </div>
    ${t.variations.length>0&&f`<p class="played">
      <span class="swatch" style=${{background:L(e,n,(c??t).color)}}></span>
      ${a(`alerts.plays`)} <strong>${u}</strong></p>`}
  </div>`}function fe({settings:e,selected:t,onSelect:n,onEnable:r}){let{say:a}=i();return f`<section class="card alert-list" aria-label=${a(`alerts.list`)}>
    <ul>
      ${R.map(i=>f`<${pe} key=${i} kind=${i} rule=${U(e,i)} settings=${e}
        isSelected=${i===t} onSelect=${n} onEnable=${r} />`)}
    </ul>
  </section>`}function pe({kind:e,rule:t,settings:r,isSelected:a,onSelect:s,onEnable:c}){let{say:l}=i(),u=l(`kind.${e}`),d=l(`alerts.seconds`,{many:(t.duration??r.duration)/1e3}),p=t.sound===`none`?``:` · ♪ ${l(`sound.${t.sound}`)}`,m=t.variations.map(({minimum:e})=>`≥\u00a0${l.number(e)}`).reverse();return f`<li class=${t.enabled?``:`off`}>
    <input type="checkbox" checked=${t.enabled} aria-label=${l(`alerts.enabled_of`,{kind:u})}
      onChange=${t=>c(e,t.currentTarget.checked)} ...${o()} />
    <button aria-current=${a?`true`:void 0} onClick=${()=>s(e)}>
      <${n} name=${e} />
      <span class="alert-name">${u}</span>
      <span class="swatch" style=${{background:t.color}}></span>
      <small>${t.enabled?`${d}${p}`:l(`alerts.off`)}</small>
      ${m.length>0&&f`<small>${m.join(` · `)}</small>`}
    </button>
  </li>`}function K({label:e,accept:t,onFile:n,...r}){return f`<label class=${`file-button ${r.disabled?`disabled`:``}`}>
    ${e}<input type="file" accept=${t} onChange=${({currentTarget:e})=>{let[t]=e.files;e.value=``,t&&n(t)}} ...${r} />
  </label>`}function me({isSet:e,onChange:t}){let{say:n}=i(),[r,a]=u(``);return f`<div class="bar">
    <${K} label=${n(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){a(n(`alerts.sound_too_long`));return}a(``);let r=new FileReader;r.addEventListener(`load`,()=>t(r.result)),r.readAsDataURL(e)}} ...${o()} />
    ${e&&f`<${h} onClick=${()=>t(void 0)}>${n(`alerts.remove_sound`)}<//>`}
    ${r&&f`<p class="error" role="alert">${r}</p>`}
  </div>`}const he=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function ge({settings:n,change:r}){let{say:a}=i(),o=(e,n,i,o)=>f`<${t} label=${a(e)} type="number" value=${i} ...${o} onCommit=${e=>r([n],e===``?void 0:Number(e))} />`,s=(t,n,i,o)=>f`<${e} label=${a(t)} value=${i} options=${o} onChange=${e=>r([n],e.currentTarget.value)} />`,c=S.map(e=>({value:e,label:a(`size.${e}`)}));return f`<section class="card">
    <h2>${a(`alerts.look`)}</h2>
    <div class="fields">
      ${o(`alerts.scale`,`scale`,n.scale,{min:.25,max:4,step:.05})}
      ${s(`alerts.largest_size`,`largest_size`,n.largestSize,c)}
      ${o(`alerts.margin`,`margin`,n.margin,{min:0,max:20,step:1})}
      ${o(`alerts.duration`,`duration`,n.duration/1e3,{min:1,max:60,step:.5})}
      ${o(`alerts.delay`,`delay`,n.delay/1e3,{min:0,max:600,step:1})}
      ${o(`alerts.max_age`,`max_age`,n.maxAge/1e3,{min:1,max:86400,step:1})}
      ${s(`settings.language`,`lang`,n.lang,[{value:``,label:a(`alerts.browser`)},...he])}
    </div>
    <${me} isSet=${n.customSound!==null}
      onChange=${e=>r([`custom_sound`],e)} />
  </section>`}const _e=[`dark`,`bright`,`own`],q=`preview`,[J,Y]=[800,450];async function ve(e){let t=await createImageBitmap(e),n=Object.assign(document.createElement(`canvas`),{width:J,height:Y}),r=Math.max(J/t.width,Y/t.height),[i,a]=[t.width*r,t.height*r];return n.getContext(`2d`).drawImage(t,(J-i)/2,(Y-a)/2,i,a),n.toDataURL(`image/jpeg`,.8)}function ye(){let[e,t]=u(`dark`),[n,r]=u(j.get(q));return{name:e,setName:t,picture:n,read:async e=>{let n=await ve(e);j.set(q,n),r(n),t(`own`)}}}function be({background:{name:e,setName:t,picture:n,read:r}}){let{say:a}=i(),[o,s]=u(!1);return f`<fieldset class="backgrounds">
    <legend>${a(`alerts.background`)}</legend>
    ${_e.filter(e=>e!==`own`||n).map(n=>f`<label key=${n}>
        <input type="radio" name="background" checked=${n===e} onChange=${()=>t(n)} />
        ${a(`alerts.background.${n}`)}</label>`)}
    <${K} label=${a(n?`alerts.background.other`:`alerts.background.choose`)}
      accept="image/*" onFile=${e=>{s(!1),r(e).catch(()=>s(!0))}} />
    ${o&&f`<span class="bad" role="alert">${a(`alerts.picture_wrong`)}</span>`}
  </fieldset>`}const xe={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Se=e=>Math.min(2,Math.max(0,e));function Ce(e){let{say:t}=i(),n=x(e);return n?t(`position.${n}`):t(`alerts.place_at`,{x:e.x,y:e.y})}function we({place:e,onMove:t}){let{say:n}=i(),r=g(null),a=x(e),o=a??E[0];return f`<div class="place-choice">
    <div class="pad" ref=${r} role="radiogroup" aria-label=${n(`alerts.position`)} onKeyDown=${e=>{let n=xe[e.key];if(!n)return;e.preventDefault();let i=E.indexOf(o),a=Se(Math.floor(i/3)+n[1])*3+Se(i%3+n[0]);t(w(E[a])),r.current.children[a].focus()}}>
      ${E.map(e=>f`<button key=${e} role="radio" aria-checked=${e===a}
    tabindex=${e===o?0:-1} aria-label=${n(`position.${e}`)}
    onClick=${()=>t(w(e))}></button>`)}
    </div>
    <p><strong>${n(`alerts.position`)}: ${Ce(e)}</strong><br />
      <span class="quiet">${n(`alerts.place`)}</span></p>
  </div>`}const X=[0,50,100],Z=e=>Math.min(100,Math.max(0,Math.round(e*10)/10));function Te(e,t,n){let r=Math.min(e.width,e.height)*n/100;return{inset:r,x:Math.max(0,e.width-2*r-t.width),y:Math.max(0,e.height-2*r-t.height)}}function Ee(e,t){return X.find(n=>Math.abs((e-n)/100*t)<=8)??Z(e)}function De(e,t,n){let r=r=>t[r]>0?Ee(Z(e[r]+n[r]/t[r]*100),t[r]):e[r];return{x:r(`x`),y:r(`y`)}}const Oe=(e,t,n)=>({x:Z(e.x+t),y:Z(e.y+n)}),ke=(e,t)=>({left:t.inset+t.x*e.x/100,top:t.inset+t.y*e.y/100}),Ae=({x:e,y:t})=>({x:X.includes(e)?e:null,y:X.includes(t)?t:null}),je={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Me={width:.4,height:.24};function Ne(e){let t=e?.contentDocument?.querySelector(`.alert:not(.leaving)`);if(!t)return null;let n=getComputedStyle(t),r=(...e)=>e.reduce((e,t)=>e+parseFloat(t),0),{offsetWidth:i,offsetHeight:a}=t;return{width:r(String(i),n.marginLeft,n.marginRight),height:r(String(a),n.marginTop,n.marginBottom)}}function Pe({frame:e,settings:{place:t,margin:n},onDrag:r,onMove:a}){let{say:o}=i(),s=g(null),c=g(null),[l,d]=u(null),[,p]=u(0),m=()=>{c.current=Ne(e.current)??c.current,p(e=>e+1)},{clientWidth:h=0,clientHeight:_=0}=s.current??{},v={width:h,height:_},y=c.current??{width:h*Me.width,height:_*Me.height},b=Te(v,y,n),x=l?.place??t,S=e=>{e.button===0&&(m(),s.current.setPointerCapture(e.pointerId),d({place:t,x:e.clientX,y:e.clientY,hasMoved:!1}))},C=e=>{if(!l)return;let n={x:e.clientX-l.x,y:e.clientY-l.y},i=l.hasMoved||Math.hypot(n.x,n.y)>3;if(!i)return;let a=De(t,b,n);d({...l,place:a,hasMoved:i}),r(a)},w=e=>{if(!l)return;if(d(null),l.hasMoved)return a(l.place);let{left:n,top:r}=s.current.getBoundingClientRect(),i=ke(t,b),o={x:e.clientX-n-i.left-y.width/2,y:e.clientY-r-i.top-y.height/2};return Math.abs(o.x)<y.width/2&&Math.abs(o.y)<y.height/2?void 0:a(De(t,b,o))},T=e=>{let n=je[e.key];if(!n)return;e.preventDefault();let[r,i]=n.map(t=>t*(e.shiftKey?10:1));a(Oe(t,r,i))},{left:E,top:D}=ke(x,b),O={left:`${E}px`,top:`${D}px`,width:`${y.width}px`,height:`${y.height}px`},k=Ce(x);return f`<div class=${`places ${l?.hasMoved?`dragging`:``}`} ref=${s} onPointerEnter=${m}
    onPointerDown=${S} onPointerMove=${C} onPointerUp=${w} onPointerCancel=${()=>d(null)}>
    <div class="safe" style=${{inset:`${b.inset}px`}}>
      <${Fe} on=${l?.hasMoved?Ae(x):{x:null,y:null}} />
    </div>
    <button class=${`handle ${x.y>50?`low`:``}`} style=${O} onFocus=${m} onKeyDown=${T}
      aria-label=${`${o(`alerts.move`)}: ${k}`}><span>${k}</span></button>
  </div>`}function Fe({on:e}){let t=t=>[0,50,100].map(n=>{let r=e[t]===n?`on`:``;return f`<i key=${`${t}${n}`} class=${`guide ${t} at-${n} ${r}`}></i>`});return[...t(`x`),...t(`y`)]}function Ie(e,t,n){let{alerts:r={}}=e,i=r[t]??{},a=n?{}:{duration:60},o={...i,enabled:!0,...`duration`in i?a:{}};return{...e,...a,alerts:{...r,[t]:o}}}function Le(e){let{overlay:t,values:n,settings:r,kind:a,rule:o,amount:s,setAmount:c}=e,{plays:l,play:p,test:m,muted:_,onMove:v,onEnable:y}=e,{say:b}=i(),x=g(null),S=ye(),[C,w]=u(!1),T=g(l);d(()=>{let e=({source:e,data:t})=>{e===x.current?.contentWindow&&t===`ready`&&w(!0)};return addEventListener(`message`,e),()=>removeEventListener(`message`,e)},[]);let{place:E,position:D,...O}=n,k=e=>x.current.contentWindow.postMessage(e,location.origin),j=e=>({settings:Ie(n,a,e),muted:_||!e,data:ue(a,s,b)});d(()=>{if(!C)return;let e=T.current!==l,t=setTimeout(()=>{T.current=l,k(j(e))},e?0:250);return()=>clearTimeout(t)},[C,JSON.stringify(O),a,s,l,_]);let M=e=>{let t=j(!1);k({...t,settings:{...t.settings,place:e},isMove:!0})};d(()=>C?M(r.place):void 0,[C,r.place.x,r.place.y]);let N=S.name===`own`?{backgroundImage:`url("${S.picture}")`}:{},P=B(a)&&s<o.minimum,F=b(`kind.${a}`);return f`<section class="alert-preview" aria-label=${b(`alerts.preview`)}>
    <div class=${`scene ${S.name}`} style=${N}>
      <iframe ref=${x} src=${`${A}/overlay/preview/#overlay=${t.overlay_id}`}
        title=${b(`alerts.preview`)} tabindex="-1"></iframe>
      <${Pe} frame=${x} settings=${r} onDrag=${M} onMove=${v} />
    </div>
    <div class="card">
      <div class="bar">
        <button onClick=${p}>▶ ${b(`alerts.play`)}</button>
        ${a!==`stamp`&&f`<${h} class="main" aria-label=${b(`alerts.test_of`,{kind:F})}
          onClick=${()=>m.send(a,s)}>${b(`alerts.test`)}<//>`}
      </div>
      ${B(a)&&f`<${de} kind=${a} rule=${o} amount=${s} setAmount=${c} />`}
      <p class="bar alert-note" role="status">
        ${m.note||P&&b(`alerts.below`,{minimum:o.minimum})}
        ${m.off&&f`<${h} onClick=${()=>y(m.off??``)}>${b(`alerts.turn_on`)}<//>`}
      </p>
      <${we} place=${r.place} onMove=${v} />
      <${be} background=${S} />
    </div>
  </section>`}const Re={bell:[[1,.3,`sine`,1],[2.76,.1,`sine`,.55],[5.4,.045,`sine`,.3]],pluck:[[1,.26,`triangle`,1],[2,.1,`sine`,.6],[4,.05,`sine`,.25]],brass:[[1,.09,`sawtooth`,1],[1.006,.08,`sawtooth`,1],[.5,.12,`triangle`,1]],water:[[1,.36,`sine`,1],[1.5,.1,`triangle`,.5]]},ze={chime:{instrument:`bell`,attack:.004,notes:[[880,0,1.1],[1318.5,.12,1.2],[1760,.24,1.6]]},coin:{instrument:`pluck`,attack:.002,notes:[[987.8,0,.16],[1318.5,.085,.65],[2637,.085,.4]]},fanfare:{instrument:`brass`,attack:.03,notes:[[523.3,0,.2],[659.3,.15,.2],[784,.3,.22],[1046.5,.46,1.1],[784,.46,1.1],[659.3,.46,1.1]]},drop:{instrument:`water`,attack:.003,bend:.45,notes:[[760,0,.18],[560,.13,.4]]}};let Be=null;function Ve(e){let t=e.createBuffer(2,.9*e.sampleRate,e.sampleRate);for(let e of[0,1]){let n=t.getChannelData(e);for(let e=0;e<n.length;e+=1)n[e]=(Math.random()*2-1)*(1-e/n.length)**3}return t}function He(e,t){let n=new GainNode(e,{gain:t}),r=new ConvolverNode(e,{buffer:Ve(e)});return n.connect(e.destination),n.connect(r).connect(new GainNode(e,{gain:.22})).connect(e.destination),n}async function Ue({sound:e,volume:t},n){try{if(e===`none`||t===0||e===`custom`&&!n)return;let r=Be??=new AudioContext;r.resume().catch(()=>{}),e===`custom`?await We(r,t,n??``):Ge(r,He(r,t),ze[e])}catch{}}async function We(e,t,n){let r=Uint8Array.from(atob(n.split(`,`)[1]),e=>e.charCodeAt(0)),i=new AudioBufferSourceNode(e,{buffer:await e.decodeAudioData(r.buffer)});i.connect(new GainNode(e,{gain:t})).connect(e.destination),i.start()}function Ge(e,t,{instrument:n,attack:r,bend:i,notes:a}){for(let[o,s,c]of a)for(let[a,l,u,d]of Re[n]){let n=e.currentTime+s,f=n+c*d,p=new OscillatorNode(e,{frequency:o*a,type:u});i&&p.frequency.exponentialRampToValueAtTime(o*a*i,f);let m=new GainNode(e,{gain:0});m.gain.setValueAtTime(0,n),m.gain.linearRampToValueAtTime(l,n+r),m.gain.exponentialRampToValueAtTime(8e-4,f),p.connect(m).connect(t),p.start(n),p.stop(f)}}function Ke({own:e,automatic:n,onCommit:r}){let{say:a}=i();return f`<div class="color">
    <${t} label=${a(`alerts.color`)} type="color" value=${e??n} onCommit=${r} />
    ${e?f`<button class="quiet" onClick=${({currentTarget:e})=>{e.parentElement.querySelector(`input`).focus(),r(void 0)}}>${a(`alerts.color_reset`)}</button>`:f`<small class="quiet">${a(`alerts.color_automatic`)}</small>`}
  </div>`}const qe=[`image/png`,`image/jpeg`,`image/gif`,`image/webp`],Je=e=>new Promise((t,n)=>{let r=new FileReader;r.onload=()=>t(r.result),r.onerror=()=>n(r.error),r.readAsDataURL(e)});function Ye(e){let{client:t}=i();return{upload:async e=>{let n={document_data:await Je(e),seal:0,metadata:`alert`},{document_id:r,document_data:i}=await t.post(`/documents`,n);return{document_id:r,url:i}},forget:async n=>{let r=n.flatMap(e=>e?.document_id??[]);await e()&&await Promise.all(r.map(e=>t.delete(`/documents/${e}`).catch(()=>{})))}}}function Xe({picture:e,hint:t,change:n,flush:r}){let{say:s}=i(),{upload:c,forget:l}=Ye(r),[d,p]=u(null),[m,g]=u(``),[_,v]=u(!1),y=t=>(n([`picture`],t),l([e])),b=async e=>{if(p(null),!qe.includes(e.type)||e.size>2097152)return g(s(`alerts.picture_wrong`));g(s(`alerts.picture_loading`));try{await y(await c(e))}catch(e){p(e)}return g(``)},x=e=>{e.preventDefault(),v(e.type===`dragover`)};return f`<div class=${`own-picture ${_?`over`:``}`} onDragOver=${x} onDragLeave=${x}
    onDrop=${e=>{x(e);let t=e.dataTransfer?.files[0];t&&b(t)}}>
    ${e&&f`<img src=${e.url} alt=${s(`alerts.picture`)} />`}
    <div class="bar">
      <${K} label=${s(`alerts.picture`)} accept=${qe.join(`,`)} onFile=${b}
        ...${o()} />
      ${e&&f`<${h} onClick=${()=>y(void 0)}>${s(`alerts.picture_remove`)}<//>`}
    </div>
    <span class="quiet">${t}</span>
    <span role="status">${m}</span>
    <${a} error=${d} />
  </div>`}const Q=(e,t,n)=>n.map(n=>({value:n,label:e(`${t}.${n}`)})),Ze=(e,t,n,r)=>[{value:``,label:e(r)},...Q(e,t,n)],Qe=e=>y.filter(t=>t!==`custom`||e.customSound),$e=(e,t)=>Q(e,`sound`,Qe(t));function et(e){CSS.supports(`field-sizing`,`content`)||(e.style.height=`0`,e.style.height=`${e.scrollHeight+2}px`)}const tt=(e,t)=>[...e.matchAll(/\{(\w+)\}/g)].filter(([,e])=>!H[t].includes(e)).map(([e])=>e);function nt({kind:e,value:t,placeholder:n,onType:a,onCommit:o,hasChips:s=!1}){let{say:c}=i(),l=g(null),d=tt(t,e),[p,m]=u(null),h=p??t;r(()=>et(l.current),[h,n]);let _=e=>{m(null),o(e)},v=({currentTarget:e})=>{let t=e.value.replace(/\s*\n\s*/g,` `);m(t),a(t)},y=e=>{let t=l.current;t.value===``&&(t.value=`${n} `);let{selectionStart:r,selectionEnd:i}=t;t.setRangeText(`{${e}}`,r,i,`end`),t.focus(),_(t.value.slice(0,300))};return f`<div class="template">
    <label class="field"><span>${c(`alerts.text`)}</span>
      <textarea ref=${l} rows="1" maxlength=${300} value=${h} placeholder=${n}
        onInput=${v} onBlur=${()=>p!==null&&_(p)}></textarea>
    </label>
    ${d.length>0&&f`<p class="bad" role="status">
      ${c(`alerts.unknown_placeholder`,{many:d.length,names:d.join(`, `)})}</p>`}
    ${s&&f`<ul class="placeholders" aria-label=${c(`alerts.placeholders`)}>
      ${H[e].map(t=>{let n=c(t===`amount`?`placeholder.amount.${e}`:`placeholder.${t}`);return f`<li key=${t}>
          <button onClick=${()=>y(t)}><code>${`{${t}}`}</code> ${n}</button></li>`})}
    </ul>`}
  </div>`}function rt({kind:e,rule:r,values:a,settings:o,amount:s,change:c,show:l,flush:u}){let{say:d}=i(),p=a.alerts?.[e]??{},m=(e,n,r,i={})=>{let a=[`number`,`range`].includes(i.type);return f`<${t} label=${d(e)} value=${r} ...${i} onCommit=${e=>c([n],e===``?void 0:a?Number(e):e)} />`},h=d.template(`overlay.${le(e)}`,{amount:e===`purchase`?1:2}),g={type:`number`,min:1,max:60,step:.5,placeholder:String(o.duration/1e3)},_={type:`number`,min:0,step:1},v=Ze(d,`theme`,b,`alerts.theme.overlay`),y=(e,t,n)=>f`<label class="check"><input type="checkbox" checked=${n}
      onChange=${t=>c([e],t.currentTarget.checked)} />${t}</label>`;return f`<section class="card alert-properties" aria-label=${d(`kind.${e}`)}>
    <h2><${n} name=${e} /> ${d(`kind.${e}`)}</h2>
    <p>${y(`enabled`,d(`alerts.enabled`),r.enabled)}</p>
    ${e===`document`&&!o.hasLetterRule&&f`<p class="quiet">${d(`alerts.letters_how`)}</p>`}
    <${nt} kind=${e} value=${r.text} placeholder=${h} hasChips
      onType=${e=>l([`text`],e)}
      onCommit=${e=>c([`text`],e||void 0)} />
    <div class="fields">
      ${B(e)&&m(`alerts.minimum.${e}`,`minimum`,r.minimum||``,_)}
      ${m(`alerts.theme`,`theme`,p.theme??``,{options:v})}
      <${Ke} own=${p.color} automatic=${L(e,s,k[e])}
        onCommit=${e=>c([`color`],e)} />
      ${m(`alerts.animation`,`animation`,r.animation,{options:Q(d,`animation`,C)})}
      ${m(`alerts.duration`,`duration`,r.duration===null?``:r.duration/1e3,g)}
      ${m(`alerts.sound`,`sound`,r.sound,{options:$e(d,o)})}
      ${m(`alerts.volume`,`volume`,r.volume,{type:`range`,min:0,max:1,step:.05})}
      <button onClick=${()=>Ue(r,o.customSound)} disabled=${r.sound===`none`}>
        ♪ ${d(`alerts.listen`)}</button>
    </div>
    <p>${y(`speak`,d(`alerts.speak`),r.speak)}</p>
    <${Xe} picture=${p.picture} change=${c} flush=${u}
      hint=${`${d(`alerts.picture_how`)}${e===`document`?`. ${d(`alerts.picture_letter`)}`:``}`} />
  </section>`}function $(e,[t,...n],r){if(Array.isArray(e))return e.map((e,i)=>String(i)===t?$(e,n,r):e);let{[t]:i,...a}=e??{},o=n.length>0?$(i&&typeof i==`object`?i:{},n,r):r;return o===void 0?a:{...a,[t]:o}}function it(e){let{client:t,subscribe:n}=i(),r=`/overlays/${e.overlay_id}`,[a,o]=u(e.settings??{}),[s,c]=u({paused:e.paused,muted:e.muted}),[l,f]=u(``),[p,m]=u(null),h=g(a),_=g(null),y=g(null),b=g(/* @__PURE__ */ new Set),x=g(0),S=async e=>{x.current+=1;let n=x.current;f(`alerts.saving`),e.settings&&b.current.add(JSON.stringify(e.settings));try{return await t.patch(r,e),m(null),n===x.current&&!_.current&&f(`alerts.saved`),!0}catch(e){return f(``),m(e),!1}},C=()=>(clearTimeout(y.current),_.current=null,S({settings:h.current}));return d(()=>()=>{clearTimeout(y.current),_.current&&t.patch(r,{settings:_.current}).catch(()=>{})},[]),d(()=>n(({type:e,subject:t,data:n})=>{e===`overlay.updated`&&`/${t}`===r&&n&&(c({paused:n.paused,muted:n.muted}),_.current||b.current.has(JSON.stringify(n.settings))||(h.current=n.settings??{},o(h.current)))}),[]),{path:r,values:a,settings:v(a),flags:s,state:l,error:p,setError:m,change:(e,t)=>{let n=$(h.current,e,t);h.current=n,o(n),_.current=n,f(`alerts.saving`),clearTimeout(y.current),y.current=setTimeout(C,300)},show:(e,t)=>o($(h.current,e,t||void 0)),flush:C,toggle:e=>{c({...s,[e]:!s[e]}),S({[e]:!s[e]})}}}function at({settings:e,flags:t},n){let{client:r,say:a}=i(),[o,s]=u({note:``,off:null}),c=(e,t=null)=>s({note:e,off:t}),l=async(i,o)=>{let{enabled:s,minimum:l}=U(e,i);if(n(),!s)return c(a(`alerts.is_off`,{kind:a(`kind.${i}`)}),i);if(B(i)&&o<l)return c(a(`alerts.below`,{minimum:l}));c(`…`);try{return await r.post(`/alerts`,{test:W(i,o,a)}),c(a(t.paused?`alerts.sent_paused`:await p(r)))}catch(e){let t=e;return c(t.isRetryable?a(`unreachable`):t.detail??t.message)}};return{...o,send:l,clear:()=>c(``)}}function ot({kind:e,rule:t,settings:n,raw:r,played:a,change:o,show:s,flush:c,onTest:l}){let{say:u}=i(),{forget:d}=Ye(c),p=Array.isArray(r)?r:[],m=Math.max(t.minimum,V(e),...p.map(({minimum:e})=>Number(e)||0)),g=p.map((e,t)=>({variation:e,index:t}));g.sort((e,t)=>e.variation.minimum-t.variation.minimum);let _=()=>o([`variations`],[...p,{minimum:m*10}]),v=e=>{o([`variations`],p.filter((t,n)=>n!==e)),d([p[e].picture])};return f`<h2>${u(`alerts.variations`)}</h2>
    ${g.map(({variation:r,index:i})=>f`<${st} key=${i} kind=${e} variation=${r} rule=${t}
        settings=${n} flush=${c} played=${a} onTest=${l} onRemove=${()=>v(i)}
        change=${(e,t)=>o([`variations`,String(i),...e],t)}
        show=${(e,t)=>s([`variations`,String(i),...e],t)} />`)}
    ${p.length<20&&f`<${h} class="add" onClick=${_}>+ ${u(`alerts.add_variation`)}<//>`}`}function st({kind:e,variation:n,rule:r,settings:a,played:o,change:s,show:c,flush:l,onRemove:u,onTest:d}){let{say:p}=i(),m=p(`alerts.variation_of`,{kind:p(`kind.${e}`),minimum:n.minimum}),g=e=>t=>s([e],t||void 0),_=(e,r)=>{let i=Ze(p,e,r,`alerts.as_alert`);return f`<${t} label=${p(`alerts.${e}`)} value=${n[e]??``} options=${i}
      onCommit=${g(e)} />`},v=e=>Number(e)>0&&s([`minimum`],Number(e)),y=Number(n.minimum)===o;return f`<section class=${`card variation ${y?`played`:``}`} aria-label=${m}>
    <div class="bar spread">
      <h3>${m} ${y&&f`<small>${p(`alerts.in_preview`)}</small>`}</h3>
      <${h} aria-label=${p(`alerts.test_of`,{kind:m})} onClick=${()=>d(n.minimum)}>
        ${p(`alerts.test`)}<//></div>
    <${nt} kind=${e} value=${n.text??``} placeholder=${r.text||p(`alerts.as_alert`)}
      onType=${e=>c([`text`],e)} onCommit=${g(`text`)} />
    <div class="fields">
      <${t} label=${p(`alerts.minimum.${e}`)} type="number" min="1" step="1" value=${n.minimum}
        onCommit=${v} />
      <${Ke} own=${n.color} automatic=${L(e,n.minimum,r.color)}
        onCommit=${e=>s([`color`],e)} />
      ${_(`theme`,b)} ${_(`sound`,Qe(a))} ${_(`animation`,C)}
    </div>
    <${Xe} picture=${n.picture} hint=${p(`alerts.picture_how`)} change=${s} flush=${l} />
    <${h} class="quiet bad" aria-label=${`${p(`alerts.remove_variation`)}: ${m}`} onClick=${u}>
      ${p(`alerts.remove_variation`)}<//>
  </section>`}function ct({overlay:n,settings:r,change:a}){let{say:o,parameters:s,setParameters:c}=i(),{leaderboard:l,recent:u,ticker:p,pets:m}=r,h=(e,n,r,i)=>f`<${t} label=${o(e)} type="number" step="1" value=${r} ...${i}
      onCommit=${e=>a(n,e===``?void 0:Number(e))} />`,v=(t,n,r,i,s)=>f`<${e} label=${o(t)} value=${r} options=${Q(o,i,s)}
      onChange=${e=>a(n,e.currentTarget.value)} />`,y=n=>{let i=r[n];return f`${v(`goal.what`,[n,`of`],i.of,`goal`,D)}
      ${h(`goal.target`,[n,`target`],i.target,{min:1})}
      ${h(`goal.start`,[n,`start`],i.start,{min:0})}
      <${t} label=${o(`goal.name`)} value=${i.title} maxlength="100" onCommit=${e=>a([n,`title`],e||void 0)} />
      <${e} label=${o(`goal.since`)} type="date" value=${i.since?.slice(0,10)??``} onChange=${({currentTarget:{value:e}})=>a([n,`since`],e?`${e}T00:00:00Z`:void 0)} />`},b={goal:y(`goal`),goal2:y(`goal2`),leaderboard:f`${v(`board.what`,[`leaderboard`,`board`],l.board,`board`,T)}
      ${v(`board.period`,[`leaderboard`,`period`],l.period,`period`,_)}
      ${h(`board.limit`,[`leaderboard`,`limit`],l.limit,{min:3,max:10})}`,recent:h(`recent.limit`,[`recent`,`limit`],u.limit,{min:1,max:10}),ticker:h(`ticker.limit`,[`ticker`,`limit`],p.limit,{min:1,max:30}),pets:f`${h(`pets.limit`,[`pets`,`limit`],m.limit,{min:1,max:30})}
      <label class="check"><input type="checkbox" checked=${m.names}
        onChange=${e=>a([`pets`,`names`],e.currentTarget.checked)} />
        ${o(`pets.names`)}</label>`},x=Object.keys(b),S=x.includes(s.get(`widget`))?s.get(`widget`):x[0],C=g(null);return d(()=>{s.has(`widget`)&&C.current?.scrollIntoView()},[]),f`<section class="card widgets" ref=${C} aria-label=${o(`alerts.widgets`)}>
    <h2>${o(`alerts.widgets`)}</h2>
    <div class="bar" role="group" aria-label=${o(`alerts.widgets`)}>
      ${x.map(e=>f`<button key=${e} aria-pressed=${e===S}
        onClick=${()=>c({widget:e})}>${o(`widget.${e}`)}</button>`)}
    </div>
    <div class="fields" key=${S}>${b[S]}</div>
    <iframe key=${`${S} frame`} class=${S} src=${I(S,`overlay=${n.overlay_id}`)}
      title=${o(`widget.${S}`)} loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${o(S===`pets`?`pets.how`:`widget.live`)}</p>
  </section>`}function lt({overlay:e,reload:t}){let{client:n,say:r,parameters:o,setParameters:s}=i(),c=it(e),{settings:d,flags:p,change:m}=c,g=R.includes(o.get(`kind`))?o.get(`kind`):R[0],_=U(d,g),[v,y]=u({}),[b,S]=u(0),C=v[g]??Math.max(V(g),_.minimum),w=e=>y({...v,[g]:e}),T=()=>S(e=>e+1),E=at(c,T),D=e=>{s({kind:e}),E.clear()},O=async()=>{let e=Object.values(d.alerts).flatMap(e=>[e.picture,...e.variations.map(({picture:e})=>e)]),r=new Set(e.flatMap(e=>e?.document_id??[]));try{await n.delete(c.path),await Promise.all([...r].map(e=>n.delete(`/documents/${e}`).catch(()=>{}))),t()}catch(e){c.setError(e)}},k=e=>{let t=x(e);t&&m([`position`],t),m([`place`],t?void 0:e)},A=(e,t)=>m([`alerts`,e,`enabled`],t),j=(e,t,n)=>f`<${h} aria-pressed=${p[e]} onClick=${()=>c.toggle(e)}>
      ${r(p[e]?n:t)}
    <//>`,N=(e,t)=>m([`alerts`,g,...e],t),P=(e,t)=>c.show([`alerts`,g,...e],t);return f`<div class="bar alert-bar">
      ${j(`paused`,`queue.pause`,`queue.resume`)} ${j(`muted`,`alerts.mute`,`alerts.unmute`)}
      <span class="quiet" role="status">${c.state&&r(c.state)}</span>
    </div>
    <${a} error=${c.error} onRetry=${c.error&&c.flush} />
    <section class="card alert-theme">
      <${M} theme=${d.theme} onChange=${e=>m([`theme`],e)} />
    </section>
    <div class="alert-editor">
      <${fe} settings=${d} selected=${g} onSelect=${D} onEnable=${A} />
      <${Le} overlay=${e} values=${c.values} settings=${d} kind=${g} rule=${_}
        amount=${C} setAmount=${w} plays=${b} play=${T} test=${E} muted=${p.muted}
        onMove=${k}
        onEnable=${e=>(A(e,!0),E.clear())} />
      <${rt} key=${g} kind=${g} rule=${_} values=${c.values} settings=${d}
        amount=${C} change=${N} show=${P} flush=${c.flush} />
      ${B(g)&&f`<section class="alert-variations" aria-label=${r(`alerts.variations`)}>
        <${ot} key=${`variations ${g}`} kind=${g} rule=${_} settings=${d}
          change=${N} show=${P} raw=${c.values.alerts?.[g]?.variations} flush=${c.flush}
          played=${G(_,C)?.minimum}
          onTest=${e=>(w(e),E.send(g,e))} />
      </section>`}
    </div>
    <${re} overlay=${e} />
    <div class="alert-rest">
      <${ge} settings=${d} change=${m} />
      <${ct} overlay=${e} settings=${d} change=${m} />
    </div>
    <p><${l} className="bad" label=${r(`alerts.delete`)} question=${r(`alerts.delete_sure`)}
      note=${r(`alerts.delete_note`)}
      act=${O} /></p>`}const ut=({overlay_id:e,name:t})=>({value:String(e),label:t});function dt(){let{client:t,say:n,connected:r,parameters:o,setParameters:l}=i(),{value:d,error:p,reload:g}=m(async()=>(await t.page(`/overlays`,{query:{order:`asc`,limit:100}})).records,`overlays`),[_,v]=u(null),y=()=>{let e=(d?.length??0)+1,r=`${n(`alerts.first_name`)}${e>1?` ${e}`:``}`;t.post(`/overlays`,{name:r,settings:{}}).then(e=>{v(null),l({overlay:String(e.overlay_id)}),g()},v)};if(!d||d.length===0&&!r){let e=p??_;return f`<h1>${n(`nav.alerts`)}</h1>
      ${e?f`<${a} error=${e} onRetry=${g} />`:f`<${c} rows=${6} />`}`}let b=d.find(({overlay_id:e})=>String(e)===o.get(`overlay`))??d[0];return f`<div class="bar spread">
      <h1>${n(`nav.alerts`)}</h1>
      <div class="bar">
        ${d.length>1&&f`<${e} label=${n(`alerts.overlay`)} value=${String(b.overlay_id)}
          onChange=${e=>l({overlay:e.currentTarget.value})}
          options=${d.map(ut)} />`}
        ${d.length>0&&f`<${h} onClick=${y}>${n(`alerts.another`)}<//>`}
      </div>
    </div>
    <${a} error=${_} />
    ${d.length===0?f`<${s}>${n(`alerts.empty`)}
          <${h} class="main" onClick=${y}>${n(`alerts.create`)}<//><//>`:f`<${lt} key=${b.overlay_id} overlay=${b} reload=${g} />`}`}export{dt as View};