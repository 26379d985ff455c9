
export{t as Addresses,n as addressOf}from"./addresses.js";