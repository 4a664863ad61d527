import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { csvOf } from '../../../kernel/domain/csv.ts'
import { journalFileColumns, type JournalRow } from '../domain/journal-file.ts'
import type { JournalFileFormat } from '../model/journal-file.ts'

type Pages = AsyncIterable<readonly JournalRow[]>

/**
 * Returns a journal file in chunks. It reads a page when the chunk of the page before was taken, so
 * that the memory it needs does not depend on the number of pages. The same rows in the same pages
 * always give the same bytes.
 */
export function encodeJournal(format: JournalFileFormat, pages: Pages): AsyncGenerator<Buffer> {
  if (format === 'parquet') return encodeParquet(pages)
  return encodeLines(pages, format === 'csv' ? csvLines : jsonLines)
}

type Lines = (rows: readonly JournalRow[], isFirst: boolean) => string

const csvLines: Lines = (rows, isFirst) =>
  csvOf(
    journalFileColumns,
    rows.map(({ texts }) => texts),
    isFirst,
  )

const jsonLines: Lines = (rows) => rows.map(({ texts }) => `${JSON.stringify(texts)}\n`).join('')

async function* encodeLines(pages: Pages, linesOf: Lines): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const rows of pages) {
    const lines = linesOf(rows, isFirst)
    isFirst = false
    if (lines !== '') yield Buffer.from(lines)
  }
  // A month without entries has a header, too.
  const header = isFirst ? linesOf([], true) : ''
  if (header !== '') yield Buffer.from(header)
}

/** Each page is a row group. Only the positions and the statistics of row groups stay in memory. */
async function* encodeParquet(pages: Pages): AsyncGenerator<Buffer> {
  const writer = new ByteWriter()
  const take = () => {
    const bytes = Buffer.from(writer.getBytes())
    // The offset goes on: the footer names the places of the row groups in the whole file.
    writer.index = 0
    return bytes
  }
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
  })
  for await (const rows of pages) {
    if (rows.length === 0) continue
    await file.write({ columnData: columnsOf(rows), rowGroupSize: rows.length })
    yield take()
  }
  await file.finish()
  yield take()
}

function columnsOf(rows: readonly JournalRow[]) {
  return journalFileColumns.map((name) => {
    const column = { name, nullable: false }
    switch (name) {
      case 'booked_at':
        return { ...column, type: 'TIMESTAMP' as const, data: rows.map((row) => row.bookedAt) }
      case 'entry_number':
        return { ...column, type: 'INT32' as const, data: rows.map((row) => row.ordinal) }
      case 'amount_minor':
        return { ...column, type: 'INT64' as const, data: rows.map((row) => row.amountMinor) }
      case 'event_position':
        return { ...column, type: 'INT64' as const, data: rows.map((row) => row.position) }
      default:
        return { ...column, type: 'STRING' as const, data: rows.map((row) => row.texts[name]!) }
    }
  })
}
