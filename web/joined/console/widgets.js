
import{f as e,h as t,n,p as r}from"./overlay.js";import{n as i,r as a}from"./addresses.js";import{d as o,m as s}from"./forms.js";import{O as c,x as l}from"./common.js";function u({overlay:u,settings:d,change:f}){let{say:p,parameters:m,setParameters:h}=l(),{leaderboard:g,recent:_,ticker:v,pets:y}=d,b=(e,t,n,r)=>c`<${s} label=${p(e)} type="number" step="1" value=${n} ...${r}
      onCommit=${e=>f(t,e===``?void 0:Number(e))} />`,x=(e,t,r,i,a)=>c`<${o} label=${p(e)} value=${r} options=${n(p,i,a)}
      onChange=${e=>f(t,e.currentTarget.value)} />`,S=e=>{let t=d[e];return c`${x(`goal.what`,[e,`of`],t.of,`goal`,r)}
      ${b(`goal.target`,[e,`target`],t.target,{min:1})}
      ${b(`goal.start`,[e,`start`],t.start,{min:0})}
      <${s} label=${p(`goal.name`)} value=${t.title} maxlength="100" onCommit=${t=>f([e,`title`],t||void 0)} />
      <${o} label=${p(`goal.since`)} type="date" value=${t.since?.slice(0,10)??``} onChange=${({currentTarget:{value:t}})=>f([e,`since`],t?`${t}T00:00:00Z`:void 0)} />`},C={goal:S(`goal`),goal2:S(`goal2`),leaderboard:c`${x(`board.what`,[`leaderboard`,`board`],g.board,`board`,e)}
      ${x(`board.period`,[`leaderboard`,`period`],g.period,`period`,t)}
      ${b(`board.limit`,[`leaderboard`,`limit`],g.limit,{min:3,max:10})}`,recent:b(`recent.limit`,[`recent`,`limit`],_.limit,{min:1,max:10}),ticker:b(`ticker.limit`,[`ticker`,`limit`],v.limit,{min:1,max:30}),pets:c`${b(`pets.limit`,[`pets`,`limit`],y.limit,{min:1,max:30})}
      <label class="check"><input type="checkbox" checked=${y.names}
        onChange=${e=>f([`pets`,`names`],e.currentTarget.checked)} />
        ${p(`pets.names`)}</label>`},w=Object.keys(C),T=w.includes(m.get(`widget`))?m.get(`widget`):w[0],[E,D]=a(T);return c`<section class="card widgets" aria-label=${p(`alerts.widgets`)}>
    <div class="bar" role="group" aria-label=${p(`alerts.widgets`)}>
      ${w.map(e=>c`<button key=${e} aria-pressed=${e===T}
        onClick=${()=>h({widget:e})}>${p(`widget.${e}`)}</button>`)}
    </div>
    <div class="fields" key=${T}>${C[T]}</div>
    <iframe key=${`${T} frame`} src=${i(T,`overlay=${u.overlay_id}`)}
      style=${{aspectRatio:`${E} / ${D}`,maxWidth:`${E}px`}} title=${p(`widget.${T}`)}
      loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${p(T===`pets`?`pets.how`:`widget.live`,{size:`${E} × ${D}`})}</p>
  </section>`}export{u as Widgets};