
export{p as MAIN_KINDS,b as pathsOf}from"./common.js";