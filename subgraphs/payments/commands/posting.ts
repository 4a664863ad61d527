import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { attemptOf, readStoredResponse } from '../../../kernel/writing/attempts.ts'
import { catalog } from '../../../kernel/domain/problem.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { Problem } from '../domain/problems.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'
import {
  noNarrative,
  type Narrative,
  type Posting,
  type PostingRecord,
} from '../../../ledger/journal.ts'
import { post, type PostResult } from '../../../ledger/post.ts'
import { requireNoControlAccount } from './control-accounts.ts'
import { withRates } from './exchange-rate.ts'
import {
  instructionOf,
  maxInstructionsPerBatch,
  type InstructionRequest,
} from '../domain/instruction-request.ts'
import { rails } from '../rails/registry.ts'
import { pointerInRequest, type WithAmountsSent } from '../domain/sent-amount.ts'
import { violationPointer } from '../domain/violation-pointer.ts'
import { withCurrencies } from './sent-amounts.ts'
import { requireSignatures } from './required-signatures.ts'
import { requireOwnAccounts } from './strong-authentication.ts'

const operation = 'createPostingInstruction'

/** A requested instruction with its narrative. */
export type PostingRequest = InstructionRequest & Partial<Narrative>

type PostingSent = WithAmountsSent<PostingRequest>

export type PostRequest = PostingSent & {
  instructions?: readonly PostingSent[] | null
  clientBatchId?: string | null
}

/**
 * Posts one instruction, or the batch in `instructions`. A rejected instruction is stored with its
 * violations, and the code of the first violation is thrown, with status 422 instead of 404.
 * Throws:
 * - PARTY_DECEASED if the caller's party is deceased,
 * - VALIDATION_FAILED, BATCH_TOO_LARGE, CLIENT_BATCH_ID_REUSED for an invalid request,
 * - INTERNAL_ACCOUNT_NOT_FOUND, CONTROL_ACCOUNT_NOT_POSTABLE, POSTING_NOT_REVERSIBLE for an
 *   internal account,
 * - FORCE_NOT_PERMITTED for an advice without the scope `postings:force`,
 * - NOT_FOR_DELEGATED_USERS if a delegated user posts an advice or anything but a transfer,
 * - SIGNATURES_REQUIRED if the signing rule of a debited account requires further signatures,
 * - APPROVAL_REQUIRED if a customer with a passkey posts a transfer to an account of others,
 * - whatever `withCurrencies` and `withRates` throw,
 * - the codes of the violations that the ledger's `decide` finds, and whatever `post` throws.
 */
export async function createPosting(context: Context, request: PostRequest): Promise<PostResult> {
  const { instructions, clientBatchId } = request
  if (!instructions && clientBatchId) {
    throw invalid(
      '/clientBatchId',
      'Only a batch can have a clientBatchId; this is a single instruction.',
    )
  }
  // A deceased person's token must stop working. The bank and the estate use their own tokens.
  const { partyId } = context.caller
  if (partyId !== null) await requireAlive(context, partyId, '')
  const now = context.now()
  if (instructions) requireBatch(instructions, request)
  const pointerOf = (index: number) => (instructions ? `/instructions/${index}` : '')
  const completeRequests = await withCurrencies<PostingRequest>(
    context,
    instructions ?? [request],
    pointerOf,
  )
  const postings = completeRequests.map((each, index) =>
    postingOf(context, each, now, pointerOf(index)),
  )
  const all = postings.map(({ instruction }) => instruction)
  await requireCustomerMayPost(context, request, all)
  const batch = instructions ? { clientBatchId: clientBatchId ?? null } : null
  await requireNoControlAccount(context, postings, batch !== null)
  const reasons = (instructions ?? [request]).map((each) => each.fxOverrideReason ?? null)
  const isBatch = batch !== null
  const postingsWithRates = await withRates(context, operation, request, postings, reasons, isBatch)
  const result = await post(context, operation, request, postingsWithRates, batch)
  if (result.records.some(({ status }) => status === 'rejected')) throw rejection(result, request)
  return result
}

/**
 * Checks that a customer may post transfers, without an approval and without the signatures of
 * others. What was posted before under the same idempotency key passes, so that `post` returns the
 * stored response. Throws APPROVAL_REQUIRED, SIGNATURES_REQUIRED, IDEMPOTENCY_KEY_REUSED and
 * RESPONSE_ERASED.
 */
async function requireCustomerMayPost(
  context: Context,
  request: PostRequest,
  instructions: readonly Instruction[],
): Promise<void> {
  try {
    await requireOwnAccounts(context, instructions)
    await requireSignatures(context, instructions)
  } catch (error) {
    const attempt = attemptOf(context, operation, request)
    if (!attempt || !(await readStoredResponse(context, attempt))) throw error
  }
}

const batchFields = new Set(['instructions', 'clientBatchId'])

/** Checks the fields and the size of a batch. Throws VALIDATION_FAILED, BATCH_TOO_LARGE. */
function requireBatch(instructions: readonly PostingSent[], request: PostRequest): void {
  const misplacedField = Object.entries(request).find(
    ([name, value]) => value !== null && value !== undefined && !batchFields.has(name),
  )
  if (misplacedField)
    throw invalid(`/${misplacedField[0]}`, 'In a batch, send this field with each instruction.')
  if (instructions.length > maxInstructionsPerBatch) {
    const detail = `The batch has ${instructions.length} instructions; the maximum is ${maxInstructionsPerBatch}.`
    throw new Problem('BATCH_TOO_LARGE', { detail })
  }
  if (instructions.length === 0) throw invalid('/instructions', 'Send at least one instruction.')
}

function postingOf(
  context: Context,
  request: PostingRequest,
  now: Date,
  basePointer: string,
): Posting {
  const instruction = instructionOf(request, now, rails, basePointer)
  requireRights(context, instruction, basePointer)
  return { instruction, narrative: narrativeOf(request) }
}

/** Checks the caller's rights: delegated users can post only transfers, without `advice`. */
function requireRights(context: Context, instruction: Instruction, basePointer: string): void {
  if (instruction.type !== 'transfer') requireBank(context)
  if (!instruction.isAdvice) return
  requireBank(context)
  if (context.caller.scopes.has('postings:force')) return
  const code = 'FORCE_NOT_PERMITTED'
  const detail = 'The token lacks the scope postings:force.'
  const errors = [{ pointer: `${basePointer}/advice`, code, detail }]
  throw new Problem(code, { detail, scope: 'postings:force', errors })
}

const narrativeFields = Object.keys(noNarrative) as (keyof Narrative)[]

function narrativeOf(request: PostingRequest): Narrative {
  if (narrativeFields.every((name) => (request[name] ?? null) === null)) return noNarrative
  return Object.fromEntries(narrativeFields.map((name) => [name, request[name] ?? null])) as never
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'NOT_OF_THIS_TYPE', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}

/** Creates the problem for a rejected instruction or batch. A replayed request gets it again. */
function rejection({ batchId, records }: PostResult, request: PostRequest): Problem {
  const allViolations = records.flatMap(({ violations }, instructionIndex) =>
    violations.map((violation) => ({ ...violation, instructionIndex })),
  )
  const { code, detail } = allViolations[0]!
  const isBatch = batchId !== null
  const pointers = records.flatMap(({ instruction, violations }, instructionIndex) =>
    violations.map((violation, index) => {
      const earlierViolations = violations.slice(0, index)
      const ordinal = earlierViolations.filter((each) => each.code === violation.code).length
      const basePointer = isBatch ? `/instructions/${instructionIndex}` : ''
      return violationPointer(instruction, violation, ordinal, basePointer)
    }),
  )
  return new Problem(code, {
    detail,
    ...(catalog[code].status === 404 && { status: 422 as const }),
    postingInstructionId: batchId ?? records[0]!.postingInstructionId,
    violations: allViolations.map((violation) => ({
      code: violation.code,
      detail: violation.detail,
      ...(violation.accountId && { account: violation.accountId }),
      ...(isBatch && { instruction: violation.instructionIndex }),
    })),
    errors: withoutRepetitions(
      allViolations.slice(0, 100).map(({ code: each, detail: text }, index) => ({
        pointer: pointerInRequest(request, pointers[index]!),
        code: each,
        detail: text,
      })),
    ),
  })
}

/**
 * Returns the errors, each once: two accounts of a posting can violate the same rule by the same
 * member, and `violations` names both.
 */
function withoutRepetitions(errors: readonly ValidationError[]): ValidationError[] {
  const byText = errors.map((error) => [JSON.stringify(error), error] as const)
  return [...new Map(byText).values()]
}

/** Whether the caller may see a posting. Delegated users see postings to their party's accounts. */
export function isVisibleTo(context: Context, { balances }: PostingRecord): boolean {
  const { partyId } = context.caller
  return partyId === null || balances.some((balance) => balance.partyId === partyId)
}
