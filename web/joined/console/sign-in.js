
import{t as e}from"./client.js";import{O as t,m as n}from"./first.js";import{n as r}from"./program.js";import{n as i}from"./forms.js";import{A as a,O as o,S as s,T as c,b as l,p as u,s as d,w as f}from"./common.js";await n();const p=`${r} token create --scope import --name console`;function m({authError:n,hasToken:r,isFirst:m,onToken:h,onCancel:g}){let{say:_}=s(),v=o(null),[y,b]=f(r?n:null),[x,S]=f(!1),C=n.status===403;c(()=>v.current.showModal(),[]);let w=async n=>{n.preventDefault();let r=new FormData(n.currentTarget),i=String(r.get(`token`)).trim();S(!0);try{if(!/^[!-~]+$/.test(i))throw Error(_(`token.invalid`));await new e(t,{token:i,retries:1}).feed(null),h(i,r.has(`stays`))}catch(e){b(e)}S(!1)},T=e=>{e.preventDefault(),C&&g()},E=()=>C?g():v.current?.showModal(),D=y&&(l(y)?_(`unsent`):Object.values(d(y,_)).join(` `));return a`<dialog ref=${v} class=${`sign-in ${m?`first`:``}`} aria-labelledby="ask"
    onCancel=${T} onClose=${E}>
    <${u} name="cheer" />
    <h2 id="ask">${_(`token.title`)}</h2>
    <p class="quiet">${_(`token.how`)}</p>
    <p class="quiet">${_(`token.make`)}</p>
    <p class="bar"><code>${p}</code> <${i} text=${p} /></p>
    <form onSubmit=${w}>
      <label class="field">${_(`token.label`)}
        <input name="token" type="password" autocomplete="off" required autofocus
          aria-invalid=${y?`true`:void 0} />
      </label>
      ${D&&a`<p class="error" role="alert">${D}</p>`}
      <label class="check"><input name="stays" type="checkbox" />${_(`token.stays`)}</label>
      <div class="bar">
        <button class="main" disabled=${x}>${_(`token.go`)}</button>
        ${C&&a`<button type="button" onClick=${g}>${_(`cancel`)}</button>`}
      </div>
    </form>
  </dialog>`}export{m as SignIn};