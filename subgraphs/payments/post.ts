import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { catalogue, Problem } from '../_kernel/domain/problem.ts'
import type { Instruction } from '../_ledger/domain/instruction.ts'
import {
  noNarrative,
  type Narrative,
  type Posting,
  type PostingRecord,
} from '../_ledger/journal.ts'
import { post, type Post } from '../_ledger/post.ts'
import { requireNoControlAccount } from './control-accounts.ts'
import { withRates } from './exchange-rates.ts'
import { instructionOf, mostInBatch, type InstructionAsked } from './domain/asked.ts'
import { pointerInSent, type WithAmountsSent } from './domain/sent-amount.ts'
import { violationPointer } from './domain/violation-pointer.ts'
import { withCurrencies } from './sent-amounts.ts'

/** One instruction as it is sent, with what tells its story. */
export type PostingAsked = InstructionAsked & Partial<Narrative>

type PostingSent = WithAmountsSent<PostingAsked>

export type PostSent = PostingSent & {
  instructions?: PostingSent[] | null
  clientBatchId?: string | null
}

/**
 * Posts one instruction, or the batch in `instructions`. What is rejected is kept with what it
 * violated, and refused with the code of its first violation, 422 or 409.
 *
 * Refuses with VALIDATION_FAILED, BATCH_TOO_LARGE, INTERNAL_ACCOUNT_NOT_FOUND,
 * CONTROL_ACCOUNT_NOT_POSTABLE, POSTING_NOT_REVERSIBLE,
 * FORCE_NOT_PERMITTED, NOT_FOR_DELEGATED_USERS (anything but a transfer), CLIENT_BATCH_ID_REUSED,
 * FX_RATE_MISSING and FX_RATE_OUT_OF_TOLERANCE between two currencies,
 * every code of `decide` in the ledger's rules, and whatever `post` refuses with.
 */
export async function createPosting(context: Context, asked: PostSent): Promise<Post> {
  const { instructions, clientBatchId } = asked
  if (!instructions && clientBatchId) {
    throw invalid('/clientBatchId', 'It names a batch, and this is a single instruction.')
  }
  // A token that acts for a person ends with the person; the bank and the executor have their own.
  const { partyId } = context.caller
  if (partyId !== null) await requireAlive(context, partyId, '')
  const now = context.now()
  if (instructions) requireBatch(instructions, asked)
  const placeOf = (index: number) => (instructions ? `/instructions/${index}` : '')
  const complete = await withCurrencies<PostingAsked>(context, instructions ?? [asked], placeOf)
  const postings = complete.map((one, index) => postingOf(context, one, now, placeOf(index)))
  const batch = instructions ? { clientBatchId: clientBatchId ?? null } : null
  await requireNoControlAccount(context, postings, batch !== null)
  const operation = 'createPostingInstruction'
  const reasons = (instructions ?? [asked]).map((each) => each.fxOverrideReason ?? null)
  const isBatch = batch !== null
  const rated = await withRates(context, operation, asked, postings, reasons, isBatch)
  const done = await post(context, operation, asked, rated, batch)
  if (done.records.some(({ status }) => status === 'rejected')) throw rejection(done, asked)
  return done
}

const ofBatch = new Set(['instructions', 'clientBatchId'])

/** Refuses with VALIDATION_FAILED, BATCH_TOO_LARGE. */
function requireBatch(instructions: readonly PostingSent[], asked: PostSent): void {
  const stray = Object.entries(asked).find(
    ([name, value]) => value !== null && value !== undefined && !ofBatch.has(name),
  )
  if (stray) throw invalid(`/${stray[0]}`, 'In a batch it belongs to an instruction.')
  if (instructions.length > mostInBatch) {
    const detail = `${instructions.length} are too many.`
    throw new Problem('BATCH_TOO_LARGE', { detail })
  }
  if (instructions.length === 0) throw invalid('/instructions', 'At least one instruction.')
}

function postingOf(context: Context, asked: PostingAsked, now: Date, at: string): Posting {
  const instruction = instructionOf(asked, now, at)
  requireRights(context, instruction, at)
  return { instruction, narrative: narrativeOf(asked) }
}

/** A customer moves their own money; everything else is the bank's, and force needs its own scope. */
function requireRights(context: Context, instruction: Instruction, at: string): void {
  if (instruction.type !== 'transfer') requireBank(context)
  if (!instruction.isAdvice) return
  requireBank(context)
  if (context.caller.scopes.has('postings:force')) return
  const code = 'FORCE_NOT_PERMITTED'
  const detail = 'The token lacks the scope postings:force.'
  const errors = [{ pointer: `${at}/advice`, code, detail }]
  throw new Problem(code, { detail, scope: 'postings:force', errors })
}

const narrated = Object.keys(noNarrative) as (keyof Narrative)[]

function narrativeOf(asked: PostingAsked): Narrative {
  if (narrated.every((name) => (asked[name] ?? null) === null)) return noNarrative
  return Object.fromEntries(narrated.map((name) => [name, asked[name] ?? null])) as never
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'NOT_OF_THIS_TYPE', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}

/** The refusal that a rejection is answered with, the same each time it is asked for again. */
function rejection({ batchId, records }: Post, sent: PostSent): Problem {
  const found = records.flatMap(({ violations }, at) =>
    violations.map((violation) => ({ ...violation, at })),
  )
  const { code, detail } = found[0]!
  const isBatch = batchId !== null
  const pointers = records.flatMap(({ instruction, violations }, at) =>
    violations.map((violation, index) => {
      const before = violations.slice(0, index).filter((each) => each.code === violation.code)
      const place = isBatch ? `/instructions/${at}` : ''
      return violationPointer(instruction, violation, before.length, place)
    }),
  )
  return new Problem(code, {
    detail,
    ...(catalogue[code].status === 404 && { status: 422 as const }),
    postingInstructionId: batchId ?? records[0]!.postingInstructionId,
    violations: found.map((violation) => ({
      code: violation.code,
      detail: violation.detail,
      ...(violation.accountId && { account: violation.accountId }),
      ...(isBatch && { instruction: violation.at }),
    })),
    errors: found.slice(0, 100).map((violation, index) => ({
      pointer: pointerInSent(sent, pointers[index]!),
      code: violation.code,
      detail: violation.detail,
    })),
  })
}

/** Whether the caller may see a line of the journal: one of the accounts is theirs. */
export function isTheirs(context: Context, { balances }: PostingRecord): boolean {
  const { partyId } = context.caller
  return partyId === null || balances.some((balance) => balance.partyId === partyId)
}
