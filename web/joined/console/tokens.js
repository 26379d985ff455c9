
import{c as e,p as t,u as n}from"./forms.js";import{C as r,S as i,h as a,k as o,t as s}from"./common.js";function c(){let{client:c,say:l,signOut:u}=i(),{value:d,error:f,reload:p}=s(()=>c.get(`/tokens`),`tokens`),[m,h]=r(null),[g,_]=r(null),v=async({name:e})=>{let{token:t}=await c.post(`/tokens`,{name:e});h(t),p()},y=e=>c.delete(`/tokens/${e}`).then(p,_),b=[`name`,`scope`,`created`,`expires`,`used`].map(e=>l(`tokens.${e}`)),x={label:o`<span class="unseen">${l(`tokens.revoke`)}</span>`},S=(e,t)=>o`<td data-label=${b[e]}>${t}</td>`,C=({token_id:t,name:n,scope:r,created_at:i,expires_at:a,used_at:s})=>o`<tr key=${t}>
    <td dir="auto"><strong>${n}</strong></td>
    ${S(1,l(`scope.${r}`))}${S(2,l.time(i))}${S(3,a?l.date(a):l(`tokens.never`))}
    ${S(4,s?l.ago(s):u?l(`tokens.never`):`–`)}
    <td class="amount"><${e} className="quiet bad" label=${l(`tokens.revoke`)} question=${l(`tokens.sure`)}
      note=${l(`tokens.note`)}
      description=${l(`tokens.revoke_of`,{name:n})} act=${()=>y(t)} /></td>
  </tr>`;return o`<section class="card tokens">
    ${!u&&o`<p class="quiet">${l(`tokens.unchecked`)}</p>`}
    ${d?.length>0&&o`<${t} label=${l(`tokens.title`)} columns=${[...b,x]}>${d.map(C)}<//>`}
    ${d?.length===0&&o`<p class="quiet">${l(`tokens.empty`)}</p>`}
    <${n} submit=${l(`tokens.make`)} isMain=${!1} send=${v}
      fields=${[{name:`name`,label:l(`tokens.label`),required:!0,maxlength:100}]} />
    ${m&&o`<p role="status">${l(`tokens.made`)} <code>${m}</code></p>`}
    <${a} error=${g??f} onRetry=${f&&p} />
  </section>`}export{c as Tokens};