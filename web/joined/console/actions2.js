
import{i as e,o as t}from"./forms.js";import{i as n,n as r,r as i,t as a}from"./actions.js";export{a as Actions,e as Gaps,r as Picture,i as Recipients,t as followGaps,n as noticeOf};