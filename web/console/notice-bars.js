// What is loaded after a view's first rows: the notices above every view (the service is away, or all alerts are
// stopped), and the number of waiting purchases.

import { Offline } from "./offline.js";
import { html } from "../shared/parts.js";
import { StopNotice } from "./stop/stop-notice.js";

export { Waiting } from "./store/waiting.js";

export const Notices = () => html`<div class="notice-bars"><${Offline} /><${StopNotice} /></div>`;
