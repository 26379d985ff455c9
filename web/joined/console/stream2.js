
export{t as Figure,n as Stream,i as Thanks,r as clock}from"./stream.js";