
import{t as e}from"./client.js";import{f as t,g as n}from"./first.js";import{$ as r,J as i,V as a,X as o,Y as s,q as c,r as l,tt as u}from"./common.js";import{i as d}from"./problem2.js";await t();const f=`event-capture token create --scope write --name console`;function p({authError:t,hasToken:p,isFirst:m,onToken:h,onCancel:g}){let{say:_}=i(),v=r(null),[y,b]=s(p?t:null),[x,S]=s(!1),C=t.status===403;o(()=>v.current.showModal(),[]);let w=async t=>{t.preventDefault();let r=new FormData(t.currentTarget),i=String(r.get(`token`)).trim();S(!0);try{if(!/^[!-~]+$/.test(i))throw Error(_(`token.invalid`));await new e(n,{token:i,retries:1}).feed(null),h(i,r.has(`stays`))}catch(e){b(e)}S(!1)},T=e=>{e.preventDefault(),C&&g()},E=()=>C?g():v.current?.showModal(),D=y&&(c(y)?_(`unsent`):Object.values(d(y,_)).join(` `));return u`<dialog ref=${v} class=${`sign-in ${m?`first`:``}`} aria-labelledby="ask"
    onCancel=${T} onClose=${E}>
    <${a} name="cheer" />
    <h2 id="ask">${_(`token.title`)}</h2>
    <p class="quiet">${_(`token.how`)}</p>
    <p class="quiet">${_(`token.make`)}</p>
    <p class="bar"><code>${f}</code> <${l} text=${f} /></p>
    <form onSubmit=${w}>
      <label class="field">${_(`token.label`)}
        <input name="token" type="password" autocomplete="off" required autofocus
          aria-invalid=${y?`true`:void 0} />
      </label>
      ${D&&u`<p class="error" role="alert">${D}</p>`}
      <label class="check"><input name="stays" type="checkbox" />${_(`token.stays`)}</label>
      <div class="bar">
        <button class="main" disabled=${x}>${_(`token.go`)}</button>
        ${C&&u`<button type="button" onClick=${g}>${_(`cancel`)}</button>`}
      </div>
    </form>
  </dialog>`}export{p as SignIn};