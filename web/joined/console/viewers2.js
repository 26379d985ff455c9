
export{t as View}from"./viewers.js";