// Draws a letter on a canvas: its picture, its stamps and its seal.

import { SHAPES, SHINE, stampSize, textSize } from "../../shared/picture.js";
import { sealOf } from "../../shared/seals.js";

// The seal's size and its distance from the edges, as fractions of the picture's shorter side.
const SEAL_SIZE = 0.24;
const SEAL_MARGIN = 0.03;

/**
 * Returns the centre and the size of a picture's seal.
 *
 * @param {number} width
 * @param {number} height
 */
export function sealPlace(width, height) {
  const side = Math.min(width, height);
  const size = side * SEAL_SIZE;
  const inset = size / 2 + side * SEAL_MARGIN;
  return { x: width - inset, y: height - inset, size };
}

/** Loads an image that a canvas may read. @param {string} url @returns {Promise<HTMLImageElement>} */
async function loadImage(url) {
  const image = new Image();
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode();
  return image;
}

/**
 * Draws with the origin moved, rotated and scaled.
 *
 * @param {any} context
 * @param {{x: number, y: number, rotation?: number, scale: any}} record
 * @param {() => void} drawShape
 */
function placed(context, { x, y, rotation = 0, scale }, drawShape) {
  context.save();
  context.translate(x, y);
  context.rotate(rotation);
  context.scale(scale, scale);
  drawShape();
  context.restore();
}

/**
 * @param {any} context
 * @param {{stamp_type: any, pos_x: any, pos_y: any, rotation: any}} record
 * @param {number} size
 * @param {number} maxWidth The picture's width.
 */
function drawStamp(context, { stamp_type: type, pos_x: x, pos_y: y, rotation }, size, maxWidth) {
  placed(context, { x, y, rotation, scale: size / 100 }, () => {
    context.lineJoin = "round";
    context.strokeStyle = "#fff";
    if (Object.hasOwn(SHAPES, type)) {
      const { path, shine, fill } = SHAPES[type];
      const shape = new Path2D(path);
      context.lineWidth = 9;
      context.shadowColor = "rgb(0 0 0 / 40%)";
      context.shadowBlur = context.shadowOffsetY = size * 0.04;
      context.stroke(shape);
      context.shadowColor = "transparent";
      context.fillStyle = fill;
      context.fill(shape);
      Object.assign(context, { strokeStyle: SHINE, lineCap: "round", lineWidth: 5 });
      context.stroke(new Path2D(shine));
      return;
    }
    const { height } = textSize(type, 100, (maxWidth * 100) / size);
    context.font = `700 ${height}px ${getComputedStyle(document.body).fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = height * 0.15;
    context.strokeText(type, 0, 0);
    context.fillStyle = "#c2274b";
    context.fillText(type, 0, 0);
  });
}

/**
 * @param {any} context
 * @param {number} seal
 * @param {{x: number, y: number, size: number}} record
 */
function drawSeal(context, seal, { x, y, size }) {
  const { layers, number, digits } = sealOf(seal);
  placed(context, { x, y, scale: size / 104 }, () => {
    context.lineCap = "round";
    for (const { d, fill = "transparent", stroke = "transparent", width = 1, at = 0 } of layers) {
      const path = new Path2D(d);
      context.translate(at, at);
      Object.assign(context, { fillStyle: fill, strokeStyle: stroke, lineWidth: width });
      context.fill(path, "evenodd");
      context.stroke(path);
      context.translate(-at, -at);
    }
    if (!number) return;
    context.font = `${digits["font-weight"]} ${digits["font-size"]}px ${getComputedStyle(document.body).fontFamily}`;
    Object.assign(context, { fillStyle: digits.fill, strokeStyle: digits.stroke, lineWidth: digits["stroke-width"] });
    Object.assign(context, { textAlign: "center", lineJoin: digits["stroke-linejoin"] });
    context.strokeText(number, 0, digits.y);
    context.fillText(number, 0, digits.y);
  });
}

/**
 * Draws a letter as one picture. Animations are drawn as their first image.
 *
 * @returns {Promise<Blob>} a PNG. Rejects if the image cannot be loaded, or its host does not let a page read it.
 * @param {{document_data: any, seal: number, stamps: any}} record
 */
export async function letterBlob({ document_data: url, seal, stamps }) {
  const image = await loadImage(url);
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0);
  for (const stamp of stamps) drawStamp(context, stamp, stampSize(width, height), width);
  drawSeal(context, seal, sealPlace(width, height));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
