
import{c as e,n as t,p as n,u as r}from"./forms.js";import{C as i,S as a,h as o,k as s,t as c}from"./common.js";function l(){let{client:l,say:u,signOut:d}=a(),{value:f,error:p,reload:m}=c(()=>l.get(`/tokens`),`tokens`),[h,g]=i(null),[_,v]=i(null),y=async({name:e})=>{let{token:t}=await l.post(`/tokens`,{name:e});g(t),m()},b=e=>l.delete(`/tokens/${e}`).then(m,v),x=[`name`,`scope`,`created`,`expires`,`used`].map(e=>u(`tokens.${e}`)),S={label:s`<span class="unseen">${u(`tokens.revoke`)}</span>`},C=(e,t)=>s`<td data-label=${x[e]}>${t}</td>`,w=({token_id:t,name:n,scope:r,created_at:i,expires_at:a,used_at:o})=>s`<tr key=${t}>
    <td dir="auto"><strong>${n}</strong></td>
    ${C(1,u(`scope.${r}`))}${C(2,u.time(i))}${C(3,a?u.date(a):u(`tokens.never`))}
    ${C(4,o?u.ago(o):d?u(`tokens.never`):`–`)}
    <td class="amount"><${e} className="quiet bad" label=${u(`tokens.revoke`)} question=${u(`tokens.sure`)}
      note=${u(`tokens.note`)}
      description=${u(`tokens.revoke_of`,{name:n})} act=${()=>b(t)} /></td>
  </tr>`;return s`<section class="card tokens">
    ${!d&&s`<p class="quiet">${u(`tokens.unchecked`)}</p>`}
    ${f?.length>0&&s`<${n} label=${u(`tokens.title`)} columns=${[...x,S]}>${f.map(w)}<//>`}
    ${f?.length===0&&s`<p class="quiet">${u(`tokens.empty`)}</p>`}
    <${r} submit=${u(`tokens.make`)} isMain=${!1} send=${y}
      fields=${[{name:`name`,label:u(`tokens.label`),required:!0,maxlength:100}]} />
    ${h&&s`<p role="status">${u(`tokens.made`)} <code>${h}</code> <${t} text=${h} /></p>`}
    <${o} error=${_??p} onRetry=${p&&m} />
  </section>`}export{l as Tokens};