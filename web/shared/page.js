// The address of the service: the part of the page's URL before `/console/`, `/overlay/`, `/viewer/` or `/docs/`.

export const base = location.origin + location.pathname.replace(/\/(overlay|console|viewer|docs)(\/.*)?$/, "");
