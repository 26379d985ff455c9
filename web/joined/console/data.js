
import{O as e}from"./first.js";import{d as t,g as n,i as r,u as i,v as a,y as o}from"./forms.js";import{E as s,O as c,S as l,f as u,g as d,h as f,l as p,m,n as h,t as g,x as _}from"./common.js";const v=`${e}/docs/guides/?guide=transfer`;function y({text:e}){let{say:t}=_();return c`<div class="command">
    <code class="address">${e.split(` `).map(e=>c`<span>${e}</span> `)}</code>
    <${r} text=${e} description=${`${t(`copy`)}: ${e}`} />
  </div>`}function b(){let{say:t,signOut:n}=_(),r=`--url ${e||location.origin}${n?` --token TOKEN`:``}`,i=e=>`event-capture token create --scope ${e} --name archive`,a=(e,a)=>c`<section
    class="card archive">
    <h2>${t(`archive.${e}`)}</h2>
    <p>${t(`archive.${e}_what`)}</p>
    <ol>
      <li>${t(`archive.${e}_first`)}</li>
      <li>${t(`archive.run`)}<${y} text=${`event-capture ${e} ${r} ${a}`} />
        ${n&&c`<p>${t(`token.for_command`)}</p>
          <${y} text=${i(e===`export`?`read`:`import`)} />`}</li>
      <li>${t(`archive.${e}_result`)}</li>
    </ol>
  </section>`;return c`<div class="grid">
      ${a(`export`,`--to channel`)}
      ${a(`import`,`--from channel`)}
    </div>
    <p><a href=${v}>${t(`archive.guide`)}</a></p>`}const x=1e3;function S({name:e,query:t,columns:n}){let{client:r,say:i}=_(),[o,s]=l({text:``,error:null,busy:!1}),u=`${e}.csv`;return c`<div class="bar">
    <span class=${o.busy?`quiet`:`good`} role="status">${o.text}</span>
    <button onClick=${async()=>{let o=[],c=()=>s({text:i(`data.exporting`,{many:o.length}),busy:!0});c();try{for await(let i of r.list(`/${e}?${t}`,{retries:3,query:{limit:x}}))o.push(n.map(e=>i[e])),o.length%x==0&&c();a(u,[n,...o]),s({text:i(`data.exported`,{many:o.length,file:u})})}catch(e){s({text:``,error:e})}}} disabled=${o.busy}>${i(`data.export`)}</button>
    <${f} error=${o.error} />
  </div>`}const C=[`event_type`,`status`,`stamp_type`,`seal`,`name_prefix`,`name`,`user_name`,`cause`,`occurred_after`,`user_id`,`owner_id`,`document_id`,`active`,`forgotten`,`enabled`,`platform_id`,`created_after`],w=({schema:e})=>e.format===`date-time`;function T(e){let t=e=>e.name===`order`?2:Number(w(e)),n=[...e].sort((e,n)=>t(e)-t(n)),r=C.flatMap(e=>n.find(t=>t.name===e)??[]),i=[.../* @__PURE__ */ new Set([...r,...n])].slice(0,3);return{common:i,others:n.filter(e=>!i.includes(e))}}function E(e,t,n){let r=n.find(t=>t.name===e);return r&&w(r)?new Date(t).toISOString():t}function D(e){let t=new Date(e);return(/* @__PURE__ */ new Date(t.getTime()-t.getTimezoneOffset()*6e4)).toISOString().slice(0,19)}function O({filter:e,value:t}){let{name:n,schema:r}=e,i=r.enum??(r.type===`boolean`?[`true`,`false`]:null);if(i){let e=[``,...i].map(e=>c`<option selected=${e===t}>${e}</option>`);return c`<select name=${n}>${e}</select>`}return w(e)?c`<input type="datetime-local" step="1" name=${n} defaultValue=${t&&D(t)} />`:r.type===`integer`?c`<input inputmode="numeric" pattern="-?[0-9]+" name=${n} defaultValue=${t} />`:c`<input name=${n} defaultValue=${t} />`}function k({name:e,id:n,resource:r,onClose:a}){let{client:s,say:u}=_(),m=`/${e}/${n}`,{value:h,error:v,reload:y}=g(()=>s.request(`GET`,m),m),[b,x]=l(null),[S,C]=l(!1),[w,T]=l(r.fields[0]),E=h?.data,D=async e=>{e.preventDefault();try{let t=String(new FormData(e.currentTarget).get(`value`)),n=typeof E[w]==`string`&&t!==`null`?t:t===``?null:JSON.parse(t);await s.patch(m,{[w]:n},{ifMatch:h.etag}),C(!0),x(null),y()}catch(e){x(e instanceof SyntaxError?Error(u(`data.no_json`)):e)}},O=()=>s.delete(m,{ifMatch:h.etag}).then(()=>a(!0),x),k=E?.[w],M=typeof k==`string`?k:JSON.stringify(k??null);return c`<${o} title=${`${e} ${n}`} onClose=${()=>a(S)} className="drawer">
    <${f} error=${v} onRetry=${y} />
    ${!E&&!v&&c`<${d} rows=${5} />`}
    ${E&&c`<table class="fields-of"><tbody>${Object.entries(E).map(([e,t])=>c`<tr key=${e}>
    <th scope="row">${e}</th>
    <td dir="auto">
      ${typeof t==`object`&&t?c`<pre>${JSON.stringify(t,null,1).slice(0,4e3)}</pre>`:j(e,t,u,!1)}
    </td>
  </tr>`)}</tbody></table>
      ${r.links.length>0&&c`<h3>${u(`data.related`)}</h3>
        <p class="bar">${r.links.map(t=>c`<a class="button"
          href=${A(e,t,E)}>${t}</a>`)}</p>`}
      ${r.fields.length>0&&c`<h3>${u(`edit`)}</h3>
        <form onSubmit=${D} class="bar">
          <${t} label=${u(`data.field`)} value=${w} options=${r.fields}
            onChange=${e=>T(e.currentTarget.value)} />
          <label class="field grow"><span>${u(`data.value`)}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${w} ${JSON.stringify(k)}`}
              defaultValue=${M}></textarea>
          </label>
          <${p} class="main">${u(`save`)}<//>
        </form>`}
      <${f} error=${b} />
      ${r.canDelete&&c`<p>
        <${i} className="" label=${u(`delete`)} description=${u(`delete_of`,{name:`${e} ${n}`})}
          question=${u(`data.delete_sure`)} note=${u(`data.delete_note`)} act=${O} />
      </p>`}`}
  <//>`}function A(e,t,n){let r=(e,t,n)=>`#/data?${new URLSearchParams({resource:e,query:`${t}=${n}`})}`,i=(e,t)=>t?`#/data?${new URLSearchParams({resource:e,open:String(t)})}`:`#/data?resource=${e}`;return t===`user`||t===`owner`?i(`users`,n.user_id??n.owner_id):t===`document`?i(`documents`,n.document_id):e===`documents`&&t===`stamps`?r(`stamps`,`document_id`,n.document_id):t===`specimen`?r(`specimens`,`owner_id`,n.user_id):[`wallet`,`statistics`].includes(t)?`#/viewers/${n.user_id}`:r(t,[`specimens`,`inventory`].includes(t)?`owner_id`:`user_id`,n.user_id)}function j(e,t,n,r=!0){return t==null?r?``:c`<span class="quiet">–</span>`:e.endsWith(`_at`)?c`${n.time(t)} ${!r&&c`<span class="quiet">${t}</span>`}`:e===`user_id`||e===`owner_id`?c`<a href=${`#/viewers/${t}`}>${t}</a>`:e===`user`||e===`owner`?c`<a href=${`#/viewers/${t.user_id}`}>${t.name}</a>`:e===`details`||e===`settings`?JSON.stringify(t):Array.isArray(t)?t.map(e=>e.stamp_type??e.name??``).join(`, `):typeof t==`object`?Object.values(t)[0]:String(t)}const M=[`limit`,`cursor`],N=`events`,P=matchMedia(`(max-width: 44rem)`).matches?15:50;function F(e,t){let n=e=>t.schemas[e?.split(`/`).at(-1)??``]??{},r=e=>e?.$ref?n(e.$ref):e??{},i=r(e?.requestBody?.content[`application/json`].schema),a=i.anyOf??i.oneOf??[];return Object.keys(Object.assign({},i.properties,...a.map(e=>r(e).properties)))}function I({paths:e,components:t}){return Object.fromEntries(Object.entries(e).filter(([e,t])=>!e.includes(`{`)&&t.get?.parameters?.some(({name:e})=>e===`cursor`)).map(([n,r])=>{let i=Object.keys(e).find(e=>e.startsWith(`${n}/{`)&&e.split(`/`).length===3),a=Object.keys(e).filter(e=>e.startsWith(`${i}/`)).map(e=>e.slice((i??``).length+1)),o=e[i??``],s={filters:r.get.parameters.filter(({name:e})=>!M.includes(e)),id:/\{(\w+)\}/.exec(i??``)?.[1],fields:F(o?.patch,t),links:a.filter(e=>!e.includes(`/`)),canDelete:!!o?.delete};return[n.slice(1),s]}))}function L(){let{say:e}=_(),t={records:e(`data.records`),archive:e(`data.archive`)};return c`<h1>${e(`nav.data`)}</h1>
    <${n} label=${e(`nav.data`)} names=${t}>
      ${e=>e===`archive`?c`<${b} />`:c`<${R} />`}
    <//>`}function R(){let{client:e,say:n,parameters:r,setParameters:i}=_(),{value:a,error:o,reload:p}=g(async()=>I(await e.get(`/openapi.json`)),`openapi`),v=r.get(`resource`)??N,y=r.get(`query`)??``,b=new Set((r.get(`hidden`)??``).split(` `).filter(Boolean)),x=h(`/${v}?limit=${P}${y&&`&${y}`}`),[C,w]=l(0),D=s(null);if(o&&!a)return c`<${f} error=${o} onRetry=${p} />`;let A=a?.[Object.hasOwn(a,v)?v:N],M=e=>e[A?.id]??Object.values(e)[0],F=e=>{e.preventDefault();let t=[...new FormData(e.currentTarget)].filter(([,e])=>e!==``).map(([e,t])=>[e,E(e,t,A.filters)]);i({query:String(new URLSearchParams(t))}),w(C+1),String(r.get(`query`)??``)===y&&x.reload()},L=new URLSearchParams(y),{common:R,others:z}=T(A?.filters??[]),B=e=>c`<label class="field api"><span>${e.name}</span>
    <${O} filter=${e} value=${L.get(e.name)??``} />
  </label>`,V=e=>Object.keys(e).filter(t=>e[t]!==null),H=e=>e.endsWith(`_id`)&&e!==A?.id,U=[...new Set(x.records.flatMap(V))],W=[...U.filter(e=>!H(e)),...U.filter(H)],G=W.filter(e=>!b.has(e)),K=e=>{let t=[...b].filter(t=>t!==e);i({hidden:(b.has(e)?t:[...b,e]).join(` `)})},q=r.get(`open`),J=e=>{D.current=String(e),i({open:D.current})},Y=e=>{D.current===q?history.back():i({open:null}),D.current=null,e===!0&&x.reload()},X=e=>`${v} ${M(e)}`;return c`${!A&&c`<${d} rows=${1} shape="form" />`}
    ${A&&c`<form class="card filters" onSubmit=${F} key=${v}>
      <div class="fields">
        <${t} label=${n(`data.resource`)} value=${v} options=${Object.keys(a)}
          onChange=${e=>i({resource:e.currentTarget.value,query:null,hidden:null})} />
        ${R.map(B)}
      </div>
      <div class="more">
        <details open=${z.some(e=>L.has(e.name))}>
          <summary>${n(`data.more_filters`)}</summary>
          <div class="fields">${z.map(B)}</div>
        </details>
        <button class="main">${n(`data.search`)}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${x.busy?n(`loading`):n(x.next?`data.first`:`data.all`,{many:x.records.length})}
      </p>
      ${W.length>0&&c`<${S} key=${`${v} ${y}`} name=${v} query=${y}
        columns=${G} />`}
    </div>
    ${W.length>0&&c`<details>
        <summary>${n(`data.columns`)}</summary>
        <div class="bar" role="group" aria-label=${n(`data.columns`)}>
          ${W.map(e=>c`<button aria-pressed=${!b.has(e)} onClick=${()=>K(e)}>
              ${e}
            </button>`)}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${n(`nav.data`)}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${n(`data.open`)}</span></th>
            ${G.map(e=>c`<th scope="col">${e}</th>`)}
          </tr></thead>
          <tbody>${x.records.map(e=>c`<tr key=${M(e)}
              onClick=${t=>t.target.closest(`a, button`)||J(M(e))}>
              <td><button class="quiet" aria-label=${n(`data.open_of`,{what:X(e)})}
                onClick=${()=>J(M(e))}>${n(`data.open`)}</button></td>
              ${G.map(t=>c`<td data-name=${t} dir="auto">
                  ${j(t,e[t],n)}
                </td>`)}
            </tr>`)}</tbody>
        </table>
      </div>`}
    ${W.length===0&&!x.busy&&!x.error&&c`<${u}>${n(`data.none`)}<//>`}
    <${m} list=${x} scrolls />
    ${q&&A&&c`<${k} key=${`${v} ${q}`} name=${v} id=${q} resource=${A} onClose=${Y} />`}`}export{L as View};