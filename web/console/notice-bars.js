// What is true in every view, above it: that the service is away, and that all alerts are stopped.

import { Offline } from "./offline.js";
import { html } from "./parts.js";
// It tells about a service that is away, so it is loaded before.
import "./problem.js";
import { StopNotice } from "./stop-notice.js";
import { loadStyles } from "./styles.js";

await loadStyles("notice-bars.css");

export const Notices = () => html`<div class="notice-bars"><${Offline} /><${StopNotice} /></div>`;
