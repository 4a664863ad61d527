import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { FloatingOverdraftRate } from '../../../kernel/domain/overdraft.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Change, DecisionRequest } from '../../../kernel/graph/transitions.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { readReferenceRates } from '../../../kernel/writing/reference-rates.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import { changeGuard } from '../../../ledger/book.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { hasEnded } from '../domain/arrangement.ts'
import type { ProductFact } from '../domain/opening.ts'
import { Problem } from '../domain/problems.ts'
import {
  limitOn,
  nextChangeOf,
  overdraftContent,
  requireNotice,
  requireNotPast,
  requireOffered,
  type OverdraftRequest,
} from '../domain/overdraft.ts'
import type { OverdraftEvent } from '../events.ts'
import { overdraftsFact } from '../facts.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { Overdraft } from '../model/overdraft.ts'
import { findArrangement, updateArrangement } from '../store/arrangement.ts'
import { findApprovedOverdrafts, overdraftKind } from '../store/overdraft.ts'
import { publishToHolders } from './publish.ts'
import { requireNotWrittenOff } from './require-not-written-off.ts'

/** An overdraft to propose. */
export interface OverdraftProposal extends OverdraftRequest {
  overdraftId: string | null
  arrangementId: string
  reason: string
}

/**
 * Proposes an overdraft for an account, which another person has to approve. Throws
 * NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND, OVERDRAFT_NOT_OFFERED, PARTY_DECEASED,
 * OVERDRAFT_WRITTEN_OFF, OVERDRAFT_NOTICE_TOO_SHORT, REFERENCE_RATE_NOT_FIXED, RESOURCE_EXISTS, and whatever `overdraftContent` throws.
 */
export async function proposeOverdraft(
  context: Context,
  request: OverdraftProposal,
): Promise<Overdraft> {
  requireBank(context)
  const { overdraftId, arrangementId, reason } = request
  const name = 'proposeOverdraft'
  return createRecord(context, overdraftKind, name, request, overdraftId, async (stamp) => {
    const account = await findArrangement(context, arrangementId)
    if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
    const offer = requireOffered(account, await readProduct(context, account))
    await requireNotWrittenOff(context, arrangementId)
    const today = dateOf(stamp.now)
    const content = overdraftContent(request, offer, account.currency, today)
    if (request.floatingRate) await requireFixing(context, request.floatingRate, today)
    if (content.limitMinor > 0n) await requireAlive(context, account.partyId, '/arrangementId')
    requireNotice(content, offer.terms, await findApprovedOverdrafts(context, arrangementId), today)
    const record: Overdraft = {
      ...versioned(stamp),
      ...content,
      overdraftId: stamp.id,
      arrangementId,
      partyId: account.partyId,
      reason,
      state: 'proposed',
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
      nextChangeOn: null,
    }
    return { record }
  })
}

/** Checks that a reference rate has a fixing by today. Throws REFERENCE_RATE_NOT_FIXED. */
async function requireFixing(
  context: Context,
  { referenceRateId }: FloatingOverdraftRate,
  today: LocalDate,
): Promise<void> {
  const rate = (await readReferenceRates(context, [referenceRateId])).get(referenceRateId)
  if (rate?.fixings.some(({ fixedOn }) => fixedOn <= today)) return
  const code = 'REFERENCE_RATE_NOT_FIXED'
  const detail = `${referenceRateId} has no fixing for today or an earlier day. Record one first.`
  const errors = [{ pointer: '/floatingRate/referenceRateId', code, detail }]
  throw new Problem(code, { detail, errors })
}

async function readProduct(
  context: Context,
  { productId }: Arrangement,
): Promise<ProductFact | null> {
  return (await readFacts(context, [`product/${productId}`]))[0] as ProductFact | null
}

/**
 * Checks that another person decides on an overdraft, and that an approved one changes no day that has
 * passed. Throws SEGREGATION_OF_DUTIES, INVALID_DATE_RANGE.
 */
export async function decideOverdraft(
  after: Overdraft,
  { context, before, now }: DecisionRequest<Overdraft>,
): Promise<Overdraft> {
  const detail = 'The person who proposed an overdraft cannot decide on it.'
  const { overdraftId: resourceId } = before
  await requireAnotherPerson(context, [before.proposedBy], { resourceId, detail })
  if (after.state !== 'approved') return after
  const today = dateOf(now)
  requireNotPast(before.validFrom, today)
  return { ...after, nextChangeOn: nextChangeOf(after, today) }
}

/**
 * Changes the state of an overdraft. An approved one keeps the notice, and changes the limit of the
 * account in the same commit, if it begins today. Throws OVERDRAFT_NOT_FOUND, OVERDRAFT_WRITTEN_OFF,
 * OVERDRAFT_NOT_OFFERED, OVERDRAFT_NOTICE_TOO_SHORT, and whatever `decide` throws.
 */
export const changeOverdraft: Change<Overdraft, OverdraftEvent> = (
  context,
  operation,
  input,
  overdraftId,
  event,
  decide,
) =>
  changeRecord(
    context,
    overdraftKind,
    operation,
    input,
    overdraftId,
    event,
    async (before, now) => {
      const record = await decide(before, now)
      if (record.state !== 'approved') return { record }
      const { arrangementId } = record
      // Before everything else is read: a write-off or another approval in between gives the account a
      // new version.
      const account = (await findArrangement(context, arrangementId))!
      await requireNotWrittenOff(context, arrangementId)
      const { terms } = requireOffered(account, await readProduct(context, account))
      const existing = await findApprovedOverdrafts(context, arrangementId)
      requireNotice(record, terms, existing, dateOf(now))
      const approved = [...existing, record]
      const { facts, ...limit } = await decideLimit(context, account, approved, now)
      return { record, ...limit, facts: [...facts, overdraftsFact(arrangementId, approved)] }
    },
  )

/**
 * Returns what changes the limit of an account to that of today. The account gets a new version in any
 * case, so that of two overdrafts that are approved at the same time, one is decided again.
 */
async function decideLimit(
  context: Context,
  before: Arrangement,
  approved: readonly Overdraft[],
  now: Date,
): Promise<Required<Pick<Decision<void>, 'writes' | 'events' | 'facts'>>> {
  const overdraftLimitMinor = limitOn(approved, dateOf(now))
  const after = { ...before, overdraftLimitMinor, version: before.version + 1, updatedAt: now }
  const event = 'accounts.arrangement.overdraft-limit-changed'
  const { events, facts } = await publishToHolders(context, after, event)
  const writes = updateArrangement(after, before.version, false)
  if (overdraftLimitMinor === before.overdraftLimitMinor) return { writes, events: [], facts }
  const balance = await readHeldBalance(context, before.arrangementId)
  return { writes: [...writes, changeGuard(balance, { overdraftLimitMinor })], events, facts }
}

/**
 * Changes the limit of an account to that of today, because an overdraft begins or has ended. The
 * limit of an account that is closed does not change. If it was already changed, nothing happens.
 */
export function changeOverdraftLimit(context: Context, arrangementId: string): Promise<void> {
  return command<void>(context, 'changeOverdraftLimit', { arrangementId }, async () => {
    const now = context.now()
    const today = dateOf(now)
    const account = (await findArrangement(context, arrangementId))!
    const approved = await findApprovedOverdrafts(context, arrangementId)
    const due = approved.filter(
      ({ nextChangeOn }) => nextChangeOn !== null && nextChangeOn <= today,
    )
    if (due.length === 0) return { result: undefined }
    const changes = due.map((before) => {
      const version = before.version + 1
      const nextChangeOn = nextChangeOf(before, today)
      return overdraftKind.update(before, { ...before, nextChangeOn, version, updatedAt: now })
    })
    if (hasEnded(account)) return { result: undefined, writes: changes }
    const limit = await decideLimit(context, account, approved, now)
    return { result: undefined, ...limit, writes: [...limit.writes, ...changes] }
  })
}

/**
 * Returns what records the limit with which an account is opened as an overdraft on the terms of its
 * product version. Nothing is recorded for an account without a limit, or if the version has no
 * overdraft terms.
 */
export function openOverdraft(
  context: Context,
  account: Arrangement,
  product: ProductFact,
): Required<Pick<Decision<void>, 'writes' | 'events' | 'facts'>> {
  const { arrangementId, overdraftLimitMinor: amountMinor, currency, createdAt: now } = account
  const version = product.versions.find((each) => each.version === account.productVersion)
  if (amountMinor === 0n || !version?.overdraft) return { writes: [], events: [], facts: [] }
  const openedOn = dateOf(account.openedAt)
  const request = {
    limit: { amountMinor, currency },
    annualRatePct: null,
    unarrangedRatePct: null,
    floatingRate: null,
    interestFree: null,
    validFrom: openedOn,
    validTo: null,
  }
  const content = overdraftContent(request, requireOffered(account, product), currency, openedOn)
  const { subject } = context.caller
  const record: Overdraft = {
    ...content,
    overdraftId: context.newId('overdraft'),
    arrangementId,
    partyId: account.partyId,
    reason: 'The limit with which the account was opened',
    state: 'approved',
    proposedBy: subject,
    decidedBy: subject,
    decidedAt: now,
    nextChangeOn: null,
    contentHash: account.contentHash,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const { events } = publicationOf(overdraftKind, record, 'accounts.overdraft.approved')
  const facts = [overdraftsFact(arrangementId, [record])]
  return { writes: [overdraftKind.insert(record)], events, facts }
}
