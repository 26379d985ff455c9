
import{b as e}from"./forms.js";import{C as t,O as n,S as r,x as i}from"./common.js";const a={"settings.language":`settings`,"settings.theme":`settings`,"begin.twitch":`settings?tab=twitch`,"tokens.title":`settings?tab=tokens`,"settings.privacy":`settings?tab=privacy`,"data.archive":`data?tab=archive`,"alerts.widgets":`alerts?tab=widgets`,"alerts.address":`alerts?tab=urls`,"begin.overlay":`alerts?tab=urls`,"alerts.look":`alerts?tab=overlay`,"store.products":`store?tab=products`,"store.new":`store?tab=products&open=new`,"store.history":`store?tab=history`,"rules.new":`rules?open=new`};function o({views:o,onClose:s}){let{client:c,say:l}=i(),[u,d]=r(``),[f,p]=r([]),[m,h]=r(!1),[g,_]=r(0),v=u.trim();t(()=>{let e=!1,t=setTimeout(()=>{if(!v)return p([]);let t={name_prefix:v.slice(0,100),limit:8},n=(t,n)=>{e||(p(t),h(n))};return c.page(`/users`,{query:t}).then(({records:e})=>n(e,!1),()=>n([],!0))},150);return()=>{e=!0,clearTimeout(t)}},[v]);let y=/^\d{1,16}$/.test(v)?v:null,b=e=>e.toLowerCase().replace(/[\s-]/g,``),x=({label:e})=>b(e).includes(b(v)),S=Object.entries(a).map(([e,t])=>({label:l(e),kind:l(`nav.${t.split(`?`)[0]}`),href:`#/${t}`})),C=[...o.map(e=>({label:l(`nav.${e}`),href:`#/${e}`})).filter(x),...v?S.filter(x):[],...f.map(({user_id:e,name:t,platform_id:n})=>{let r=f.filter(e=>e.name===t).length>1;return{label:t,kind:`${l(`find.viewer`)} ${r?n??``:``}`,href:`#/viewers/${e}`}}),...(y?[`event`,`document`]:[]).map(e=>{let t=`#/data?resource=${e}s&open=${y}`;return{label:l(`find.${e}`,{id:y}),href:t}})],w=Math.min(g,C.length-1);return n`<${e} title=${l(`find`)} onClose=${s} className="palette">
    <input type="search" autofocus role="combobox" aria-label=${l(`find`)} aria-expanded="true" aria-controls="found"
      aria-activedescendant=${C[w]?`found-${w}`:void 0}
      placeholder=${l(`find.how`)} value=${u} onKeyDown=${e=>{let t=Number(e.key===`ArrowDown`)-Number(e.key===`ArrowUp`);t!==0&&C.length>0&&(e.preventDefault(),_((w+t+C.length)%C.length)),e.key===`Escape`&&(e.preventDefault(),s()),e.key===`Enter`&&C[w]&&(e.preventDefault(),location.hash=C[w].href,s())}}
      onInput=${e=>(d(e.currentTarget.value),_(0))} />
    <ul id="found" role="listbox" aria-label=${l(`find`)}>
      ${C.map((e,t)=>n`<li id=${`found-${t}`} role="option" aria-selected=${t===w}
          key=${e.label+e.href} dir="auto" onClick=${()=>(location.hash=e.href,s())}>
          ${e.label} ${e.kind&&n`<span class="quiet">${e.kind}</span>`}
        </li>`)}
    </ul>
    ${m&&n`<p class="error" role="alert">${l(`find.failed`)}</p>`}
    ${C.length===0&&!m&&n`<p class="quiet" role="status">${l(`find.none`)}</p>`}
  <//>`}export{o as Palette};