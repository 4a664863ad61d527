import { eventually } from '../kit/eventually.ts'
import type { Asked, SandboxClient } from './client.ts'
import { countDoubled, fault, walk, type HeardEvent, type Verdict } from './verdict.ts'

/** A line of the journal. */
export interface Line {
  postingInstructionId: string
  batchId: string | null
  endToEndId: string | null
  status: string
}

const journal =
  'query ($first: Int, $after: String) { page: postingInstructions(first: $first, after: $after) ' +
  '{ nodes { postingInstructionId batchId endToEndId status } pageInfo { hasNextPage endCursor } } }'
const books =
  '{ ledgerFindings { invariant subject detail } verifyLedger { linesChecked badLine detail } ' +
  'trialBalances { currency difference } }'

/** Everything that was posted or refused, in the order of the ids. */
export function readJournal(client: SandboxClient): Promise<Line[]> {
  return walk<Line>(client, journal)
}

export function isPosting({ type }: HeardEvent): boolean {
  return type.startsWith('payments.posting-instruction.')
}

/**
 * Holds the journal against what was answered: every answer has its line, every line was asked for
 * once and told once; then lets the bank look over its books.
 */
export async function verifyBooks(
  client: SandboxClient,
  asked: readonly Asked[],
  lines: readonly Line[],
  events: readonly HeardEvent[],
  verdict: Verdict,
): Promise<void> {
  const units = new Map(
    lines.map((line) => [line.batchId ?? line.postingInstructionId, line.status.toLowerCase()]),
  )
  for (const { key, answer } of asked) {
    const { postingInstructionId: id } = JSON.parse(answer!.text) as Record<string, string>
    const said = answer!.status < 300 ? 'accepted' : 'rejected'
    if (units.get(id!) === said) continue
    fault(verdict, 'lost', `${key} was ${said} as ${id} and is ${units.get(id!)}`)
  }
  // What nobody sent are the expiries, and what the sandbox begins with.
  const isMark = (text: string) => /^[0-9a-f]{24}/.test(text)
  const marks = lines.flatMap(({ endToEndId }) => endToEndId ?? []).filter(isMark)
  countDoubled(marks, 'posting', verdict)
  const wanted = new Set(asked.flatMap(({ body }) => marksOf(body)))
  for (const mark of marks) if (!wanted.has(mark)) fault(verdict, 'doubled', `${mark} is nobody's`)
  const subjects = events.filter(isPosting).map(({ subjectId }) => subjectId)
  countDoubled(subjects, 'event', verdict)
  const heard = new Set(subjects)
  for (const { postingInstructionId: id } of lines) {
    if (!heard.has(`posting-instruction/${id}`)) fault(verdict, 'lost', `the event of ${id}`)
  }
  await requireSound(client, lines.length, verdict)
}

async function requireSound(client: SandboxClient, lines: number, verdict: Verdict) {
  const found = await eventually(async () => {
    const answer = await client.graph(books)
    const { linesChecked, badLine } = answer.verifyLedger
    return (badLine !== null || linesChecked >= lines) && answer
  }, 20_000)
  const { ledgerFindings, verifyLedger, trialBalances } = found
  for (const finding of ledgerFindings) fault(verdict, 'disordered', JSON.stringify(finding))
  const { badLine, detail } = verifyLedger
  if (badLine !== null) fault(verdict, 'disordered', `line ${badLine}: ${detail}`)
  for (const { currency, difference } of trialBalances) {
    if (Number(difference) !== 0) fault(verdict, 'disordered', `${difference} ${currency} differ`)
  }
}

function marksOf(body: object): string[] {
  const { instructions = [body] } = body as { instructions?: object[] }
  return instructions.map((one) => (one as { endToEndId: string }).endToEndId)
}
