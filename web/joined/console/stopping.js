
export{c as outcomeOf}from"./overlay.js";