
import{A as e,S as t,h as n}from"./common.js";function r(){let{say:r}=t();return e`<h1>${r(`not_found`)}</h1><${n} error=${{status:404}} />`}export{r as View};