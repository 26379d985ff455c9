
import{f as e}from"./settings.js";import{H as t,Y as n}from"./common.js";function r({theme:r,onChange:i}){let{say:a}=t();return n`<fieldset class="themes">
    <legend>${a(`alerts.theme`)}</legend>
    ${e.map(e=>n`<label key=${e} class=${`theme ${e} ${e===r?`chosen`:``}`}>
        <input type="radio" name="theme" checked=${e===r} onChange=${()=>i(e)} />
        <span class="sample" aria-hidden="true">Ann</span> ${a(`theme.${e}`)}
      </label>`)}
  </fieldset>`}export{r as t};