
import{S as e,h as t,k as n}from"./common.js";function r(){let{say:r}=e();return n`<h1>${r(`not_found`)}</h1><${t} error=${{status:404}} />`}export{r as View};