
export{t as Aside,n as useOverlay,r as useQueue}from"./aside.js";