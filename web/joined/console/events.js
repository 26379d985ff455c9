
export{i as sentence}from"./rows.js";