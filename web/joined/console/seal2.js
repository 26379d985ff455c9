
export{t as Seal}from"./seal.js";