import { read, type Queries } from './read.ts'

const mostTogether = 2000
const mostBatches = 8

/**
 * Seals the journal: every posting, in the order in which the event log tells it, gets the SHA-256
 * of its content, and every batch of them the SHA-256 of these and of the seal before it. Off the path of the postings, in batches, all of it in
 * the database. Answers how many events it went through.
 */
export async function sealJournal(queries: Queries): Promise<number> {
  const sql = 'select ledger.seal_journal($1) as sealed'
  return (await read<{ sealed: number }>(queries, sql, [mostTogether]))[0]!.sealed
}

/** What a verification found. `badLine` is the first line that does not fit; null when all do. */
export interface Verification {
  linesChecked: number
  badLine: number | null
  postingInstructionId: string | null
  detail: string | null
  /** The seal of the last good line; kept elsewhere, it proves that nothing was cut off the end. */
  head: string
}

interface VerifiedRow {
  line: string
  posting_instruction_id: string | null
  hash: string
  fault: string | null
}

const verifySql = 'select * from ledger.verify_journal($1, $2, $3)'

/**
 * Compares the journal with its seals from the first line on. A changed, missing or exchanged line
 * is named; what was cut off the end is told by comparing `head` with one that was kept.
 */
export async function verifyJournal(queries: Queries): Promise<Verification> {
  let line = 0
  let head = '0'.repeat(64)
  for (;;) {
    const [row] = await read<VerifiedRow>(queries, verifySql, [line, head, mostBatches])
    const { fault: detail, posting_instruction_id: postingInstructionId, hash } = row!
    const reached = Number(row!.line)
    if (detail !== null) {
      const linesChecked = reached - 1
      return { linesChecked, badLine: reached, postingInstructionId, detail, head: hash }
    }
    head = hash
    if (reached === line) break
    line = reached
  }
  return { linesChecked: line, badLine: null, postingInstructionId: null, detail: null, head }
}
