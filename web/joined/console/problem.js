
export{i as Card,a as Countdown,o as errorText,s as explain}from"./common.js";