
const e=(e,t=1e3,n=3e4)=>Math.min(n,t*2**Math.min(e-1,20)),t=e=>e*(.5+Math.random()/2);export{t as n,e as t};