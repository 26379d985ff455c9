
import{f as e,u as t}from"./forms.js";import{O as n,S as r,h as i,m as a,n as o,x as s}from"./common.js";import{t as c}from"./privacy.js";import{i as l,o as u}from"./viewers.js";function d(){let{client:d,say:f}=s(),p=o(`/opt-outs?limit=50`),[m,h]=r(``),[g,_]=r(null),v=()=>{_(null),p.reload()},y=async({platform_id:e})=>{let t=e.trim();if(!t)throw Error(f(`privacy.error.empty`));if(t.toLowerCase()===`anonymous`)throw Error(f(`privacy.error.reserved`));return h(t),``},b=e=>d.delete(`/opt-outs/${e}`).then(v,e=>_(u(e,f))),x={name:`platform_id`,label:f(`privacy.platform_id`),required:!0,inputmode:`numeric`,pattern:`\\s*[0-9]+\\s*`,title:f(`privacy.error.empty`),maxlength:1024},S=p.records.length===0&&!p.busy&&!p.error,C=e=>f(`privacy.since`,{id:String(e.opt_out_id),date:f.date(e.created_at)});return n`<section class="card">
    <p>${f(`privacy.list_how`)} <a href=${l}>${f(`privacy.guide`)}</a></p>
    ${S&&n`<p class="quiet">${f(`privacy.list_empty`)}</p>`}
    ${p.records.length>0&&n`<ul class="opt-outs" aria-label=${f(`privacy.list`)}>
      ${p.records.map(e=>n`<li key=${e.opt_out_id}>
        <span><strong dir="auto">${e.platform_id}</strong> <span class="quiet">${C(e)}</span></span>
        <${t} label=${f(`privacy.remove`)} description=${f(`privacy.remove_of`,{id:e.platform_id})}
          question=${f(`privacy.remove_sure`)} act=${()=>b(e.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${f(`privacy.remove_how`)}</p>`}
    <${a} list=${p} />
    <${e} submit=${f(`privacy.add`)} isMain=${!1} send=${y} fields=${[x]} />
    <p class="quiet">${f(`privacy.platform_id_how`)}</p>
    <${i} error=${g} />
    ${m&&n`<${c} platformId=${m} onClose=${()=>h(``)} onDone=${v} />`}
  </section>`}export{d as PrivacySettings};