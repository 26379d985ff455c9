
import{l as e,s as t}from"./forms.js";import{i as n,n as r,r as i,t as a}from"./actions.js";export{a as Actions,t as Gaps,r as Picture,i as Recipients,e as followGaps,n as noticeOf};