import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { command } from '../_kernel/command.ts'
import { insertRows } from '../_kernel/composites.ts'
import type { Context } from '../_kernel/context.ts'
import { moveConsumer, readConsumer } from '../_kernel/consumer.ts'
import { read, type Queries } from './read.ts'

const consumer = 'ledger-seal'
const mostTogether = 500
const genesis = '0'.repeat(64)

const lastSql =
  'select s.line::text as line, s.hash from ledger.seal s order by s.line desc limit 1'
const toldSql =
  'select e.position::text as position, e.subject from kernel.event e ' +
  'where e.position > $1 and e.position <= $2 ' +
  "and e.type like 'payments.posting-instruction.%' order by e.position"

/**
 * Seals the journal: every posting, in the order in which the event log tells it, gets the hash of
 * its content and of the seal before it. Off the path of the postings, in batches; of several
 * processes that try, one wins. Answers how many events it went through.
 */
export async function sealJournal(context: Context): Promise<number> {
  const { bank } = context
  const { pool } = bank
  return command(context, 'sealJournal', null, async () => {
    const { from, to } = await readConsumer(bank, consumer, mostTogether)
    if (from === to) return { result: 0 }
    const [last] = await read<{ line: string; hash: string }>(pool, lastSql, [])
    const told = await read<{ position: string; subject: string }>(pool, toldSql, [
      from.toString(),
      to.toString(),
    ])
    const ids = told.map(({ subject }) => subject.slice(subject.indexOf('/') + 1))
    const contents = await readContents(pool, ids)
    let before = last?.hash ?? genesis
    let line = BigInt(last?.line ?? 0)
    const seals = told.map((event, at) => {
      before = sealOf(before, contents.get(ids[at]!)!)
      return [++line, ids[at]!, BigInt(event.position), before] as const
    })
    const writes = [moveConsumer(consumer, from, to)]
    if (seals.length > 0) writes.push(insertRows('ledger.seal', seals))
    return { result: Number(to - from), writes }
  })
}

function sealOf(before: string, content: string): string {
  return createHash('sha256').update(before).update('\n').update(content).digest('hex')
}

const contentsSql = 'select id, posting, entries from ledger.contents($1)'

/** Postings with their entries as canonical JSON (RFC 8785). */
async function readContents(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, string>> {
  interface ContentRow {
    id: string
    posting: object
    entries: object[]
  }
  const rows = await read<ContentRow>(queries, contentsSql, [ids])
  return new Map(rows.map(({ id, posting, entries }) => [id, canonicalize({ posting, entries })!]))
}

/** What a verification found. `badLine` is the first line that does not fit; null when all do. */
export interface Verification {
  linesChecked: number
  badLine: number | null
  postingInstructionId: string | null
  detail: string | null
  /** The seal of the last line; kept elsewhere, it proves that nothing was cut off the end. */
  head: string
}

const sealsSql =
  'select s.line::text as line, s.posting_instruction_id as id, s.hash from ledger.seal s ' +
  'where s.line > $1 order by s.line limit $2'

/**
 * Reads the sealed journal from its first line and compares. A changed, missing or exchanged line
 * is named; what was cut off the end is told by comparing `head` with one that was kept.
 */
export async function verifyJournal(queries: Queries): Promise<Verification> {
  let [head, checked] = [genesis, 0]
  for (;;) {
    const seals = await read<{ line: string; id: string; hash: string }>(queries, sealsSql, [
      checked,
      mostTogether,
    ])
    if (seals.length === 0) break
    const contents = await readContents(
      queries,
      seals.map(({ id }) => id),
    )
    for (const seal of seals) {
      const fault = faultOf(seal, checked + 1, head, contents.get(seal.id))
      if (fault !== null) {
        const { id: postingInstructionId } = seal
        return {
          linesChecked: checked,
          badLine: checked + 1,
          postingInstructionId,
          detail: fault,
          head,
        }
      }
      head = seal.hash
      checked++
    }
  }
  return { linesChecked: checked, badLine: null, postingInstructionId: null, detail: null, head }
}

function faultOf(
  seal: { line: string; hash: string },
  line: number,
  before: string,
  content: string | undefined,
): string | null {
  if (Number(seal.line) !== line) return `Line ${line} is missing.`
  if (content === undefined) return 'The posting is missing.'
  return sealOf(before, content) === seal.hash ? null : 'The posting is not what was sealed.'
}
