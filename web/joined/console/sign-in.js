
import{t as e}from"./client.js";import{O as t,m as n}from"./first.js";import{i as r}from"./forms.js";import{C as i,E as a,O as o,S as s,p as c,s as l,x as u,y as d}from"./common.js";await n();const f=`event-capture token create --scope write --name console`;function p({authError:n,hasToken:p,isFirst:m,onToken:h,onCancel:g}){let{say:_}=u(),v=a(null),[y,b]=s(p?n:null),[x,S]=s(!1),C=n.status===403;i(()=>v.current.showModal(),[]);let w=async n=>{n.preventDefault();let r=new FormData(n.currentTarget),i=String(r.get(`token`)).trim();S(!0);try{if(!/^[!-~]+$/.test(i))throw Error(_(`token.invalid`));await new e(t,{token:i,retries:1}).feed(null),h(i,r.has(`stays`))}catch(e){b(e)}S(!1)},T=e=>{e.preventDefault(),C&&g()},E=()=>C?g():v.current?.showModal(),D=y&&(d(y)?_(`unsent`):Object.values(l(y,_)).join(` `));return o`<dialog ref=${v} class=${`sign-in ${m?`first`:``}`} aria-labelledby="ask"
    onCancel=${T} onClose=${E}>
    <${c} name="cheer" />
    <h2 id="ask">${_(`token.title`)}</h2>
    <p class="quiet">${_(`token.how`)}</p>
    <p class="quiet">${_(`token.make`)}</p>
    <p class="bar"><code>${f}</code> <${r} text=${f} /></p>
    <form onSubmit=${w}>
      <label class="field">${_(`token.label`)}
        <input name="token" type="password" autocomplete="off" required autofocus
          aria-invalid=${y?`true`:void 0} />
      </label>
      ${D&&o`<p class="error" role="alert">${D}</p>`}
      <label class="check"><input name="stays" type="checkbox" />${_(`token.stays`)}</label>
      <div class="bar">
        <button class="main" disabled=${x}>${_(`token.go`)}</button>
        ${C&&o`<button type="button" onClick=${g}>${_(`cancel`)}</button>`}
      </div>
    </form>
  </dialog>`}export{p as SignIn};