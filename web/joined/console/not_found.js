
import{O as e,h as t,x as n}from"./common.js";function r(){let{say:r}=n();return e`<h1>${r(`not_found`)}</h1><${t} error=${{status:404}} />`}export{r as View};