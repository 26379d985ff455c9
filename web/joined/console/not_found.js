
import{A as e,C as t,g as n}from"./common.js";function r(){let{say:r}=t();return e`<h1>${r(`not_found`)}</h1><${n} error=${{status:404}} />`}export{r as View};