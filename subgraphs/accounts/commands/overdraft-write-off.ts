import { bankCaller, requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Change, DecisionRequest } from '../../../kernel/graph/transitions.ts'
import {
  changeRecord,
  createRecord,
  versioned,
  type Decided,
} from '../../../kernel/writing/records.ts'
import { decideWith, requireBooked } from '../../../ledger/book.ts'
import { internalAccountId } from '../../../ledger/domain/account.ts'
import { bookedLeg, defaultAddress } from '../../../ledger/domain/balance.ts'
import { readHeldBooks } from '../../../ledger/hold.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { openInternalAccounts } from '../../../ledger/own-accounts.ts'
import type { StoredBooks } from '../../../ledger/read.ts'
import { recoverWriteOff, requireNotMore, writeOffAmount } from '../domain/overdraft-write-off.ts'
import { Problem } from '../domain/problems.ts'
import type { OverdraftWriteOffEvent } from '../events.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { OverdraftWriteOff, OverdraftWriteOffPreview } from '../model/overdraft-write-off.ts'
import { findArrangement, updateArrangement } from '../store/arrangement.ts'
import { findApprovedOverdrafts } from '../store/overdraft.ts'
import { findWriteOffs, overdraftWriteOffKind } from '../store/overdraft-write-off.ts'
import { arrangementFact } from './publish.ts'
import { requireFeesSettled, requireInterestPaid } from './require-settled.ts'

/** A write-off to propose. */
export interface OverdraftWriteOffProposal {
  overdraftWriteOffId: string | null
  arrangementId: string
  reason: string
}

/**
 * Proposes to write off what an account owes. Nothing is booked until another person approves it.
 * Throws NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS if the ID is in use or another proposal for the
 * account is undecided, and whatever `decideAmount` throws.
 */
export async function proposeOverdraftWriteOff(
  context: Context,
  request: OverdraftWriteOffProposal,
): Promise<OverdraftWriteOff> {
  requireBank(context)
  const { overdraftWriteOffId, arrangementId, reason } = request
  const name = 'proposeOverdraftWriteOff'
  const kind = overdraftWriteOffKind
  return createRecord(context, kind, name, request, overdraftWriteOffId, async (stamp) => {
    const { account, amountMinor } = await decideAmount(context, arrangementId)
    const existing = await findWriteOffs(context, arrangementId)
    const undecided = existing.find(({ state }) => state === 'proposed')
    if (undecided) {
      throw new Problem('RESOURCE_EXISTS', { resourceId: undecided.overdraftWriteOffId })
    }
    const record: OverdraftWriteOff = {
      ...versioned(stamp),
      overdraftWriteOffId: stamp.id,
      arrangementId,
      partyId: account.partyId,
      currency: account.currency,
      amountMinor,
      recoveredMinor: 0n,
      reason,
      state: 'proposed',
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
    }
    return { record }
  })
}

/**
 * Returns the posting that the approval of a write-off would book now; null for an unknown account.
 * Throws NOT_FOR_DELEGATED_USERS and whatever `decideAmount` throws.
 */
export async function previewOverdraftWriteOff(
  context: Context,
  arrangementId: string,
): Promise<OverdraftWriteOffPreview | null> {
  requireBank(context)
  if (!(await findArrangement(context, arrangementId))) return null
  const { account, amountMinor } = await decideAmount(context, arrangementId)
  const { currency } = account
  return {
    debitAccountId: internalAccountId('loan-losses', currency),
    creditAccountId: arrangementId,
    currency,
    amountMinor,
  }
}

/** What an account owes, with the books on which the command then books. */
interface Owed {
  account: Arrangement
  books: StoredBooks
  amountMinor: bigint
}

/**
 * Returns what an account owes, after all checks. What is read after the balance does not change
 * before the commit, because a charge or a fee gives the balance a new stamp. Throws
 * ARRANGEMENT_NOT_FOUND, FEES_OUTSTANDING, INTEREST_OUTSTANDING and OVERDRAFT_STILL_IN_USE.
 */
async function decideAmount(context: Context, arrangementId: string): Promise<Owed> {
  const account = await findArrangement(context, arrangementId)
  if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
  const books = await holdBooks(context, account)
  const approved = await findApprovedOverdrafts(context, arrangementId)
  const balance = books.balance(arrangementId, defaultAddress)!
  const amountMinor = writeOffAmount(account, approved, balance, dateOf(context.now()))
  await requireFeesSettled(context, account)
  await requireInterestPaid(context, account)
  return { account, books, amountMinor }
}

async function holdBooks(
  context: Context,
  { arrangementId, currency }: Pick<Arrangement, 'arrangementId' | 'currency'>,
): Promise<StoredBooks> {
  const accountIds = new Set([arrangementId, internalAccountId('loan-losses', currency)])
  await openInternalAccounts(context.bank, accountIds)
  return readHeldBooks(context, {
    accountIds,
    authorizationKeys: new Set<string>(),
    postingIds: new Set<string>(),
  })
}

/** Checks that another person decides on a write-off. Throws SEGREGATION_OF_DUTIES. */
export async function decideOverdraftWriteOff(
  after: OverdraftWriteOff,
  { context, before }: DecisionRequest<OverdraftWriteOff>,
): Promise<OverdraftWriteOff> {
  const detail = 'The person who proposed a write-off cannot decide on it.'
  const { overdraftWriteOffId: resourceId } = before
  await requireAnotherPerson(context, [before.proposedBy], { resourceId, detail })
  return after
}

/**
 * Changes the state of a write-off. The approval books what the account owes now as a loss. Throws
 * OVERDRAFT_WRITE_OFF_NOT_FOUND, OVERDRAFT_STILL_IN_USE if this is more than was proposed, and whatever
 * `decide` and `decideAmount` throw.
 */
export const changeOverdraftWriteOff: Change<OverdraftWriteOff, OverdraftWriteOffEvent> = (
  context,
  operation,
  input,
  overdraftWriteOffId,
  event,
  decide,
) => {
  const kind = overdraftWriteOffKind
  return changeRecord(
    context,
    kind,
    operation,
    input,
    overdraftWriteOffId,
    event,
    async (before, now) => {
      const decided = await decide(before, now)
      if (decided.state !== 'approved') return { record: decided }
      const { account, books, amountMinor } = await decideAmount(context, before.arrangementId)
      requireNotMore(before, amountMinor)
      const record = { ...decided, amountMinor }
      const posting = writeOffPosting(now, record)
      return withAccount(context, account, books, record, posting)
    },
  )
}

/**
 * Books money that arrived on the account as a recovery. Throws NOT_FOR_DELEGATED_USERS,
 * OVERDRAFT_WRITE_OFF_NOT_FOUND, CURRENCY_MISMATCH, and whatever `recoverWriteOff` throws.
 */
export async function recoverOverdraft(
  context: Context,
  request: { overdraftWriteOffId: string; amount: Money },
): Promise<OverdraftWriteOff> {
  requireBank(context)
  const { overdraftWriteOffId: id, amount } = request
  const kind = overdraftWriteOffKind
  const event = 'accounts.overdraft-write-off.recovery-received'
  return changeRecord(
    context,
    kind,
    'recoverOverdraft',
    request,
    id,
    event,
    async (before, now) => {
      const { arrangementId, currency } = before
      if (amount.currency !== currency) {
        const code = 'CURRENCY_MISMATCH'
        const detail = `The amount must be in ${currency}, the currency of the account.`
        throw new Problem(code, { detail, errors: [{ pointer: '/amount/currency', code, detail }] })
      }
      const books = await holdBooks(context, before)
      const balance = books.balance(arrangementId, defaultAddress)!
      const record = recoverWriteOff(before, amount.amountMinor, balance)
      const account = (await findArrangement(context, arrangementId))!
      const posting = recoveryPosting(now, record, amount.amountMinor)
      return withAccount(context, account, books, record, posting)
    },
  )
}

/**
 * Returns a write-off with its posting. The account gets a new version with it, so that an unblocking
 * or an overdraft that was decided before is decided again.
 */
function withAccount(
  context: Context,
  account: Arrangement,
  books: StoredBooks,
  record: OverdraftWriteOff,
  posting: Posting,
): Decided<OverdraftWriteOff> {
  const booking = decideWith({ ...context, caller: bankCaller }, books, [posting])
  requireBooked(booking)
  const after = { ...account, version: account.version + 1, updatedAt: context.now() }
  // The account itself does not change, so it emits no event.
  const facts = [arrangementFact(after)]
  const writes = [...updateArrangement(after, account.version, false), ...booking.writes]
  return { record, writes, events: booking.events, facts, retainsKey: true }
}

/** Returns the posting of a write-off: an advice, because the account is blocked. */
function writeOffPosting(now: Date, writeOff: OverdraftWriteOff): Posting {
  const { arrangementId, currency, amountMinor } = writeOff
  return posting(now, 'Overdraft written off', writeOff, [
    bookedLeg(internalAccountId('loan-losses', currency), 'debit', amountMinor, currency),
    bookedLeg(arrangementId, 'credit', amountMinor, currency),
  ])
}

function recoveryPosting(now: Date, writeOff: OverdraftWriteOff, amountMinor: bigint): Posting {
  const { arrangementId, currency } = writeOff
  return posting(now, 'Recovery of a written-off overdraft', writeOff, [
    bookedLeg(arrangementId, 'debit', amountMinor, currency),
    bookedLeg(internalAccountId('loan-losses', currency), 'credit', amountMinor, currency),
  ])
}

function posting(
  now: Date,
  text: string,
  { overdraftWriteOffId }: OverdraftWriteOff,
  legs: ReturnType<typeof bookedLeg>[],
): Posting {
  return {
    instruction: { ...termsAt(now), isAdvice: true, type: 'custom', legs },
    narrative: { ...noNarrative, remittanceInformation: text, metadata: { overdraftWriteOffId } },
  }
}
