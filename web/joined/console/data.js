
import{D as e}from"./first.js";import{A as t,C as n,H as r,I as i,L as a,O as o,P as s,R as c,S as l,U as u,Y as d,_ as f,g as p,j as m,k as h,q as g,r as _}from"./common.js";const v=`${e}/docs/guides/?guide=transfer`;function y({text:e}){let{say:t}=r();return d`<div class="command">
    <code class="address">${e}</code>
    <${_} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function b(){let{say:t,signOut:n}=r(),i=`--url ${e||location.origin}${n?` --token TOKEN`:``}`,a=e=>`event-capture token create --scope ${e} --name archive`,o=(e,r)=>d`<section
    class="card archive">
    <h2>${t(`archive.${e}`)}</h2>
    <p>${t(`archive.${e}_what`)}</p>
    <ol>
      <li>${t(`archive.${e}_first`)}</li>
      <li>${t(`archive.run`)}<${y} text=${`event-capture ${e} ${i} ${r}`} />
        ${n&&d`<p>${t(`token.for_command`)}</p>
          <${y} text=${a(e===`export`?`read`:`import`)} />`}</li>
      <li>${t(`archive.${e}_result`)}</li>
    </ol>
  </section>`;return d`<div class="grid">
      ${o(`export`,`--to channel`)}
      ${o(`import`,`--from channel`)}
    </div>
    <p><a href=${v}>${t(`archive.guide`)}</a></p>`}const x=1e3;function S({name:e,query:t,columns:n}){let{client:i,say:o}=r(),[s,c]=u({text:``,error:null,busy:!1}),l=`${e}.csv`;return d`<div class="bar">
    <span class=${s.busy?`quiet`:`good`} role="status">${s.text}</span>
    <button onClick=${async()=>{let r=[],a=()=>c({text:o(`data.exporting`,{many:r.length}),busy:!0});a();try{for await(let o of i.list(`/${e}?${t}`,{retries:3,query:{limit:x}}))r.push(n.map(e=>o[e])),r.length%x==0&&a();h(l,[n,...r]),c({text:o(`data.exported`,{many:r.length,file:l})})}catch(e){c({text:``,error:e})}}} disabled=${s.busy}>${o(`data.export`)}</button>
    <${a} error=${s.error} />
  </div>`}const C=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],w=({schema:e})=>e.format===`date-time`;function T(e){let t=e=>e.name===`order`?2:Number(w(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=C.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function E(e,t,n){let r=n.find(t=>t.name===e);return r&&w(r)?new Date(t).toISOString():t}function D(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function O({filter:e,value:t}){let{name:n,schema:r}=e,i=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(i){let e=[``,...i].map(e=>d`<option selected=${e===t}>${e}</option>`);return d`<select name=${n}>${e}</select>`}return w(e)?d`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&D(t)} />`:r.type===`integer`?d`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:d`<input name=${n} defaultValue=${t} />`}function k({name:e,id:i,resource:o,onClose:s}){let{client:f,say:h}=r(),g=`/${e}/${i}`,{value:_,error:v,reload:y}=p(()=>f.request(`GET`,g),g),[b,x]=u(null),[S,C]=u(!1),[w,T]=u(o.fields[0]),E=_?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await f.patch(g,{[w]:n},{ifMatch:_.etag}),C(!0),x(null),y()}catch(e){x(e instanceof SyntaxError?Error(h(`data.no_json`)):e)}},O=()=>f.delete(g,{ifMatch:_.etag}).then(()=>s(!0),x),k=E?.[w],M=typeof k==`string`?k:JSON.stringify(k??null);return d`<${t} title=${`${e} ${i}`} onClose=${()=>s(S)} className="drawer">
    <${a} error=${v} onRetry=${y} />
    ${!E&&!v&&d`<${c} rows=${5} />`}
    ${E&&d`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>d`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?d`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:j(e,t,h,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${o.links.length>0&&d`<h3>${h(`data.related`)}</h3>
        <p class="bar">${o.links.map(t=>d`<a class="button"
          href=${A(e,t,E)}>${t}</a>`)}</p>`}
      ${o.fields.length>0&&d`<h3>${h(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${n} label=${h(`data.field`)} value=${w} options=${o.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${h(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${M}></textarea>
          </label>
          <${m} class="main">${h(`save`)}<//>
        </form>`}
      <${a} error=${b} />
      ${o.canDelete&&d`<p>
        <${l} className="" label=${h(`delete`)} question=${h(`data.delete_sure`)}
          note=${h(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function A(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function j(e,t,n,r=!0){return t==null?r?``:d`<span class="quiet">–</span>`:e.endsWith(`_at`)?d`${n.time(t)} ${!r&&d`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?d`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?d`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const M=[`limit`,`cursor`],N=`events`;function P(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function F({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!M.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:P(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function I(){let{say:e}=r(),t={records:e(`data.records`),archive:e(`data.archive`)};return d`<h1>${e(`nav.data`)}</h1>
    <${o} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?d`<${b} />`:d`<${L} />`}
    <//>`}function L(){let{client:e,say:t,parameters:o,setParameters:l}=r(),{value:m,error:h,reload:_}=p(async()=>F(await e.get(`/openapi.json`)),`openapi`),v=o.get(`resource`)??N,y=o.get(`query`)??``,b=new Set((o.get(`hidden`)??``).split(` `).filter(Boolean)),x=f(`/${v}?limit=50${y&&`&${y}`}`),[C,w]=u(0),D=g(null);if(h&&!m)return d`<${a} error=${h} onRetry=${_} />`;let A=m?.[Object.hasOwn(m,v)?v:N],M=e=>e[A?.id]??Object.values(e)[0],P=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,E(e,t,A.filters)]);l({query:String(new URLSearchParams(t))}),w(C+1),String(o.get(`query`)??``)===y&&x.reload()},I=new URLSearchParams(y),{common:L,others:R}=T(A?.filters??[]),z=e=>d`<label class="field api"><span>${e.name}</span>
    <${O} filter=${e} value=${I.get(e.name)??``} />
  </label>`,B=[...new Set(x.records.flatMap(e=>Object.keys(e).filter(t=>e[t]!==null)))],V=B.filter(e=>!b.has(e)),H=e=>{let t=[...b].filter(t=>t!==e);l({hidden:(b.has(e)?t:[...b,e]).join(` `)})},U=o.get(`open`),W=e=>{D.current=String(e),l({open:D.current})},G=e=>{D.current===U?history.back():l({open:null}),D.current=null,e===!0&&x.reload()},K=e=>`${v} ${M(e)}`;return d`${!A&&d`<${c} rows=${1} shape="form" />`}
    ${A&&d`<form class="card filters" onSubmit=${P} key=${v}>
      <div class="fields">
        <${n} label=${t(`data.resource`)} value=${v} options=${Object.keys(m)}
          onChange=${e=>l({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${L.map(z)}
      </div>
      <div class="more">
        <details open=${R.some(e=>I.has(e.name))}>
          <summary>${t(`data.more_filters`)}</summary>
          <div class="fields">${R.map(z)}</div>
        </details>
        <button class="main">${t(`data.search`)}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${x.busy?t(`loading`):t(x.next?`data.first`:`data.all`,{many:x.records.length})}
      </p>
      ${B.length>0&&d`<${S} key=${`${v} ${y}`} name=${v} query=${y}
        columns=${V} />`}
    </div>
    ${B.length>0&&d`<details>
        <summary>${t(`data.columns`)}</summary>
        <div class="bar" role="group" aria-label=${t(`data.columns`)}>
          ${B.map(e=>d`<button aria-pressed=${!b.has(e)} onClick=${()=>H(e)}>
              ${e}
            </button>`)}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${t(`nav.data`)}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${t(`data.open`)}</span></th>
            ${V.map(e=>d`<th scope="col">${e}</th>`)}
          </tr></thead>
          <tbody>${x.records.map(e=>d`<tr key=${M(e)}
              onClick=${t=>t.target.closest(`a, button`)||W(M(e))}>
              <td><button class="quiet" aria-label=${t(`data.open_of`,{what:K(e)})}
                onClick=${()=>W(M(e))}>${t(`data.open`)}</button></td>
              ${V.map(n=>d`<td data-name=${n} dir="auto">
                  ${j(n,e[n],t)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${B.length===0&&!x.busy&&!x.error&&d`<${s}>${t(`data.none`)}<//>`}
    <${i} list=${x} scrolls />
    ${U&&A&&d`<${k} key=${`${v} ${U}`} name=${v} id=${U} resource=${A} onClose=${G} />`}`}export{I as View};