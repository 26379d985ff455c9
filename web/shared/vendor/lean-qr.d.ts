// The types of lean-qr.js, as far as the pages use it.

export function generate(text: string): { size: number; get(x: number, y: number): boolean };
