
import{y as e}from"./forms.js";import{C as t,O as n,S as r,x as i}from"./common.js";function a({views:a,onClose:o}){let{client:s,say:c}=i(),[l,u]=r(``),[d,f]=r([]),[p,m]=r(!1),[h,g]=r(0),_=l.trim();t(()=>{let e=!1,t=setTimeout(()=>{if(!_)return f([]);let t={name_prefix:_.slice(0,100),limit:8},n=(t,n)=>{e||(f(t),m(n))};return s.page(`/users`,{query:t}).then(({records:e})=>n(e,!1),()=>n([],!0))},150);return()=>{e=!0,clearTimeout(t)}},[_]);let v=/^\d{1,16}$/.test(_)?_:null,y=[...a.map(e=>({label:c(`nav.${e}`),href:`#/${e}`})).filter(({label:e})=>e.toLowerCase().includes(_.toLowerCase())),...d.map(({user_id:e,name:t})=>({label:t,kind:c(`find.viewer`),href:`#/viewers/${e}`})),...(v?[`event`,`document`]:[]).map(e=>{let t=`#/data?resource=${e}s&open=${v}`;return{label:c(`find.${e}`,{id:v}),href:t}})],b=Math.min(h,y.length-1);return n`<${e} title=${c(`find`)} onClose=${o} className="palette">
    <input type="search" autofocus role="combobox" aria-label=${c(`find`)} aria-expanded="true" aria-controls="found"
      aria-activedescendant=${y[b]?`found-${b}`:void 0}
      placeholder=${c(`find.how`)} value=${l} onKeyDown=${e=>{let t=Number(e.key===`ArrowDown`)-Number(e.key===`ArrowUp`);t!==0&&y.length>0&&(e.preventDefault(),g((b+t+y.length)%y.length)),e.key===`Escape`&&(e.preventDefault(),o()),e.key===`Enter`&&y[b]&&(e.preventDefault(),location.hash=y[b].href,o())}}
      onInput=${e=>(u(e.currentTarget.value),g(0))} />
    <ul id="found" role="listbox" aria-label=${c(`find`)}>
      ${y.map((e,t)=>n`<li id=${`found-${t}`} role="option" aria-selected=${t===b}
          key=${e.href} dir="auto" onClick=${()=>(location.hash=e.href,o())}>
          ${e.label} ${e.kind&&n`<span class="quiet">${e.kind}</span>`}
        </li>`)}
    </ul>
    ${p&&n`<p class="error" role="alert">${c(`find.failed`)}</p>`}
    ${y.length===0&&!p&&n`<p class="quiet" role="status">${c(`find.none`)}</p>`}
  <//>`}export{a as Palette};