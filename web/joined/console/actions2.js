
import{f as e,m as t}from"./common.js";import{i as n,n as r,r as i,t as a}from"./actions.js";export{a as Actions,e as Gaps,r as Picture,i as Recipients,t as followGaps,n as noticeOf};