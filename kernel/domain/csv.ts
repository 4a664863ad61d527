/** A row of a file: the texts by the names of their columns. */
export type CsvRow = Readonly<Record<string, string>>

/**
 * Returns rows as comma-separated values (RFC 4180): lines end with CRLF, and a text with a comma, a
 * quotation mark or a line break is in quotation marks. A text that a spreadsheet would execute as a
 * formula gets an apostrophe in front; numbers are left as they are.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly CsvRow[],
  hasHeader = true,
): string {
  const lines = rows.map((row) => columns.map((column) => fieldOf(row[column]!)))
  const all = hasHeader ? [columns, ...lines] : lines
  return all.map((fields) => `${fields.join(',')}\r\n`).join('')
}

const number = /^-?\d+(\.\d+)?$/

function fieldOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
