// Loads the typeface. A page imports this module after its first look, which it would delay on a slow network.

const href = new URL("typeface.css", import.meta.url).href;
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
