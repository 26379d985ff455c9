
export{t as Addresses}from"./addresses.js";