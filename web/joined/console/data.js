
import{O as e}from"./first.js";import{n as t,t as n}from"./program.js";import{_ as r,c as i,l as a,m as o,n as s,v as c}from"./forms.js";import{A as l,O as u,S as d,f,g as p,h as m,l as h,m as g,n as _,t as v,w as y}from"./common.js";const b=`${e}/docs/guides/?guide=transfer`;function x({text:e}){let{say:t}=d();return l`<div class="command">
    <code class="address">${e.split(` `).map(e=>l`<span>${e}</span> `)}</code>
    <${s} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function S(){let{say:r,signOut:i}=d(),a=`--url ${e||location.origin}${i?` --token TOKEN`:``}`,o=e=>`${t} token create --scope ${e} --name archive`,s=`channel-${(/* @__PURE__ */ new Date()).toLocaleDateString(`sv`)}`,c=e=>l`<section
    class="card archive">
    <h2>${r(`archive.${e}`)}</h2>
    <p>${r(`archive.${e}_what`,{folder:s})}</p>
    <ol>
      <li>${r(n?`archive.${e}_first`:`archive.in_clone`)}</li>
      <li>${r(`archive.run`)}<${x} text=${`${t} ${e} ${a} --${e===`export`?`to`:`from`} ${s}`} />
        ${i&&l`<p>${r(`token.for_command`)}</p>
          <${x} text=${o(e===`export`?`read`:`import`)} />`}</li>
      <li>${r(`archive.${e}_result`,{folder:s})}</li>
    </ol>
  </section>`;return l`<div class="grid">
      ${c(`export`)}
      ${c(`import`)}
    </div>
    <p><a href=${b}>${r(`archive.guide`)}</a></p>`}const C=1e3;function w({name:e,query:t,columns:n}){let{client:i,say:a}=d(),[o,s]=y({text:``,error:null,busy:!1}),c=`${e}.csv`;return l`<div class="bar">
    <span class=${o.busy?`quiet`:`good`} role="status">${o.text}</span>
    <button onClick=${async()=>{let o=[],l=()=>s({text:a(`data.exporting`,{many:o.length}),busy:!0});l();try{for await(let r of i.list(`/${e}?${t}`,{retries:3,query:{limit:C}}))o.push(n.map(e=>r[e])),o.length%C==0&&l();r(c,[n,...o]),s({text:a(`data.exported`,{many:o.length,file:c})})}catch(e){s({text:``,error:e})}}} disabled=${o.busy}>${a(`data.export`)}</button>
    <${m} error=${o.error} />
  </div>`}const T=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],E=({schema:e})=>e.format===`date-time`;function D(e){let t=e=>e.name===`order`?2:Number(E(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=T.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function O(e,t,n){let r=n.find(t=>t.name===e);return r&&E(r)?new Date(t).toISOString():t}function k(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function A({filter:e,value:t}){let{name:n,schema:r}=e,i=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(i){let e=[``,...i].map(e=>l`<option selected=${e===t}>${e}</option>`);return l`<select name=${n}>${e}</select>`}return E(e)?l`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&k(t)} />`:r.type===`integer`?l`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:l`<input name=${n} defaultValue=${t} />`}function j({name:e,id:t,resource:n,onClose:r}){let{client:o,say:s}=d(),u=`/${e}/${t}`,{value:f,error:g,reload:_}=v(()=>o.request(`GET`,u),u),[b,x]=y(null),[S,C]=y(!1),[w,T]=y(n.fields[0]),E=f?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await o.patch(u,{[w]:n},{ifMatch:f.etag}),C(!0),x(null),_()}catch(e){x(e instanceof SyntaxError?Error(s(`data.no_json`)):e)}},O=()=>o.delete(u,{ifMatch:f.etag}).then(()=>r(!0),x),k=E?.[w],A=typeof k==`string`?k:JSON.stringify(k??null);return l`<${c} title=${`${e} ${t}`} onClose=${()=>r(S)} className="drawer">
    <${m} error=${g} onRetry=${_} />
    ${!E&&!g&&l`<${p} rows=${5} />`}
    ${E&&l`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>l`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?l`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:N(e,t,s,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${n.links.length>0&&l`<h3>${s(`data.related`)}</h3>
        <p class="bar">${n.links.filter(e=>e!==`document`||E.document_id).map(t=>l`<a class="button" href=${M(e,t,E)}>${t}</a>`)}</p>`}
      ${n.fields.length>0&&l`<h3>${s(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${a} label=${s(`data.field`)} value=${w} options=${n.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${s(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${A}></textarea>
          </label>
          <${h} class="main">${s(`save`)}<//>
        </form>`}
      <${m} error=${b} />
      ${n.canDelete&&l`<p>
        <${i} className="" label=${s(`delete`)} description=${s(`delete_of`,{name:`${e} ${t}`})}
          question=${s(`data.delete_sure`)} note=${s(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function M(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function N(e,t,n,r=!0){return t==null?r?``:l`<span class="quiet">–</span>`:e.endsWith(`_at`)?l`${n.time(t)} ${!r&&l`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?l`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?l`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const P=[`limit`,`cursor`],F=`events`,I=matchMedia(`(max-width: 44rem)`).matches?15:50;function L(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function R({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!P.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:L(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function z(){let{say:e}=d(),t={records:e(`data.records`),archive:e(`data.archive`)};return l`<p class="back"><a href="#/settings">← ${e(`nav.settings`)}</a></p>
    <h1>${e(`nav.data`)}</h1>
    <${o} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?l`<${S} />`:l`<${B} />`}
    <//>`}function B(){let{client:e,say:t,parameters:n,setParameters:r}=d(),{value:i,error:o,reload:s}=v(async()=>R(await e.get(`/openapi.json`)),`openapi`),c=n.get(`resource`)??F,h=n.get(`query`)??``,b=new Set((n.get(`hidden`)??``).split(` `).filter(Boolean)),x=_(`/${c}?limit=${I}${h&&`&${h}`}`),[S,C]=y(0),T=u(null);if(o&&!i)return l`<${m} error=${o} onRetry=${s} />`;let E=i?.[Object.hasOwn(i,c)?c:F],k=e=>e[E?.id]??Object.values(e)[0],M=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,O(e,t,E.filters)]);r({query:String(new URLSearchParams(t))}),C(S+1),String(n.get(`query`)??``)===h&&x.reload()},P=new URLSearchParams(h),{common:L,others:z}=D(E?.filters??[]),B=e=>l`<label class="field api"><span>${e.name}</span>
    <${A} filter=${e} value=${P.get(e.name)??``} />
  </label>`,V=e=>Object.keys(e).filter(t=>e[t]!==null),H=e=>e.endsWith(`_id`)&&e!==E?.id,U=[...new Set(x.records.flatMap(V))],W=[...U.filter(e=>!H(e)),...U.filter(H)],G=W.filter(e=>!b.has(e)),K=e=>{let t=[...b].filter(t=>t!==e);r({hidden:(b.has(e)?t:[...b,e]).join(` `)})},q=n.get(`open`),J=e=>{T.current=String(e),r({open:T.current})},Y=e=>{T.current===q?history.back():r({open:null}),T.current=null,e===!0&&x.reload()},X=e=>`${c} ${k(e)}`;return l`${!E&&l`<${p} rows=${1} shape="form" />`}
    ${E&&l`<form class="card filters" onSubmit=${M} key=${c}>
      <div class="fields">
        <${a} label=${t(`data.resource`)} value=${c} options=${Object.keys(i)}
          onChange=${e=>r({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${L.map(B)}
      </div>
      <div class="more">
        <details open=${z.some(e=>P.has(e.name))}>
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
      ${W.length>0&&l`<${w} key=${`${c} ${h}`} name=${c} query=${h}
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
          <tbody>${x.records.map(e=>l`<tr key=${k(e)}
              onClick=${t=>t.target.closest(`a, button`)||J(k(e))}>
              <td><button class="quiet" aria-label=${t(`data.open_of`,{what:X(e)})}
                onClick=${()=>J(k(e))}>${t(`data.open`)}</button></td>
              ${G.map(n=>l`<td data-name=${n} dir="auto">
                  ${N(n,e[n],t)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${W.length===0&&!x.busy&&!x.error&&l`<${f}>${t(`data.none`)}${` `}
      ${h&&l`<button onClick=${()=>r({query:null})}>${t(`activity.reset`)}</button>`}<//>`}
    <${g} list=${x} scrolls />
    ${q&&E&&l`<${j} key=${`${c} ${q}`} name=${c} id=${q} resource=${E} onClose=${Y} />`}`}export{z as View};