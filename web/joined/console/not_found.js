
import{A as e,G as t,R as n}from"./common.js";function r(){let{say:r}=n();return t`<h1>${r(`not_found`)}</h1>
    <${e}>${r(`not_found.view`)} <a href="#/">${r(`nav.overview`)}</a><//>`}export{r as View};