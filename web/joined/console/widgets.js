
import{f as e,h as t,n,p as r}from"./overlay.js";import{n as i}from"./addresses.js";import{d as a,m as o}from"./forms.js";import{O as s,x as c}from"./common.js";function l({overlay:l,settings:u,change:d}){let{say:f,parameters:p,setParameters:m}=c(),{leaderboard:h,recent:g,ticker:_,pets:v}=u,y=(e,t,n,r)=>s`<${o} label=${f(e)} type="number" step="1" value=${n} ...${r}
      onCommit=${e=>d(t,e===``?void 0:Number(e))} />`,b=(e,t,r,i,o)=>s`<${a} label=${f(e)} value=${r} options=${n(f,i,o)}
      onChange=${e=>d(t,e.currentTarget.value)} />`,x=e=>{let t=u[e];return s`${b(`goal.what`,[e,`of`],t.of,`goal`,r)}
      ${y(`goal.target`,[e,`target`],t.target,{min:1})}
      ${y(`goal.start`,[e,`start`],t.start,{min:0})}
      <${o} label=${f(`goal.name`)} value=${t.title} maxlength="100" onCommit=${t=>d([e,`title`],t||void 0)} />
      <${a} label=${f(`goal.since`)} type="date" value=${t.since?.slice(0,10)??``} onChange=${({currentTarget:{value:t}})=>d([e,`since`],t?`${t}T00:00:00Z`:void 0)} />`},S={goal:x(`goal`),goal2:x(`goal2`),leaderboard:s`${b(`board.what`,[`leaderboard`,`board`],h.board,`board`,e)}
      ${b(`board.period`,[`leaderboard`,`period`],h.period,`period`,t)}
      ${y(`board.limit`,[`leaderboard`,`limit`],h.limit,{min:3,max:10})}`,recent:y(`recent.limit`,[`recent`,`limit`],g.limit,{min:1,max:10}),ticker:y(`ticker.limit`,[`ticker`,`limit`],_.limit,{min:1,max:30}),pets:s`${y(`pets.limit`,[`pets`,`limit`],v.limit,{min:1,max:30})}
      <label class="check"><input type="checkbox" checked=${v.names}
        onChange=${e=>d([`pets`,`names`],e.currentTarget.checked)} />
        ${f(`pets.names`)}</label>`},C=Object.keys(S),w=C.includes(p.get(`widget`))?p.get(`widget`):C[0];return s`<section class="card widgets" aria-label=${f(`alerts.widgets`)}>
    <div class="bar" role="group" aria-label=${f(`alerts.widgets`)}>
      ${C.map(e=>s`<button key=${e} aria-pressed=${e===w}
        onClick=${()=>m({widget:e})}>${f(`widget.${e}`)}</button>`)}
    </div>
    <div class="fields" key=${w}>${S[w]}</div>
    <iframe key=${`${w} frame`} class=${w} src=${i(w,`overlay=${l.overlay_id}`)}
      title=${f(`widget.${w}`)} loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${f(w===`pets`?`pets.how`:`widget.live`)}</p>
  </section>`}export{l as Widgets};