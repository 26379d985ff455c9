
import{O as e}from"./first.js";import{n as t}from"./program.js";import{_ as n,b as r,d as i,f as a,n as o,y as s}from"./forms.js";import{E as c,O as l,S as u,f as d,g as f,h as p,l as m,m as h,n as g,t as _,x as v}from"./common.js";const y=`${e}/docs/guides/?guide=transfer`;function b({text:e}){let{say:t}=v();return l`<div class="command">
    <code class="address">${e.split(` `).map(e=>l`<span>${e}</span> `)}</code>
    <${o} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function x(){let{say:n,signOut:r}=v(),i=`--url ${e||location.origin}${r?` --token TOKEN`:``}`,a=e=>`${t} token create --scope ${e} --name archive`,o=(e,o)=>l`<section
    class="card archive">
    <h2>${n(`archive.${e}`)}</h2>
    <p>${n(`archive.${e}_what`)}</p>
    <ol>
      <li>${n(`archive.${e}_first`)}</li>
      <li>${n(`archive.run`)}<${b} text=${`${t} ${e} ${i} ${o}`} />
        ${r&&l`<p>${n(`token.for_command`)}</p>
          <${b} text=${a(e===`export`?`read`:`import`)} />`}</li>
      <li>${n(`archive.${e}_result`)}</li>
    </ol>
  </section>`;return l`<div class="grid">
      ${o(`export`,`--to channel`)}
      ${o(`import`,`--from channel`)}
    </div>
    <p><a href=${y}>${n(`archive.guide`)}</a></p>`}const S=1e3;function C({name:e,query:t,columns:n}){let{client:r,say:i}=v(),[a,o]=u({text:``,error:null,busy:!1}),c=`${e}.csv`;return l`<div class="bar">
    <span class=${a.busy?`quiet`:`good`} role="status">${a.text}</span>
    <button onClick=${async()=>{let a=[],l=()=>o({text:i(`data.exporting`,{many:a.length}),busy:!0});l();try{for await(let i of r.list(`/${e}?${t}`,{retries:3,query:{limit:S}}))a.push(n.map(e=>i[e])),a.length%S==0&&l();s(c,[n,...a]),o({text:i(`data.exported`,{many:a.length,file:c})})}catch(e){o({text:``,error:e})}}} disabled=${a.busy}>${i(`data.export`)}</button>
    <${p} error=${a.error} />
  </div>`}const w=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],T=({schema:e})=>e.format===`date-time`;function E(e){let t=e=>e.name===`order`?2:Number(T(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=w.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function D(e,t,n){let r=n.find(t=>t.name===e);return r&&T(r)?new Date(t).toISOString():t}function O(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function k({filter:e,value:t}){let{name:n,schema:r}=e,i=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(i){let e=[``,...i].map(e=>l`<option selected=${e===t}>${e}</option>`);return l`<select name=${n}>${e}</select>`}return T(e)?l`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&O(t)} />`:r.type===`integer`?l`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:l`<input name=${n} defaultValue=${t} />`}function A({name:e,id:t,resource:n,onClose:o}){let{client:s,say:c}=v(),d=`/${e}/${t}`,{value:h,error:g,reload:y}=_(()=>s.request(`GET`,d),d),[b,x]=u(null),[S,C]=u(!1),[w,T]=u(n.fields[0]),E=h?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await s.patch(d,{[w]:n},{ifMatch:h.etag}),C(!0),x(null),y()}catch(e){x(e instanceof SyntaxError?Error(c(`data.no_json`)):e)}},O=()=>s.delete(d,{ifMatch:h.etag}).then(()=>o(!0),x),k=E?.[w],A=typeof k==`string`?k:JSON.stringify(k??null);return l`<${r} title=${`${e} ${t}`} onClose=${()=>o(S)} className="drawer">
    <${p} error=${g} onRetry=${y} />
    ${!E&&!g&&l`<${f} rows=${5} />`}
    ${E&&l`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>l`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?l`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:M(e,t,c,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${n.links.length>0&&l`<h3>${c(`data.related`)}</h3>
        <p class="bar">${n.links.filter(e=>e!==`document`||E.document_id).map(t=>l`<a class="button" href=${j(e,t,E)}>${t}</a>`)}</p>`}
      ${n.fields.length>0&&l`<h3>${c(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${a} label=${c(`data.field`)} value=${w} options=${n.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${c(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${A}></textarea>
          </label>
          <${m} class="main">${c(`save`)}<//>
        </form>`}
      <${p} error=${b} />
      ${n.canDelete&&l`<p>
        <${i} className="" label=${c(`delete`)} description=${c(`delete_of`,{name:`${e} ${t}`})}
          question=${c(`data.delete_sure`)} note=${c(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function j(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function M(e,t,n,r=!0){return t==null?r?``:l`<span class="quiet">–</span>`:e.endsWith(`_at`)?l`${n.time(t)} ${!r&&l`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?l`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?l`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const N=[`limit`,`cursor`],P=`events`,F=matchMedia(`(max-width: 44rem)`).matches?15:50;function I(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function L({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!N.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:I(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function R(){let{say:e}=v(),t={records:e(`data.records`),archive:e(`data.archive`)};return l`<h1>${e(`nav.data`)}</h1>
    <${n} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?l`<${x} />`:l`<${z} />`}
    <//>`}function z(){let{client:e,say:t,parameters:n,setParameters:r}=v(),{value:i,error:o,reload:s}=_(async()=>L(await e.get(`/openapi.json`)),`openapi`),m=n.get(`resource`)??P,y=n.get(`query`)??``,b=new Set((n.get(`hidden`)??``).split(` `).filter(Boolean)),x=g(`/${m}?limit=${F}${y&&`&${y}`}`),[S,w]=u(0),T=c(null);if(o&&!i)return l`<${p} error=${o} onRetry=${s} />`;let O=i?.[Object.hasOwn(i,m)?m:P],j=e=>e[O?.id]??Object.values(e)[0],N=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,D(e,t,O.filters)]);r({query:String(new URLSearchParams(t))}),w(S+1),String(n.get(`query`)??``)===y&&x.reload()},I=new URLSearchParams(y),{common:R,others:z}=E(O?.filters??[]),B=e=>l`<label class="field api"><span>${e.name}</span>
    <${k} filter=${e} value=${I.get(e.name)??``} />
  </label>`,V=e=>Object.keys(e).filter(t=>e[t]!==null),H=e=>e.endsWith(`_id`)&&e!==O?.id,U=[...new Set(x.records.flatMap(V))],W=[...U.filter(e=>!H(e)),...U.filter(H)],G=W.filter(e=>!b.has(e)),K=e=>{let t=[...b].filter(t=>t!==e);r({hidden:(b.has(e)?t:[...b,e]).join(` `)})},q=n.get(`open`),J=e=>{T.current=String(e),r({open:T.current})},Y=e=>{T.current===q?history.back():r({open:null}),T.current=null,e===!0&&x.reload()},X=e=>`${m} ${j(e)}`;return l`${!O&&l`<${f} rows=${1} shape="form" />`}
    ${O&&l`<form class="card filters" onSubmit=${N} key=${m}>
      <div class="fields">
        <${a} label=${t(`data.resource`)} value=${m} options=${Object.keys(i)}
          onChange=${e=>r({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${R.map(B)}
      </div>
      <div class="more">
        <details open=${z.some(e=>I.has(e.name))}>
          <summary>${t(`data.more_filters`)}</summary>
          <div class="fields">${z.map(B)}</div>
        </details>
        <button class="main">${t(`data.search`)}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${x.busy?t(`loading`):t(x.next?`data.first`:`data.all`,{many:x.records.length})}
      </p>
      ${W.length>0&&l`<${C} key=${`${m} ${y}`} name=${m} query=${y}
        columns=${G} />`}
    </div>
    ${W.length>0&&l`<details>
        <summary>${t(`data.columns`)}</summary>
        <div class="bar" role="group" aria-label=${t(`data.columns`)}>
          ${W.map(e=>l`<button aria-pressed=${!b.has(e)} onClick=${()=>K(e)}>
              ${e}
            </button>`)}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${t(`nav.data`)}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${t(`data.open`)}</span></th>
            ${G.map(e=>l`<th scope="col">${e}</th>`)}
          </tr></thead>
          <tbody>${x.records.map(e=>l`<tr key=${j(e)}
              onClick=${t=>t.target.closest(`a, button`)||J(j(e))}>
              <td><button class="quiet" aria-label=${t(`data.open_of`,{what:X(e)})}
                onClick=${()=>J(j(e))}>${t(`data.open`)}</button></td>
              ${G.map(n=>l`<td data-name=${n} dir="auto">
                  ${M(n,e[n],t)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${W.length===0&&!x.busy&&!x.error&&l`<${d}>${t(`data.none`)}${` `}
      ${y&&l`<button onClick=${()=>r({query:null})}>${t(`activity.reset`)}</button>`}<//>`}
    <${h} list=${x} scrolls />
    ${q&&O&&l`<${A} key=${`${m} ${q}`} name=${m} id=${q} resource=${O} onClose=${Y} />`}`}export{R as View};