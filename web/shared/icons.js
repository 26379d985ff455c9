// The icons for kinds of events and for the console's views: paths in a 24 by 24 square.

/** @type {Record<string, string>} */
export const ICONS = {
  plain: "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9l-5 5v-5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z",
  notice: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm-1 8v7h2v-7Zm0-4v2h2V6Z",
  subscriber: "m12 2 3 6.6 7 .8-5.2 4.8 1.4 7L12 17.7 5.8 21.2l1.4-7L2 9.4l7-.8Z",
  cheer: "m12 2 9 12-9 8-9-8Z",
  raid:
    "M8 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm8.5 1.5a3 3 0 1 1 0 6.5 3 3 0 0 1 0-6.5ZM1 20c0-4 3-7 7-7s7 3 7 7Z" +
    "m16 0c0-2.5-.7-4.6-2-6.2 4-1.5 8 1.5 8 6.2Z",
  gift: "M3 8h18v4H3Zm1 5h7v8H4Zm9 0h7v8h-7ZM12 8C9 8 6 7 6 5s3-3 6 3c3-6 6-5 6-3s-3 3-6 3Z",
  follow: "M12 21C2 14 2 4 8 4c2 0 3 1 4 3 1-2 2-3 4-3 6 0 6 10-4 17Z",
  redemption: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm0 4-4 6 4 6 4-6Z",
  stamp: "M9 2h6v3l-1 5h5a2 2 0 0 1 2 2v5H3v-5a2 2 0 0 1 2-2h5L9 5Zm-6 17h18v3H3Z",
  document: "M3 5h18a1 1 0 0 1 1 1v1l-10 6L2 7V6a1 1 0 0 1 1-1ZM2 9.500l10 6 10-6V18a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1Z",
  overview: "M3 3h8v10H3Zm10 0h8v6h-8Zm0 8h8v10h-8ZM3 15h8v6H3Z",
  activity: "M3 5h18v3H3Zm0 5h18v3H3Zm0 5h12v3H3Z",
  letters:
    "M3 4h18a1 1 0 0 1 1 1v1l-10 6.500L2 6V5a1 1 0 0 1 1-1Z" +
    "M2 8.500l10 6.500 10-6.500V19a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1Z",
  store: "M7 7a5 5 0 0 1 10 0h4l-1 14H4L3 7Zm2 0h6a3 3 0 0 0-6 0Z",
  commands: "M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm7 2.500v6h2v-6Zm0 7.500v2h2v-2Z",
  rules: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm-1.5 5v3.500H7v3h3.500V17h3v-3.500H17v-3h-3.500V7Z",
  streams: "M3 4h18v2H3Zm0 2h2v10h14V6h2v12H3Zm6 13h6v2H9Zm1-11v6l5-3Z",
  analytics: "M4 13h4v8H4Zm6-9h4v17h-4Zm6 5h4v12h-4Z",
  alerts: "M12 2a7 7 0 0 0-7 7v5l-2 4h18l-2-4V9a7 7 0 0 0-7-7Zm-3 17a3 3 0 0 0 6 0Z",
  data:
    "M12 2c5 0 9 1.3 9 3s-4 3-9 3-9-1.3-9-3 4-3 9-3ZM3 8c2 1.5 5.5 2 9 2s7-.5 9-2v5c0 1.7-4 3-9 3s-9-1.3-9-3Z" +
    "m0 8c2 1.5 5.5 2 9 2s7-.5 9-2v3c0 1.7-4 3-9 3s-9-1.3-9-3Z",
  warning: "M12 2 23 21H1Zm-1 7v6h2V9Zm0 8v2h2v-2Z",
  dots: "M4 10h4v4H4Zm6 0h4v4h-4Zm6 0h4v4h-4Z",
  halt: "M6 4h4v16H6Zm8 0h4v16h-4Z",
  play: "M6 3l15 9-15 9Z",
  next: "M4 4l10 8-10 8Zm12 0h4v16h-4Z",
  cross: "m5 3.600 7 7 7-7 1.400 1.400-7 7 7 7-1.400 1.400-7-7-7 7L3.600 19l7-7-7-7Z",
  left: "m15 4 1.500 1.500L10 12l6.500 6.500L15 20l-8-8Z",
  right: "m9 4-1.500 1.500L14 12l-6.500 6.500L9 20l8-8Z",
  again: "M12 4a8 8 0 1 1-8 8h2.500a5.500 5.500 0 1 0 1.600-3.900L11 11H3V3l3.300 3.300A8 8 0 0 1 12 4Z",
  search:
    "M10 3a7 7 0 0 1 5.600 11.200l5.100 5.100-1.400 1.400-5.100-5.100A7 7 0 1 1 10 3Z" +
    "m0 2a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z",
  settings:
    "M10 2h4l.6 3 2.3 1.3 2.9-1 2 3.400L19.5 11v2l2.3 2.3-2 3.400-2.9-1L14.600 19l-.6 3h-4" +
    "l-.6-3-2.3-1.3-2.9 1-2-3.400L4.500 13v-2L2.200 8.700l2-3.400 2.9 1L9.400 5Z" +
    "M12 8.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z",
};

ICONS.recipient = ICONS.subscriber;
ICONS.viewers = ICONS.raid;
ICONS.purchase = ICONS.store;
