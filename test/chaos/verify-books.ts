import { eventually } from '../kit/eventually.ts'
import type { TestRequest, SandboxClient } from './client.ts'
import { countDoubled, fault, walk, type ReceivedEvent, type Verdict } from './verdict.ts'

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

/** Everything that was posted or rejected, in the order of ids. */
export function readJournal(client: SandboxClient): Promise<Line[]> {
  return walk<Line>(client, journal)
}

export function isPosting({ type }: ReceivedEvent): boolean {
  return type.startsWith('payments.posting-instruction.')
}

/**
 * Compares the journal with the responses: every response has its line, every line was requested once
 * and has one event. Then the bank verifies its books.
 */
export async function verifyBooks(
  client: SandboxClient,
  request: readonly TestRequest[],
  lines: readonly Line[],
  events: readonly ReceivedEvent[],
  verdict: Verdict,
): Promise<void> {
  const units = new Map(
    lines.map((line) => [line.batchId ?? line.postingInstructionId, line.status.toLowerCase()]),
  )
  for (const { key, answer } of request) {
    const { postingInstructionId: id } = JSON.parse(answer!.text) as Record<string, string>
    const described = answer!.status < 300 ? 'accepted' : 'rejected'
    if (units.get(id!) === described) continue
    fault(verdict, 'lost', `${key} was ${described} as ${id} and is ${units.get(id!)}`)
  }
  // Lines without a mark are expiries and the history of the sandbox.
  const isMark = (text: string) => /^[0-9a-f]{24}/.test(text)
  const marks = lines.flatMap(({ endToEndId }) => endToEndId ?? []).filter(isMark)
  countDoubled(marks, 'posting', verdict)
  const wanted = new Set(request.flatMap(({ body }) => marksOf(body)))
  for (const mark of marks)
    if (!wanted.has(mark)) fault(verdict, 'doubled', `${mark} was never requested`)
  const subjects = events.filter(isPosting).map(({ subjectId }) => subjectId)
  countDoubled(subjects, 'event', verdict)
  const received = new Set(subjects)
  for (const { postingInstructionId: id } of lines) {
    if (!received.has(`posting-instruction/${id}`)) fault(verdict, 'lost', `the event of ${id}`)
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
