
import{S as e,k as t}from"./common.js";function n({ranks:n}){let{say:r}=e();return t`<ol class="top">${n.map(({value:e,user:{user_id:n,name:i}})=>t`<li key=${n}><div>
    <a class="name" dir="auto" title=${i} href=${`#/viewers/${n}`}>${i}</a>${` `}
    <span class="amount">${r.number(e)}</span>
  </div></li>`)}</ol>`}export{n as t};