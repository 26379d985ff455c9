
export{t as FIRST_ROWS,n as firstTexts,r as requestRows}from"./first.js";