
import{E as e}from"./first.js";import{A as t,D as n,E as r,G as i,M as a,N as o,P as s,R as c,T as l,U as u,_ as d,g as f,r as p,v as m,w as h,y as g,z as _}from"./common.js";const v=`${e}/docs/guides/?guide=transfer`;function y({text:e}){let{say:t}=c();return i`<div class="command">
    <code class="address">${e}</code>
    <${p} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function b(){let{say:t,signOut:n}=c(),r=`--url ${e||location.origin}${n?` --token TOKEN`:``}`,a=e=>`event-capture token create --scope ${e} --name archive`,o=(e,o)=>i`<section
    class="card archive">
    <h2>${t(`archive.${e}`)}</h2>
    <p>${t(`archive.${e}_what`)}</p>
    <ol>
      <li>${t(`archive.${e}_first`)}</li>
      <li>${t(`archive.run`)}<${y} text=${`event-capture ${e} ${r} ${o}`} />
        ${n&&i`<p>${t(`token.for_command`)}</p>
          <${y} text=${a(e===`export`?`read`:`import`)} />`}</li>
      <li>${t(`archive.${e}_result`)}</li>
    </ol>
  </section>`;return i`<div class="grid">
      ${o(`export`,`--to channel`)}
      ${o(`import`,`--from channel`)}
    </div>
    <p><a href=${v}>${t(`archive.guide`)}</a></p>`}const x=1e3;function S({name:e,query:t,columns:n}){let{client:r,say:a}=c(),[s,u]=_({text:``,error:null,busy:!1}),d=`${e}.csv`;return i`<div class="bar">
    <span class=${s.busy?`quiet`:`good`} role="status">${s.text}</span>
    <button onClick=${async()=>{let i=[],o=()=>u({text:a(`data.exporting`,{many:i.length}),busy:!0});o();try{for await(let a of r.list(`/${e}?${t}`,{retries:3,query:{limit:x}}))i.push(n.map(e=>a[e])),i.length%x==0&&o();l(d,[n,...i]),u({text:a(`data.exported`,{many:i.length,file:d})})}catch(e){u({text:``,error:e})}}} disabled=${s.busy}>${a(`data.export`)}</button>
    <${o} error=${s.error} />
  </div>`}const C=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],w=({schema:e})=>e.format===`date-time`;function T(e){let t=e=>e.name===`order`?2:Number(w(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=C.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function E(e,t,n){let r=n.find(t=>t.name===e);return r&&w(r)?new Date(t).toISOString():t}function D(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function O({filter:e,value:t}){let{name:n,schema:r}=e,a=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(a){let e=[``,...a].map(e=>i`<option selected=${e===t}>${e}</option>`);return i`<select name=${n}>${e}</select>`}return w(e)?i`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&D(t)} />`:r.type===`integer`?i`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:i`<input name=${n} defaultValue=${t} />`}function k({name:e,id:t,resource:a,onClose:l}){let{client:u,say:d}=c(),p=`/${e}/${t}`,{value:h,error:v,reload:y}=f(()=>u.request(`GET`,p),p),[b,x]=_(null),[S,C]=_(!1),[w,T]=_(a.fields[0]),E=h?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await u.patch(p,{[w]:n},{ifMatch:h.etag}),C(!0),x(null),y()}catch(e){x(e instanceof SyntaxError?Error(d(`data.no_json`)):e)}},O=()=>u.delete(p,{ifMatch:h.etag}).then(()=>l(!0),x),k=E?.[w],M=typeof k==`string`?k:JSON.stringify(k??null);return i`<${r} title=${`${e} ${t}`} onClose=${()=>l(S)} className="drawer">
    <${o} error=${v} onRetry=${y} />
    ${!E&&!v&&i`<${s} rows=${5} />`}
    ${E&&i`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>i`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?i`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:j(e,t,d,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${a.links.length>0&&i`<h3>${d(`data.related`)}</h3>
        <p class="bar">${a.links.map(t=>i`<a class="button"
          href=${A(e,t,E)}>${t}</a>`)}</p>`}
      ${a.fields.length>0&&i`<h3>${d(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${g} label=${d(`data.field`)} value=${w} options=${a.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${d(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${M}></textarea>
          </label>
          <${n} class="main">${d(`save`)}<//>
        </form>`}
      <${o} error=${b} />
      ${a.canDelete&&i`<p>
        <${m} className="" label=${d(`delete`)} question=${d(`data.delete_sure`)}
          note=${d(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function A(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function j(e,t,n,r=!0){return t==null?r?``:i`<span class="quiet">–</span>`:e.endsWith(`_at`)?i`${n.time(t)} ${!r&&i`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?i`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?i`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const M=[`limit`,`cursor`],N=`events`;function P(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function F({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!M.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:P(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function I(){let{say:e}=c(),t={records:e(`data.records`),archive:e(`data.archive`)};return i`<h1>${e(`nav.data`)}</h1>
    <${h} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?i`<${b} />`:i`<${L} />`}
    <//>`}function L(){let{client:e,say:n,parameters:r,setParameters:l}=c(),{value:p,error:m,reload:h}=f(async()=>F(await e.get(`/openapi.json`)),`openapi`),v=r.get(`resource`)??N,y=r.get(`query`)??``,b=new Set((r.get(`hidden`)??``).split(` `).filter(Boolean)),x=d(`/${v}?limit=50${y&&`&${y}`}`),[C,w]=_(0),D=u(null);if(m&&!p)return i`<${o} error=${m} onRetry=${h} />`;let A=p?.[Object.hasOwn(p,v)?v:N],M=e=>e[A?.id]??Object.values(e)[0],P=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,E(e,t,A.filters)]);l({query:String(new URLSearchParams(t))}),w(C+1),String(r.get(`query`)??``)===y&&x.reload()},I=new URLSearchParams(y),{common:L,others:R}=T(A?.filters??[]),z=e=>i`<label class="field api"><span>${e.name}</span>
    <${O} filter=${e} value=${I.get(e.name)??``} />
  </label>`,B=[...new Set(x.records.flatMap(e=>Object.keys(e).filter(t=>e[t]!==null)))],V=B.filter(e=>!b.has(e)),H=e=>{let t=[...b].filter(t=>t!==e);l({hidden:(b.has(e)?t:[...b,e]).join(` `)})},U=r.get(`open`),W=e=>{D.current=String(e),l({open:D.current})},G=e=>{D.current===U?history.back():l({open:null}),D.current=null,e===!0&&x.reload()},K=e=>`${v} ${M(e)}`;return i`${!A&&i`<${s} rows=${1} shape="form" />`}
    ${A&&i`<form class="card filters" onSubmit=${P} key=${v}>
      <div class="fields">
        <${g} label=${n(`data.resource`)} value=${v} options=${Object.keys(p)}
          onChange=${e=>l({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${L.map(z)}
      </div>
      <div class="more">
        <details open=${R.some(e=>I.has(e.name))}>
          <summary>${n(`data.more_filters`)}</summary>
          <div class="fields">${R.map(z)}</div>
        </details>
        <button class="main">${n(`data.search`)}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${x.busy?n(`loading`):n(x.next?`data.first`:`data.all`,{many:x.records.length})}
      </p>
      ${B.length>0&&i`<${S} key=${`${v} ${y}`} name=${v} query=${y}
        columns=${V} />`}
    </div>
    ${B.length>0&&i`<details>
        <summary>${n(`data.columns`)}</summary>
        <div class="bar" role="group" aria-label=${n(`data.columns`)}>
          ${B.map(e=>i`<button aria-pressed=${!b.has(e)} onClick=${()=>H(e)}>
              ${e}
            </button>`)}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${n(`nav.data`)}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${n(`data.open`)}</span></th>
            ${V.map(e=>i`<th scope="col">${e}</th>`)}
          </tr></thead>
          <tbody>${x.records.map(e=>i`<tr key=${M(e)}
              onClick=${t=>t.target.closest(`a, button`)||W(M(e))}>
              <td><button class="quiet" aria-label=${n(`data.open_of`,{what:K(e)})}
                onClick=${()=>W(M(e))}>${n(`data.open`)}</button></td>
              ${V.map(t=>i`<td data-name=${t} dir="auto">
                  ${j(t,e[t],n)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${B.length===0&&!x.busy&&!x.error&&i`<${t}>${n(`data.none`)}<//>`}
    <${a} list=${x} scrolls />
    ${U&&A&&i`<${k} key=${`${v} ${U}`} name=${v} id=${U} resource=${A} onClose=${G} />`}`}export{I as View};