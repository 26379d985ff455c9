
import{i as e,n as t,r as n,t as r}from"./actions.js";import{r as i,t as a}from"./gaps.js";export{r as Actions,a as Gaps,t as Picture,n as Recipients,i as followGaps,e as noticeOf};