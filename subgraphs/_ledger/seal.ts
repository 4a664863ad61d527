import { createHash } from 'node:crypto'
import type pg from 'pg'
import { readConsumer } from '../_kernel/consumer.ts'
import { readLines } from './line.ts'
import { read, type Queries } from './read.ts'

const consumer = 'ledger-seal'
const mostTogether = 2000
const mostBatches = 8
const digestBytes = 32

// One text for all of them: thousands of rows cost more to read than to find.
const toldSql =
  "select string_agg(substr(subject, strpos(subject, '/') + 1), ' ' order by position) as ids from kernel.event " +
  "where position > $1 and position <= $2 and type like 'payments.posting-instruction.%'"
const digestsSql =
  "select string_agg(posting_instruction_id || ' ' || coalesce(digest, ''), ',') as digests " +
  'from ledger.posting_instruction where posting_instruction_id = any($1)'
const sealSql = 'select ledger.seal_lines($1, $2, $3, $4)'

/**
 * Seals the journal: the digests of the lines that the log told since the last time, in its order,
 * and over each batch of them and the seal before it one SHA-256. Off the path of the postings. Of
 * two that seal at once, one does. Answers how many events it went through.
 */
export async function sealJournal(queries: Pick<pg.Pool, 'query'>): Promise<number> {
  const { from, to } = await readConsumer(queries, consumer, mostTogether)
  if (from === to) return 0
  const [told] = await read<{ ids: string | null }>(queries, toldSql, [`${from}`, `${to}`])
  const ids = told!.ids?.split(' ') ?? []
  const digests = await readDigests(queries, ids)
  await read(queries, sealSql, [`${from}`, `${to}`, ids, digests])
  return Number(to - from)
}

/** The digests that lines were written with, one after the other; those of before there were any get theirs now. */
async function readDigests(queries: Queries, ids: readonly string[]): Promise<Buffer> {
  const [known] = await read<{ digests: string | null }>(queries, digestsSql, [ids])
  const pairs = known!.digests?.split(',').map((pair) => pair.split(' ') as [string, string]) ?? []
  const digests = new Map(pairs)
  const old = pairs.flatMap(([id, digest]) => (digest === '' ? [id] : []))
  for (const [id, { digest }] of await readLines(queries, old)) digests.set(id, digest)
  return Buffer.concat(
    ids.map((id) => {
      const digest = digests.get(id)
      if (digest) return Buffer.from(digest, 'base64url')
      throw new Error(`The log tells ${id}, which the journal does not have.`)
    }),
  )
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

interface SealRow {
  first_line: string
  posting_instruction_ids: string[]
  digests: Buffer
  hash: string
}

const sealsSql = 'select * from ledger.seal where first_line > $1 order by first_line limit $2'

/**
 * Compares the journal with its seals from the first line on. A changed, missing or exchanged line
 * is named, a seal that does not fit its own batch or the one before at its first line; what was cut
 * off the end is told by comparing `head` with one that was kept.
 */
export async function verifyJournal(queries: Queries): Promise<Verification> {
  let line = 0
  let head = '0'.repeat(64)
  for (;;) {
    const seals = await read<SealRow>(queries, sealsSql, [line, mostBatches])
    if (seals.length === 0) break
    for (const seal of seals) {
      const fault = await faultOf(queries, seal, line + 1, head)
      if (fault) return { ...fault, linesChecked: fault.badLine - 1, head }
      line += seal.posting_instruction_ids.length
      head = seal.hash
    }
  }
  return { linesChecked: line, badLine: null, postingInstructionId: null, detail: null, head }
}

type Fault = { badLine: number; postingInstructionId: string | null; detail: string }

/** What is wrong with a batch that should begin at a line, behind a seal. */
async function faultOf(
  queries: Queries,
  { first_line: firstLine, posting_instruction_ids: ids, digests, hash }: SealRow,
  expectedLine: number,
  before: string,
): Promise<Fault | null> {
  const fault = (at: number, detail: string): Fault => {
    return { badLine: expectedLine + at, postingInstructionId: ids[at] ?? null, detail }
  }
  if (Number(firstLine) !== expectedLine) return fault(0, 'A line is missing before this one.')
  const lines = await readLines(queries, ids)
  for (const [at, id] of ids.entries()) {
    const line = lines.get(id)
    if (!line) return fault(at, 'The posting is missing.')
    const sealed = digests.subarray(at * digestBytes, (at + 1) * digestBytes)
    if (sealed.toString('base64url') === line.digest) continue
    return fault(at, 'The posting is not what was sealed.')
  }
  const sealed = createHash('sha256').update(before, 'hex').update(digests).digest('hex')
  if (digests.length === ids.length * digestBytes && sealed === hash) return null
  return fault(0, 'The seal of the lines from here on is not the one that was made.')
}
