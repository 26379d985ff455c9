
import{c as e,p as t,u as n}from"./forms.js";import{A as r,C as i,g as a,t as o,w as s}from"./common.js";function c(){let{client:c,say:l,signOut:u}=i(),{value:d,error:f,reload:p}=o(()=>c.get(`/tokens`),`tokens`),[m,h]=s(null),[g,_]=s(null),v=async({name:e})=>{let{token:t}=await c.post(`/tokens`,{name:e});h(t),p()},y=e=>c.delete(`/tokens/${e}`).then(p,_),b=[`name`,`scope`,`created`,`expires`,`used`].map(e=>l(`tokens.${e}`)),x={label:r`<span class="unseen">${l(`tokens.revoke`)}</span>`},S=(e,t)=>r`<td data-label=${b[e]}>${t}</td>`,C=({token_id:t,name:n,scope:i,created_at:a,expires_at:o,used_at:s})=>r`<tr key=${t}>
    <td dir="auto"><strong>${n}</strong></td>
    ${S(1,l(`scope.${i}`))}${S(2,l.time(a))}${S(3,o?l.date(o):l(`tokens.never`))}
    ${S(4,s?l.ago(s):u?l(`tokens.never`):`–`)}
    <td class="amount"><${e} className="quiet bad" label=${l(`tokens.revoke`)} question=${l(`tokens.sure`)}
      note=${l(`tokens.note`)}
      description=${l(`tokens.revoke_of`,{name:n})} act=${()=>y(t)} /></td>
  </tr>`;return r`<section class="card tokens">
    ${!u&&r`<p class="quiet">${l(`tokens.unchecked`)}</p>`}
    ${d?.length>0&&r`<${t} label=${l(`tokens.title`)} columns=${[...b,x]}>${d.map(C)}<//>`}
    ${d?.length===0&&r`<p class="quiet">${l(`tokens.empty`)}</p>`}
    <${n} submit=${l(`tokens.make`)} isMain=${!1} send=${v}
      fields=${[{name:`name`,label:l(`tokens.label`),required:!0,maxlength:100}]} />
    ${m&&r`<p role="status">${l(`tokens.made`)} <code>${m}</code></p>`}
    <${a} error=${g??f} onRetry=${f&&p} />
  </section>`}export{c as Tokens};