// The address of the service: the part of the page's URL before `/console/`, `/overlay/` or `/docs/`.

export const base = location.origin + location.pathname.replace(/\/(overlay|console|docs)(\/.*)?$/, "");
