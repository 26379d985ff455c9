// Creates elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/**
 * Creates an SVG element.
 *
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...Node} children
 */
export function drawing(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, String(value));
  node.append(...children);
  return node;
}
