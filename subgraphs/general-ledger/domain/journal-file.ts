import type { CsvRow } from '../../../kernel/domain/csv.ts'
import type { JournalFileFormat } from '../model/journal-file.ts'
import { entryColumns } from './export.ts'

/** The columns of journal files. Their names and their order are a contract. */
export const journalFileColumns = [
  ...entryColumns,
  'amount_minor',
  'event_position',
  'product_id',
  'segment',
] as const

/** A row of a journal file. */
export interface JournalRow {
  texts: CsvRow
  bookedAt: Date
  ordinal: number
  /** The amount in minor units. A debit is positive. */
  amountMinor: bigint
  /** The position of the event of the posting in the event log. */
  position: bigint
}

/** The totals of entries in one currency, in minor units. */
export interface CurrencyTotals {
  currency: string
  debitMinor: bigint
  creditMinor: bigint
}

/** Adds the rows of a journal file by currency, and counts them. */
export class JournalTotals {
  readonly #totals = new Map<string, CurrencyTotals>()
  rowCount = 0

  add({ texts, amountMinor }: JournalRow): void {
    const currency = texts['currency']!
    const totals = this.#totals.get(currency) ?? { currency, debitMinor: 0n, creditMinor: 0n }
    if (amountMinor > 0n) totals.debitMinor += amountMinor
    else totals.creditMinor -= amountMinor
    this.#totals.set(currency, totals)
    this.rowCount++
  }

  /** Returns the totals in the order of the currencies. */
  get currencies(): CurrencyTotals[] {
    return [...this.#totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
  }
}

const kinds = {
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
  ndjson: { extension: 'ndjson', mediaType: 'application/x-ndjson' },
  parquet: { extension: 'parquet', mediaType: 'application/vnd.apache.parquet' },
} satisfies Record<JournalFileFormat, { extension: string; mediaType: string }>

/** Returns the name and the media type of the journal file of a period. */
export function journalFileNames(accountingPeriodId: string, format: JournalFileFormat) {
  const { extension, mediaType } = kinds[format]
  return { fileName: `journal-${accountingPeriodId}.${extension}`, mediaType }
}
