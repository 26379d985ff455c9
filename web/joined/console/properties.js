
import{A as e,O as t,_ as n,h as r,j as i,k as a,n as o,r as s,t as c}from"./overlay.js";import{f as l}from"./forms.js";import{A as u,S as d,p as f}from"./common.js";import{i as p,n as m,t as h}from"./template.js";const g={bell:[[1,.3,`sine`,1],[2.76,.1,`sine`,.55],[5.4,.045,`sine`,.3]],pluck:[[1,.26,`triangle`,1],[2,.1,`sine`,.6],[4,.05,`sine`,.25]],brass:[[1,.09,`sawtooth`,1],[1.006,.08,`sawtooth`,1],[.5,.12,`triangle`,1]],water:[[1,.36,`sine`,1],[1.5,.1,`triangle`,.5]]},_={chime:{instrument:`bell`,attack:.004,notes:[[880,0,1.1],[1318.5,.12,1.2],[1760,.24,1.6]]},coin:{instrument:`pluck`,attack:.002,notes:[[987.8,0,.16],[1318.5,.085,.65],[2637,.085,.4]]},fanfare:{instrument:`brass`,attack:.03,notes:[[523.3,0,.2],[659.3,.15,.2],[784,.3,.22],[1046.5,.46,1.1],[784,.46,1.1],[659.3,.46,1.1]]},drop:{instrument:`water`,attack:.003,bend:.45,notes:[[760,0,.18],[560,.13,.4]]}};let v=null;function y(e){let t=e.createBuffer(2,.9*e.sampleRate,e.sampleRate);for(let e of[0,1]){let n=t.getChannelData(e);for(let e=0;e<n.length;e+=1)n[e]=(Math.random()*2-1)*(1-e/n.length)**3}return t}function b(e,t){let n=new GainNode(e,{gain:t}),r=new ConvolverNode(e,{buffer:y(e)});return n.connect(e.destination),n.connect(r).connect(new GainNode(e,{gain:.22})).connect(e.destination),n}async function x({sound:e,volume:t},n){try{if(e===`none`||t===0||e===`custom`&&!n)return;let r=v??=new AudioContext;r.resume().catch(()=>{}),e===`custom`?await S(r,t,n??``):C(r,b(r,t),_[e])}catch{}}async function S(e,t,n){let r=Uint8Array.from(atob(n.split(`,`)[1]),e=>e.charCodeAt(0)),i=new AudioBufferSourceNode(e,{buffer:await e.decodeAudioData(r.buffer)});i.connect(new GainNode(e,{gain:t})).connect(e.destination),i.start()}function C(e,t,{instrument:n,attack:r,bend:i,notes:a}){for(let[o,s,c]of a)for(let[a,l,u,d]of g[n]){let n=e.currentTime+s,f=n+c*d,p=new OscillatorNode(e,{frequency:o*a,type:u});i&&p.frequency.exponentialRampToValueAtTime(o*a*i,f);let m=new GainNode(e,{gain:0});m.gain.setValueAtTime(0,n),m.gain.linearRampToValueAtTime(l,n+r),m.gain.exponentialRampToValueAtTime(8e-4,f),p.connect(m).connect(t),p.start(n),p.stop(f)}}function w({kind:g,rule:_,values:v,settings:y,amount:b,change:S,type:C,flush:w}){let{say:T}=d(),E=v.alerts?.[g]??{},D=(e,t,n,r={})=>{let i=[`number`,`range`].includes(r.type);return u`<${l} label=${T(e)} value=${n} ...${r} onCommit=${e=>S([t],e===``?void 0:i?Number(e):e)} />`},O=T.template(`overlay.${r(g)}`,{amount:g===`purchase`?1:2}),k={type:`number`,min:1,max:60,step:.5,placeholder:String(y.duration/1e3)},A={type:`number`,min:0,step:1},j=c(T,`theme`,a,`alerts.theme.overlay`);return u`<section class="card alert-properties" aria-label=${T(`kind.${g}`)}>
    <h2><${f} name=${g} /> ${T(`kind.${g}`)}</h2>
    ${g===`document`&&!y.hasLetterRule&&u`<p class="quiet">${T(`alerts.letters_how`)}</p>`}
    <${h} kind=${g} value=${_.text} placeholder=${O} hasChips
      onType=${e=>C([`text`],e)}
      onCommit=${e=>S([`text`],e||void 0)} />
    <div class="fields">
      ${n(g)&&D(`alerts.minimum.${g}`,`minimum`,_.minimum||``,A)}
      ${D(`alerts.theme`,`theme`,E.theme??``,{options:j})}
      <${p} own=${E.color} automatic=${i(g,b,e[g])}
        onCommit=${e=>S([`color`],e)} />
      ${D(`alerts.animation`,`animation`,_.animation,{options:o(T,`animation`,t)})}
      ${D(`alerts.duration`,`duration`,_.duration===null?``:_.duration/1e3,k)}
      ${D(`alerts.sound`,`sound`,_.sound,{options:s(T,y)})}
      ${D(`alerts.volume`,`volume`,_.volume,{type:`range`,min:0,max:1,step:.05})}
      <button onClick=${()=>x(_,y.customSound)} disabled=${_.sound===`none`}>
        ♪ ${T(`alerts.listen`)}</button>
    </div>
    <p><label class="check"><input type="checkbox" checked=${_.speak}
      onChange=${e=>S([`speak`],e.currentTarget.checked)} />${T(`alerts.speak`)}</label></p>
    <${m} picture=${E.picture} change=${S} flush=${w}
      hint=${`${T(`alerts.picture_how`)}${g===`document`?`. ${T(`alerts.picture_letter`)}`:``}`} />
  </section>`}export{w as Properties};