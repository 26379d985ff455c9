
export{t as Thing}from"./thing.js";