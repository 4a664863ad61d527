/** A row of an export: the texts by the names of the columns. */
export type ExportRow = Readonly<Record<string, string>>

/** The columns of the exported trial balance. Their names and their order are a contract. */
export const trialBalanceColumns = [
  'accounting_period',
  'account_number',
  'account_name',
  'account_type',
  'currency',
  'opening',
  'reclassified',
  'debit',
  'credit',
  'closing',
] as const

/** The columns of exported entries. Their names and their order are a contract. */
export const entryColumns = [
  'accounting_date',
  'value_date',
  'booked_at',
  'account_number',
  'account_name',
  'ledger_account_id',
  'posting_instruction_id',
  'entry_number',
  'debit',
  'credit',
  'currency',
] as const

/**
 * Returns rows as comma-separated values (RFC 4180): lines end with CRLF, and a text with a comma, a
 * quotation mark or a line break is in quotation marks.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly ExportRow[],
  hasHeader: boolean,
): string {
  const lines = rows.map((row) => columns.map((column) => fieldOf(row[column]!)))
  const all = hasHeader ? [columns, ...lines] : lines
  return all.map((fields) => `${fields.join(',')}\r\n`).join('')
}

function fieldOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
