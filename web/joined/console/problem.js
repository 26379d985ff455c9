
export{t as Card,n as Countdown,r as errorText,i as explain}from"./problem2.js";