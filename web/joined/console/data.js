
import{g as e}from"./first.js";import{$ as t,B as n,D as r,E as i,F as a,H as o,I as s,J as c,L as l,O as u,P as d,U as f,W as p,Y as m,k as h,r as g,tt as _}from"./common.js";const v=`${e}/docs/guides/?guide=transfer`;function y({text:e}){let{say:t}=c();return _`<div class="command">
    <code class="address">${e}</code>
    <${g} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function b(){let{say:t,signOut:n}=c(),r=`--url ${e||location.origin}${n?` --token TOKEN`:``}`,i=e=>`event-capture token create --scope ${e} --name archive`,a=(e,a)=>_`<section
    class="card archive">
    <h2>${t(`archive.${e}`)}</h2>
    <p>${t(`archive.${e}_what`)}</p>
    <ol>
      <li>${t(`archive.${e}_first`)}</li>
      <li>${t(`archive.run`)}<${y} text=${`event-capture ${e} ${r} ${a}`} />
        ${n&&_`<p>${t(`token.for_command`)}</p>
          <${y} text=${i(e===`export`?`read`:`import`)} />`}</li>
      <li>${t(`archive.${e}_result`)}</li>
    </ol>
  </section>`;return _`<div class="grid">
      ${a(`export`,`--to channel`)}
      ${a(`import`,`--from channel`)}
    </div>
    <p><a href=${v}>${t(`archive.guide`)}</a></p>`}const x=1e3;function S({name:e,query:t,columns:n}){let{client:r,say:i}=c(),[o,s]=m({text:``,error:null,busy:!1}),l=`${e}.csv`;return _`<div class="bar">
    <span class=${o.busy?`quiet`:`good`} role="status">${o.text}</span>
    <button onClick=${async()=>{let o=[],c=()=>s({text:i(`data.exporting`,{many:o.length}),busy:!0});c();try{for await(let i of r.list(`/${e}?${t}`,{retries:3,query:{limit:x}}))o.push(n.map(e=>i[e])),o.length%x==0&&c();a(l,[n,...o]),s({text:i(`data.exported`,{many:o.length,file:l})})}catch(e){s({text:``,error:e})}}} disabled=${o.busy}>${i(`data.export`)}</button>
    <${f} error=${o.error} />
  </div>`}const C=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],w=({schema:e})=>e.format===`date-time`;function T(e){let t=e=>e.name===`order`?2:Number(w(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=C.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function E(e,t,n){let r=n.find(t=>t.name===e);return r&&w(r)?new Date(t).toISOString():t}function D(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function O({filter:e,value:t}){let{name:n,schema:r}=e,i=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(i){let e=[``,...i].map(e=>_`<option selected=${e===t}>${e}</option>`);return _`<select name=${n}>${e}</select>`}return w(e)?_`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&D(t)} />`:r.type===`integer`?_`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:_`<input name=${n} defaultValue=${t} />`}function k({name:e,id:t,resource:n,onClose:r}){let{client:a,say:o}=c(),d=`/${e}/${t}`,{value:g,error:v,reload:y}=i(()=>a.request(`GET`,d),d),[b,x]=m(null),[S,C]=m(!1),[w,T]=m(n.fields[0]),E=g?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await a.patch(d,{[w]:n},{ifMatch:g.etag}),C(!0),x(null),y()}catch(e){x(e instanceof SyntaxError?Error(o(`data.no_json`)):e)}},O=()=>a.delete(d,{ifMatch:g.etag}).then(()=>r(!0),x),k=E?.[w],M=typeof k==`string`?k:JSON.stringify(k??null);return _`<${s} title=${`${e} ${t}`} onClose=${()=>r(S)} className="drawer">
    <${f} error=${v} onRetry=${y} />
    ${!E&&!v&&_`<${p} rows=${5} />`}
    ${E&&_`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>_`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?_`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:j(e,t,o,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${n.links.length>0&&_`<h3>${o(`data.related`)}</h3>
        <p class="bar">${n.links.map(t=>_`<a class="button"
          href=${A(e,t,E)}>${t}</a>`)}</p>`}
      ${n.fields.length>0&&_`<h3>${o(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${h} label=${o(`data.field`)} value=${w} options=${n.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${o(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${M}></textarea>
          </label>
          <${l} class="main">${o(`save`)}<//>
        </form>`}
      <${f} error=${b} />
      ${n.canDelete&&_`<p>
        <${u} className="" label=${o(`delete`)} question=${o(`data.delete_sure`)}
          note=${o(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function A(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function j(e,t,n,r=!0){return t==null?r?``:_`<span class="quiet">–</span>`:e.endsWith(`_at`)?_`${n.time(t)} ${!r&&_`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?_`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?_`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const M=[`limit`,`cursor`],N=`events`;function P(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function F({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!M.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:P(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function I(){let{say:e}=c(),t={records:e(`data.records`),archive:e(`data.archive`)};return _`<h1>${e(`nav.data`)}</h1>
    <${d} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?_`<${b} />`:_`<${L} />`}
    <//>`}function L(){let{client:e,say:a,parameters:s,setParameters:l}=c(),{value:u,error:d,reload:g}=i(async()=>F(await e.get(`/openapi.json`)),`openapi`),v=s.get(`resource`)??N,y=s.get(`query`)??``,b=new Set((s.get(`hidden`)??``).split(` `).filter(Boolean)),x=r(`/${v}?limit=50${y&&`&${y}`}`),[C,w]=m(0),D=t(null);if(d&&!u)return _`<${f} error=${d} onRetry=${g} />`;let A=u?.[Object.hasOwn(u,v)?v:N],M=e=>e[A?.id]??Object.values(e)[0],P=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,E(e,t,A.filters)]);l({query:String(new URLSearchParams(t))}),w(C+1),String(s.get(`query`)??``)===y&&x.reload()},I=new URLSearchParams(y),{common:L,others:R}=T(A?.filters??[]),z=e=>_`<label class="field api"><span>${e.name}</span>
    <${O} filter=${e} value=${I.get(e.name)??``} />
  </label>`,B=[...new Set(x.records.flatMap(e=>Object.keys(e).filter(t=>e[t]!==null)))],V=B.filter(e=>!b.has(e)),H=e=>{let t=[...b].filter(t=>t!==e);l({hidden:(b.has(e)?t:[...b,e]).join(` `)})},U=s.get(`open`),W=e=>{D.current=String(e),l({open:D.current})},G=e=>{D.current===U?history.back():l({open:null}),D.current=null,e===!0&&x.reload()},K=e=>`${v} ${M(e)}`;return _`${!A&&_`<${p} rows=${1} shape="form" />`}
    ${A&&_`<form class="card filters" onSubmit=${P} key=${v}>
      <div class="fields">
        <${h} label=${a(`data.resource`)} value=${v} options=${Object.keys(u)}
          onChange=${e=>l({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${L.map(z)}
      </div>
      <div class="more">
        <details open=${R.some(e=>I.has(e.name))}>
          <summary>${a(`data.more_filters`)}</summary>
          <div class="fields">${R.map(z)}</div>
        </details>
        <button class="main">${a(`data.search`)}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${x.busy?a(`loading`):a(x.next?`data.first`:`data.all`,{many:x.records.length})}
      </p>
      ${B.length>0&&_`<${S} key=${`${v} ${y}`} name=${v} query=${y}
        columns=${V} />`}
    </div>
    ${B.length>0&&_`<details>
        <summary>${a(`data.columns`)}</summary>
        <div class="bar" role="group" aria-label=${a(`data.columns`)}>
          ${B.map(e=>_`<button aria-pressed=${!b.has(e)} onClick=${()=>H(e)}>
              ${e}
            </button>`)}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${a(`nav.data`)}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${a(`data.open`)}</span></th>
            ${V.map(e=>_`<th scope="col">${e}</th>`)}
          </tr></thead>
          <tbody>${x.records.map(e=>_`<tr key=${M(e)}
              onClick=${t=>t.target.closest(`a, button`)||W(M(e))}>
              <td><button class="quiet" aria-label=${a(`data.open_of`,{what:K(e)})}
                onClick=${()=>W(M(e))}>${a(`data.open`)}</button></td>
              ${V.map(t=>_`<td data-name=${t} dir="auto">
                  ${j(t,e[t],a)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${B.length===0&&!x.busy&&!x.error&&_`<${n}>${a(`data.none`)}<//>`}
    <${o} list=${x} scrolls />
    ${U&&A&&_`<${k} key=${`${v} ${U}`} name=${v} id=${U} resource=${A} onClose=${G} />`}`}export{I as View};