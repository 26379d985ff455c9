
import{S as e,n as t,w as n,x as r}from"./overlay.js";import{n as i,r as a}from"./addresses.js";import{f as o,l as s}from"./forms.js";import{A as c,S as l}from"./common.js";function u({overlay:u,settings:d,change:f}){let{say:p,parameters:m,setParameters:h}=l(),{leaderboard:g,recent:_,ticker:v,pets:y}=d,b=(e,t,n,r)=>c`<${o} label=${p(e)} type="number" step="1" value=${n} ...${r}
      onCommit=${e=>f(t,e===``?void 0:Number(e))} />`,x=(e,n,r,i,a)=>c`<${s} label=${p(e)} value=${r} options=${t(p,i,a)}
      onChange=${e=>f(n,e.currentTarget.value)} />`,S=t=>{let n=d[t];return c`${x(`goal.what`,[t,`of`],n.of,`goal`,e)}
      ${b(`goal.target`,[t,`target`],n.target,{min:1})}
      ${b(`goal.start`,[t,`start`],n.start,{min:0})}
      <${o} label=${p(`goal.name`)} value=${n.title} maxlength="100" onCommit=${e=>f([t,`title`],e||void 0)} />
      <${s} label=${p(`goal.since`)} type="date" value=${n.since?.slice(0,10)??``} onChange=${({currentTarget:{value:e}})=>f([t,`since`],e?`${e}T00:00:00Z`:void 0)} />`},C={goal:S(`goal`),goal2:S(`goal2`),leaderboard:c`${x(`board.what`,[`leaderboard`,`board`],g.board,`board`,r)}
      ${x(`board.period`,[`leaderboard`,`period`],g.period,`period`,n)}
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