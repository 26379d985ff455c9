// A test alert's letter: a sealed sheet with stamps, drawn here.

const [WIDTH, HEIGHT] = [640, 420];
const INK = "#3b4a7a";

/** Returns a line of handwriting: loops of different heights. @param {number} y @param {number} length */
function writing(y, length) {
  const letters = Array.from({ length: Math.floor(length / 13) }, (_, index) => {
    const rise = 7 + 9 * Math.abs(Math.sin(index * 2.3 + y));
    const isGap = (index + y) % 6 === 5;
    return isGap ? "m13 0" : `c3 ${-rise} 10 ${-rise} 7 ${-rise / 3}s-6 ${rise / 3} 6 ${rise / 3}`;
  });
  return `M62 ${y}${letters.join("")}`;
}

/** Returns stripes along both long edges. */
function stripes() {
  const count = WIDTH / 40;
  const colors = ["#c8414b", "#4a66ad"];
  const all = Array.from({ length: count + 1 }, (_, index) => index * 40 - 10);
  const stripe = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ index) =>
    `<path d="M${x} ${y + 14}l12-14h20l-12 14Z" fill="${colors[index % 2]}"/>`;
  return all.map((x, index) => stripe(x, 0, index) + stripe(x, HEIGHT - 14, index)).join("");
}

const SHEET = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"
  viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs>
<linearGradient id="p" x2="1" y2="1">
<stop stop-color="#fffaf0"/><stop offset="1" stop-color="#f4e6c9"/></linearGradient>
<linearGradient id="s" x2="0" y2="1">
<stop stop-color="#ffd9a8"/><stop offset="1" stop-color="#ff9d94"/></linearGradient>
</defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#p)"/>
${stripes()}
<g fill="none" stroke="${INK}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
<path d="M64 96V52m0 24c8-10 20-8 20 3v17m14-24v24m0-36v1m14-12v32m0 14v1" stroke-width="5"/>
<path d="${writing(150, 270)}"/><path d="${writing(196, 250)}"/><path d="${writing(242, 280)}"/>
<path d="${writing(288, 190)}"/><path d="${writing(344, 120)}" stroke-width="4"/>
</g>
<g transform="rotate(3 480 150)">
<rect x="378" y="54" width="214" height="178" fill="#fff" stroke="#d9c7a3" stroke-width="2"/>
<rect x="390" y="66" width="190" height="142" fill="url(#s)"/>
<circle cx="530" cy="118" r="25" fill="#fff3c4"/>
<path d="M390 176c32-50 62-48 90-10 26-38 66-34 100 4v38H390Z" fill="#6f7fc4"/>
<path d="M390 194c50-30 120-28 190-4v18H390Z" fill="#4a8a6a"/>
<path d="M436 186v-26h34v26Zm-5-25 22-18 22 18Z" fill="#fff7e6" stroke="#7a4a3a" stroke-width="3"/>
</g>
</svg>`;

/** @type {{document_data: string, seal: number, metadata: null, stamps: object[]}} */
const LETTER = {
  document_data: `data:image/svg+xml,${encodeURIComponent(SHEET)}`,
  seal: 1,
  metadata: null,
  stamps: [
    { stamp_type: "star", pos_x: 352, pos_y: 292, rotation: -0.3 },
    { stamp_type: "paw", pos_x: 426, pos_y: 318, rotation: 0.15 },
    { stamp_type: "heart", pos_x: 340, pos_y: 372, rotation: 0.25 },
  ],
};

/** Returns a test's event. One that names the letter sample gets this letter. @param {any} event */
export const withSample = (event) => (event.details?.sample === "letter" ? { ...event, document: LETTER } : event);
