
import{c as e,n as t,p as n,u as r}from"./forms.js";import{A as i,S as a,h as o,t as s,w as c}from"./common.js";function l(){let{client:l,say:u,signOut:d}=a(),{value:f,error:p,reload:m}=s(()=>l.get(`/tokens`),`tokens`),[h,g]=c(null),[_,v]=c(null),y=async({name:e})=>{let{token:t}=await l.post(`/tokens`,{name:e});g(t),m()},b=e=>l.delete(`/tokens/${e}`).then(m,v),x=[`name`,`scope`,`created`,`expires`,`used`].map(e=>u(`tokens.${e}`)),S={label:i`<span class="unseen">${u(`tokens.revoke`)}</span>`},C=(e,t)=>i`<td data-label=${x[e]}>${t}</td>`,w=({token_id:t,name:n,scope:r,created_at:a,expires_at:o,used_at:s})=>i`<tr key=${t}>
    <td dir="auto"><strong>${n}</strong></td>
    ${C(1,u(`scope.${r}`))}${C(2,u.time(a))}${C(3,o?u.date(o):u(`tokens.never`))}
    ${C(4,s?u.ago(s):d?u(`tokens.never`):`–`)}
    <td class="amount"><${e} className="quiet bad" label=${u(`tokens.revoke`)} question=${u(`tokens.sure`)}
      note=${u(`tokens.note`)}
      description=${u(`tokens.revoke_of`,{name:n})} act=${()=>b(t)} /></td>
  </tr>`;return i`<section class="card tokens">
    ${!d&&i`<p class="quiet">${u(`tokens.unchecked`)}</p>`}
    ${f?.length>0&&i`<${n} label=${u(`tokens.title`)} columns=${[...x,S]}>${f.map(w)}<//>`}
    ${f?.length===0&&i`<p class="quiet">${u(`tokens.empty`)}</p>`}
    <${r} submit=${u(`tokens.make`)} isMain=${!1} send=${y}
      fields=${[{name:`name`,label:u(`tokens.label`),required:!0,maxlength:100}]} />
    ${h&&i`<p role="status">${u(`tokens.made`)} <code>${h}</code> <${t} text=${h} /></p>`}
    <${o} error=${_??p} onRetry=${p&&m} />
  </section>`}export{l as Tokens};