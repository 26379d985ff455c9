
import{g as e}from"./first.js";const t=/\/[0-9a-f]{16}$/.test(e),n=t?`event-capture`:`cargo run --`;export{n,t};