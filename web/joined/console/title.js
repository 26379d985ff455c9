
import{W as e}from"./common.js";function t(t){e(()=>{if(!t)return;let{title:e}=document;return document.title=`${t} · ${e}`,()=>{document.title=e}},[t])}export{t};