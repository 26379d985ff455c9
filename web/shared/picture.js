// A document: its image, with its stamps on it. Stamps are at pixels of the image from its top left, their centre there, turned
// clockwise by radians.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 0.16;

/** What stamps of the types look like that have a look of their own, in a square from -50 to 50; all others show their type. */
const SHAPES = {
  heart: { path: "M0 38C-52 4-46-40-20-40-8-40 0-28 0-22 0-28 8-40 20-40 46-40 52 4 0 38Z", fill: "#e5484d" },
  star: { path: "M0-46 13-15 46-13 20 8 29 42 0 23-29 42-20 8-46-13-13-15Z", fill: "#f5b301" },
  paw: {
    path: "M0 0C16 0 30 16 30 29 30 44 12 40 0 40S-30 44-30 29C-30 16-16 0 0 0ZM-34-14a10 13 0 1 0 .1 0ZM34-14a10 13 0 1 0 .1 0ZM-13-40a10 14 0 1 0 .1 0ZM13-40a10 14 0 1 0 .1 0Z",
    fill: "#8e6b4a",
  },
  check: { path: "M-40 4-26-10-10 8 28-36 42-22-10 36Z", fill: "#30a46c" },
};

function element(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** The mark of a type of stamp, around the origin, so large. */
function mark(type, size) {
  if (Object.hasOwn(SHAPES, type)) {
    const shape = SHAPES[type];
    const path = element("path", { d: shape.path, fill: shape.fill, stroke: "#fff", "stroke-width": 5, "paint-order": "stroke" });
    return element("g", { transform: `scale(${size / 100})` }, path);
  }
  const text = element("text", {
    "text-anchor": "middle",
    "dominant-baseline": "central",
    "font-size": size * 0.4,
    "font-weight": 700,
    fill: "#c2274b",
    stroke: "#fff",
    "stroke-width": size * 0.06,
    "paint-order": "stroke",
  });
  text.textContent = type;
  return element("g", {}, text);
}

/**
 * The picture of a document, as an element that has room for it; its stamps have the class `stamp`, in their order.
 *
 * @returns {Promise<SVGElement>} when the image is there; it rejects where it is not.
 */
export async function picture(shown, label) {
  const image = new Image();
  image.src = shown.document_data;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const drawn = element("svg", { viewBox: `0 0 ${width} ${height}`, class: "picture", role: "img" });
  const title = element("title", {});
  title.textContent = label;
  drawn.append(title, element("image", { href: shown.document_data, width, height }));
  const size = Math.max(12, Math.min(width, height) * SIZE);
  for (const stamp of shown.stamps) {
    const degrees = (stamp.rotation * 180) / Math.PI;
    const place = element("g", { transform: `translate(${stamp.pos_x} ${stamp.pos_y}) rotate(${degrees})` });
    const inner = element("g", { class: "stamp" }, mark(stamp.stamp_type, size));
    place.append(inner);
    drawn.append(place);
  }
  return drawn;
}
