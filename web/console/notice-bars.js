// The notices above every view: the service is away, or all alerts are stopped.

import { Offline } from "./offline.js";
import { html } from "../shared/parts.js";
import { StopNotice } from "./stop/stop-notice.js";

export const Notices = () => html`<div class="notice-bars"><${Offline} /><${StopNotice} /></div>`;
