
export{t as Addresses,n as addressOf,r as sizeOf}from"./addresses.js";