// Files in CSV (RFC 4180) for spreadsheets, which must not take a viewer's text for a formula.

/** Where a spreadsheet may find a formula: at the begin of a cell. Excel's German form also begins one after a semicolon, and
 * knows no quotes inside of it, so that a line break begins one, too. */
const FORMULA = /(^|[;\r\n])(?="*[=+\-@\t])/g;

/** Returns a value as a cell. */
function cell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "number" ? text : text.replace(FORMULA, "$1'");
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns rows of values as lines in CSV. */
export const toCsv = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`);
