
import{H as e,P as t,Y as n}from"./common.js";function r(){let{say:r}=e();return n`<h1>${r(`not_found`)}</h1>
    <${t}>${r(`not_found.view`)} <a href="#/">${r(`nav.overview`)}</a><//>`}export{r as View};