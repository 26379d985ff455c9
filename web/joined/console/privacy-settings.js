
import{c as e,d as t,u as n}from"./forms.js";import{A as r,S as i,h as a,m as o,n as s,w as c}from"./common.js";import{t as l}from"./privacy.js";import{a as u,s as d}from"./viewers.js";function f(){let{client:f,say:p}=i(),m=s(`/opt-outs?limit=50`),[h,g]=c(null),[_,v]=c(null),y=()=>{v(null),m.reload()},b=async({viewer:e})=>{let t=e.trim();return g(/^[0-9]+$/.test(t)?{platform_id:t}:await x(t)),``},x=async e=>{let{records:t}=await f.page(`/users`,{query:{name_prefix:e,limit:2}}),n=t.filter(t=>t.name.toLowerCase()===e.toLowerCase());if(n.length!==1)throw Error(p(`privacy.error.unknown`));return n[0]},S=e=>f.delete(`/opt-outs/${e}`).then(y,e=>v(d(e,p))),C={name:`viewer`,label:p(`privacy.viewer`),required:!0,pattern:t,title:p(`privacy.error.empty`),maxlength:100},w=m.records.length===0&&!m.busy&&!m.error,T=e=>p(`privacy.since`,{id:String(e.opt_out_id),date:p.date(e.created_at)});return r`<section class="card">
    <p>${p(`privacy.list_how`)} <a href=${u}>${p(`privacy.guide`)}</a></p>
    ${w&&r`<p class="quiet">${p(`privacy.list_empty`)}</p>`}
    ${m.records.length>0&&r`<ul class="opt-outs" aria-label=${p(`privacy.list`)}>
      ${m.records.map(t=>r`<li key=${t.opt_out_id}>
        <span><strong dir="auto">${t.platform_id}</strong> <span class="quiet">${T(t)}</span></span>
        <${e} label=${p(`privacy.remove`)} description=${p(`privacy.remove_of`,{id:t.platform_id})}
          question=${p(`privacy.remove_sure`)} act=${()=>S(t.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${p(`privacy.remove_how`)}</p>`}
    <${o} list=${m} />
    <${n} submit=${p(`privacy.add`)} isMain=${!1} send=${b} fields=${[C]} />
    <p class="quiet">${p(`privacy.viewer_how`)}</p>
    <${a} error=${_} />
    ${h&&r`<${l} platformId=${h.platform_id} name=${h.name} onClose=${()=>g(null)}
      onDone=${y} />`}
  </section>`}export{f as PrivacySettings};