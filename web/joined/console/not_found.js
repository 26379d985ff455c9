
import{B as e,J as t,tt as n}from"./common.js";function r(){let{say:r}=t();return n`<h1>${r(`not_found`)}</h1>
    <${e}>${r(`not_found.view`)} <a href="#/">${r(`nav.overview`)}</a><//>`}export{r as View};