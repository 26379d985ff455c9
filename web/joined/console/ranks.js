
import{A as e,S as t}from"./common.js";function n({ranks:n}){let{say:r}=t();return e`<ol class="top">${n.map(({value:t,user:{user_id:n,name:i}})=>e`<li key=${n}><div>
    <a class="name" dir="auto" title=${i} href=${`#/viewers/${n}`}>${i}</a>${` `}
    <span class="amount">${r.number(t)}</span>
  </div></li>`)}</ol>`}export{n as t};