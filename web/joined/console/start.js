
export{t as FIRST_ROWS,n as firstTexts}from"./first.js";