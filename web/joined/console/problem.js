
export{v as Card,y as Countdown,b as errorText,x as explain}from"./common.js";