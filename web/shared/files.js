/** The URL of the folder with the pages' files. Its path may have their version. */
export const files = import.meta.url.replace(/^(.*)\/(console|docs|overlay|shared|viewer)\/.*$/, "$1");
