// Loads the styles that the frame and the list of events do not need.

document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("more.css", import.meta.url).href }));
