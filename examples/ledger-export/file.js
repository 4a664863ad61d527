/** A CSV file that is written page by page, and resumed after a crash. */
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'

const columns = [
  'arrangementId',
  'accountNumber',
  'currency',
  'entryId',
  'postingInstructionId',
  'side',
  'amount',
  'balanceAfter',
  'bookedAt',
  'valueDate',
]

/**
 * Opens the export that will have this path. Beside the incomplete file is a checkpoint with its
 * length: what was written after the last checkpoint is cut off.
 * @param {string} path
 */
export function openExport(path) {
  const partPath = `${path}.part`
  const checkpointPath = `${path}.checkpoint`
  if (!existsSync(checkpointPath)) writeFileSync(partPath, `${columns.join(',')}\r\n`)
  const start = { cursor: null, isComplete: false, count: 0, totals: [] }
  const checkpoint = existsSync(checkpointPath)
    ? JSON.parse(readFileSync(checkpointPath, 'utf8'))
    : { ...start, bytes: readFileSync(partPath).length }
  truncateSync(partPath, checkpoint.bytes)
  /** @type {Map<string, { debit: bigint, credit: bigint }>} */
  const totals = new Map(
    checkpoint.totals.map(([currency, debit, credit]) => [
      currency,
      { debit: BigInt(debit), credit: BigInt(credit) },
    ]),
  )
  let { bytes, count, cursor, isComplete } = checkpoint
  return {
    totals,
    get cursor() {
      return cursor
    },
    get count() {
      return count
    },
    get isComplete() {
      return isComplete
    },
    /**
     * Appends rows, and remembers where the next page begins.
     * @param {{ cursor: string | null, isComplete: boolean }} next
     */
    append(rows, next) {
      const text = rows.map((row) => `${columns.map((name) => row[name]).join(',')}\r\n`).join('')
      appendFileSync(partPath, text, { flush: true })
      for (const { currency, side, amountMinor } of rows) {
        const total = totals.get(currency) ?? { debit: 0n, credit: 0n }
        total[side === 'DEBIT' ? 'debit' : 'credit'] += amountMinor
        totals.set(currency, total)
      }
      bytes += Buffer.byteLength(text)
      count += rows.length
      ;({ cursor, isComplete } = next)
      const sums = [...totals].map(([currency, { debit, credit }]) => [
        currency,
        `${debit}`,
        `${credit}`,
      ])
      const content = { bytes, count, cursor, isComplete, totals: sums }
      writeFileSync(`${checkpointPath}.new`, JSON.stringify(content), { flush: true })
      renameSync(`${checkpointPath}.new`, checkpointPath)
    },
    /** Gives the complete file its name. */
    publish() {
      renameSync(partPath, path)
      rmSync(checkpointPath)
    },
  }
}
