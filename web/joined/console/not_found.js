
import{O as e,f as t,x as n}from"./common.js";function r(){let{say:r}=n();return e`<h1>${r(`not_found`)}</h1>
    <${t}>${r(`not_found.view`)} <a href="#/">${r(`nav.overview`)}</a><//>`}export{r as View};