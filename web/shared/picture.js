// Draws a document: its image with its stamps. A stamp's position is its centre, in pixels from the image's top left.
// Its rotation is clockwise, in radians.

const SVG = "http://www.w3.org/2000/svg";
// A stamp's size, as a fraction of the picture's shorter side, and its minimum, in pixels.
const SIZE = 0.16;
const MIN_SIZE = 12;

/** The colour of a stamp's highlight. */
export const SHINE = "rgb(255 255 255 / 55%)";

/**
 * The shapes of known stamp types, in a square from -50 to 50, and their highlights. Other stamps show their type as
 * text.
 *
 * @type {Record<string, {path: string, shine: string, fill: string}>}
 */
export const SHAPES = {
  heart: {
    path: "M0 38C-52 4-46-40-20-40-8-40 0-28 0-22 0-28 8-40 20-40 46-40 52 4 0 38Z",
    shine: "M-31-13q1-13 10-16",
    fill: "#e5484d",
  },
  star: {
    path: "M0-46 13-15 46-13 20 8 29 42 0 23-29 42-20 8-46-13-13-15Z",
    shine: "M-31-7l22-1L-2-26",
    fill: "#f5b301",
  },
  paw: {
    path:
      "M0 0C16 0 30 16 30 29 30 44 12 40 0 40S-30 44-30 29C-30 16-16 0 0 0ZM-34-14a10 13 0 1 0 .1 0Z" +
      "M34-14a10 13 0 1 0 .1 0ZM-13-40a10 14 0 1 0 .1 0ZM13-40a10 14 0 1 0 .1 0Z",
    shine: "M-20 25q1-9 10-15M10-33q1-4 3-4M31-7q1-4 3-4",
    fill: "#8e6b4a",
  },
  check: {
    path: "M-40 4-26-10-10 8 28-36 42-22-10 36Z",
    shine: "M-31 3-25-2M-7 17 28-27",
    fill: "#30a46c",
  },
};

/**
 * Returns the side length of a picture's stamps.
 *
 * @param {number} width
 * @param {number} height
 */
export const stampSize = (width, height) => Math.max(MIN_SIZE, Math.min(width, height) * SIZE);

/** The approximate width of a character relative to its height: for letters, and for wider characters. */
const NARROW = 0.56;
const WIDE = 1.05;
const FIRST_WIDE = "\u2e80";

/**
 * Returns the character height of a text stamp, and its width. It never exceeds the picture.
 *
 * @param {string} text
 * @param {number} size A stamp's side length.
 * @param {number} maxWidth
 */
export function textSize(text, size, maxWidth) {
  const width = [...text].reduce((sum, one) => sum + (one < FIRST_WIDE ? NARROW : WIDE), 0);
  const height = Math.min(size * 0.4, maxWidth / width);
  return { height, width: width * height };
}

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {...Node} children
 * @returns {SVGElement}
 */
function element(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

/**
 * Returns a stamp type's drawing, centred on the origin, with the size in pixels.
 *
 * @param {string} type
 * @param {number} size
 * @param {number} maxWidth The picture's width.
 */
function stampShape(type, size, maxWidth) {
  if (Object.hasOwn(SHAPES, type)) {
    const { path, shine, fill } = SHAPES[type];
    const round = { "stroke-width": 9, "stroke-linejoin": "round", "paint-order": "stroke" };
    const shadow = element("path", { d: path, opacity: 0.3, stroke: "#000", transform: "translate(2 4)", ...round });
    const light = element("path", { d: shine, fill: "none", stroke: SHINE, "stroke-width": 5,
      "stroke-linecap": "round" });
    const sticker = element("path", { d: path, fill, stroke: "#fff", ...round });
    return element("g", { transform: `scale(${size / 100})` }, shadow, sticker, light);
  }
  const { height } = textSize(type, size, maxWidth);
  const text = element("text", {
    "text-anchor": "middle",
    "dominant-baseline": "central",
    "font-size": height,
    "font-weight": 700,
    fill: "#c2274b",
    stroke: "#fff",
    "stroke-width": height * 0.15,
    "paint-order": "stroke",
  });
  text.textContent = type;
  return element("g", {}, text);
}

/**
 * Draws a document. Its stamps are the elements of the class `stamp`, in order.
 *
 * @param {{document_data: string, stamps: any[]}} source
 * @param {string} label
 * @returns {Promise<SVGElement>} the drawing, after its image has loaded. Rejects if the image cannot be loaded.
 */
export async function picture(source, label) {
  const image = new Image();
  image.src = source.document_data;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, class: "picture", role: "img" });
  /** @type {any} */ (svg).style.setProperty("--ratio", String(width / height));
  const title = element("title", {});
  title.textContent = label;
  svg.append(title, element("image", { href: source.document_data, width, height }));
  const size = stampSize(width, height);
  for (const stamp of source.stamps) {
    const degrees = (stamp.rotation * 180) / Math.PI;
    const group = element("g", { transform: `translate(${stamp.pos_x} ${stamp.pos_y}) rotate(${degrees})` });
    const inner = element("g", { class: "stamp" }, stampShape(stamp.stamp_type, size, width));
    group.append(inner);
    svg.append(group);
  }
  return svg;
}
