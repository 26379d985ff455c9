// CSV files (RFC 4180) for spreadsheets, which must not interpret viewers' texts as formulas.

/** The places where a spreadsheet may recognize a formula: the start of each cell. German Excel also starts a cell
 * after a semicolon. It then ignores the quotes, so a line break also starts one. */
const FORMULA = /(^|[;\r\n])(?="*[=+\-@\t])/g;

/** Returns a value as a cell. @param {any} value */
function cell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "number" ? text : text.replace(FORMULA, "$1'");
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns rows of values as CSV lines. @param {any[]} rows */
export const toCsv = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`);
