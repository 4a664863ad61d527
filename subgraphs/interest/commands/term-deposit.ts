import { bankCaller, requireBank, requireFound } from '../../../kernel/authorization/auth.ts'
import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { maturityOf } from '../../../kernel/domain/fixed-terms.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import { decideWith, requireBooked } from '../../../ledger/book.ts'
import { blocksDebits } from '../../../ledger/domain/block.ts'
import { bookedLeg } from '../../../ledger/domain/balance.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { amountOf } from '../domain/amount.ts'
import { lifecycleOf, type ArrangementFact } from '../domain/open-position.ts'
import { Problem } from '../domain/problems.ts'
import { isRunning, notEnded } from '../domain/term-deposit.ts'
import {
  requireBeforeEnd,
  requireRunning,
  requireWithdrawable,
  withNotice,
  type Withdrawal,
} from '../domain/withdrawal.ts'
import { termDepositFact } from '../facts.ts'
import type {
  ChangeMaturityInstructionInput,
  CreateTermDepositInput,
  TermDeposit,
} from '../model/term-deposit.ts'
import { findDeposits, termDepositKind, termDepositTable } from '../store/term-deposit.ts'
import { decidePage } from './accrue-page.ts'
import { deposits } from './book.ts'
import { catchUp, withoutKey } from './catch-up.ts'
import { enroll } from './enroll.ts'
import { requireOffered } from './offered-term.ts'
import { readAccounts, readHeldAccounts } from './read-facts.ts'
import { requirePosition } from './require-position.ts'
import { holdAccounts, requireEmptyAccount, requireSettlementAccount } from './deposit-accounts.ts'

/**
 * Deposits money of a customer for a term, at the rate that the product offers today. The money is
 * moved from the settlement account, and nothing can be posted to the account until the deposit has
 * ended. Throws NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, INTEREST_NOT_FOUND, TERM_DEPOSIT_RUNNING,
 * PARTY_DECEASED, TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED, TERM_DEPOSIT_NOT_OFFERED, CURRENCY_MISMATCH, and
 * the codes of a posting, such as INSUFFICIENT_FUNDS.
 */
export async function createTermDeposit(
  context: Context,
  request: CreateTermDepositInput,
): Promise<TermDeposit> {
  requireBank(context)
  const { termDepositId, arrangementId, settlementArrangementId, months } = request
  await catchUpIfOpen(context, arrangementId)
  const name = 'createTermDeposit'
  return createRecord(context, termDepositKind, name, request, termDepositId, async (stamp) => {
    // Before everything else is read, so that none of it changes before the commit.
    const books = await holdAccounts(context, [arrangementId, settlementArrangementId])
    const position = await requirePosition(context, deposits, arrangementId)
    const { partyId, currency, accruedMinor } = position
    const principalMinor = amountOf(request.amount, currency, 'amount')
    const running = (await findDeposits(context, [arrangementId])).find(isRunning)
    if (running) throw runningProblem(arrangementId, running)
    await requireAlive(context, partyId, '/arrangementId')
    await requireEmptyAccount(context, books, position)
    await requireSettlementAccount(context, arrangementId, settlementArrangementId)
    const today = dateOf(stamp.now)
    const term = await requireOffered(context, position, months, principalMinor)
    const maturesOn = maturityOf(today, months)
    const record: TermDeposit = {
      ...versioned(stamp),
      ...term,
      termDepositId: stamp.id,
      arrangementId,
      settlementArrangementId,
      partyId,
      currency,
      state: 'active',
      principalMinor,
      startsOn: today,
      maturesOn,
      endsOn: maturesOn,
      maturityInstruction: request.maturityInstruction ?? 'pay-out',
      accruedBeforeMinor: accruedMinor,
      previousTermDepositId: null,
      openedBy: context.caller.subject,
      ...notEnded,
    }
    const blocks = new Map([[arrangementId, 'all' as const]])
    const bank = { ...context, caller: bankCaller }
    const booking = decideWith(bank, books, [fundingPosting(stamp.now, record)], blocks)
    requireBooked(booking)
    const { writes, events } = booking
    return { record, writes, events, facts: [termDepositFact(record)], retainsKey: true }
  })
}

/**
 * Accrues the interest of an account through the last day that has ended, if it is open. Otherwise,
 * the command that follows finds the stored response of its key, or rejects the request.
 */
async function catchUpIfOpen(context: Context, arrangementId: string): Promise<void> {
  const [account] = await readAccounts(context, [arrangementId])
  if (!account || lifecycleOf(account).isEnded) return
  const own = withoutKey(context)
  await enroll(own, arrangementId)
  const position = await deposits.positions.findOne(own, arrangementId)
  if (position?.isBearing && !position.isEnded) await catchUp(own, deposits, arrangementId)
}

function runningProblem(arrangementId: string, { termDepositId, endsOn }: TermDeposit): Problem {
  const detail = `${termDepositId} is running on ${arrangementId} until ${endsOn}.`
  return new Problem('TERM_DEPOSIT_RUNNING', { detail, resourceId: arrangementId })
}

function fundingPosting(
  now: Date,
  { termDepositId, arrangementId, settlementArrangementId, ...deposit }: TermDeposit,
): Posting {
  const { principalMinor, currency, months, annualRatePct, startsOn } = deposit
  const legs = [
    bookedLeg(settlementArrangementId, 'debit', principalMinor, currency),
    bookedLeg(arrangementId, 'credit', principalMinor, currency),
  ]
  return {
    instruction: { ...termsAt(now), valueDate: startsOn, type: 'custom', legs },
    narrative: {
      ...noNarrative,
      remittanceInformation: `Term deposit ${termDepositId}, ${months} months at ${annualRatePct} %`,
      metadata: { termDepositId },
    },
  }
}

/**
 * Changes what happens at the maturity of a deposit, and to which account it is paid out. A customer who
 * names another account must be allowed to move the money out of the one before alone. Throws
 * TERM_DEPOSIT_NOT_FOUND, INVALID_STATE_TRANSITION, PARTY_DECEASED, ARRANGEMENT_BLOCKED,
 * SIGNATURES_REQUIRED, TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED.
 */
export function changeMaturityInstruction(
  context: Context,
  request: ChangeMaturityInstructionInput,
): Promise<TermDeposit> {
  const { termDepositId, maturityInstruction, settlementArrangementId } = request
  const event = 'accounts.term-deposit.instruction-changed'
  const name = 'changeMaturityInstruction'
  return changeRecord(
    context,
    termDepositKind,
    name,
    request,
    termDepositId,
    event,
    async (before) => {
      requireRunning(before)
      const record: TermDeposit = {
        ...before,
        maturityInstruction: maturityInstruction ?? before.maturityInstruction,
        settlementArrangementId: settlementArrangementId ?? before.settlementArrangementId,
      }
      const isSame =
        record.maturityInstruction === before.maturityInstruction &&
        record.settlementArrangementId === before.settlementArrangementId
      if (isSame) return { record: before }
      if (context.caller.partyId !== null) await requireCustomerMayChange(context, before, record)
      await requireSettlementAccount(context, before.arrangementId, record.settlementArrangementId)
      return { record, facts: [termDepositFact(record)] }
    },
  )
}

/**
 * Withdraws a deposit before its maturity: at once if it needs no notice or the bank waives it,
 * otherwise after the days of notice. Throws NOT_FOR_DELEGATED_USERS, TERM_DEPOSIT_NOT_FOUND,
 * INVALID_STATE_TRANSITION, EARLY_WITHDRAWAL_NOT_ALLOWED.
 */
export async function withdrawTermDeposit(
  context: Context,
  request: Withdrawal,
): Promise<TermDeposit> {
  requireBank(context)
  const { termDepositId, waiverReason } = request
  const known = await termDepositTable.find(context, termDepositId)
  if (known && isRunning(known)) await catchUpIfOpen(context, known.arrangementId)
  return command(context, 'withdrawTermDeposit', request, async () => {
    const found = await termDepositTable.find(context, termDepositId)
    const before = requireFound(found, 'TERM_DEPOSIT_NOT_FOUND', termDepositId)
    const noticeDays = requireWithdrawable(before, waiverReason)
    if (noticeDays > 0) return giveNotice(before, waiverReason, context.now(), noticeDays)
    const { arrangementId } = before
    const page = { arrangementIds: [arrangementId], withdrawal: request }
    const decision = await decidePage(context, deposits, page)
    const ended = decision.result.ended.find((each) => each.termDepositId === termDepositId)
    return { ...decision, result: ended!, resourceId: termDepositId }
  })
}

/**
 * Checks that a customer is alive, and that the term has not ended: a deposit that could not be paid out
 * on its last day would otherwise be renewed after the customer has seen the rates that followed. If the
 * deposit is to be paid out elsewhere, neither its account nor the settlement account may be blocked for
 * debits, and the customer alone must be allowed to move its money out of both. Otherwise, a joint holder
 * could redirect what all of them own, and a customer what a court has attached. Throws PARTY_DECEASED,
 * INVALID_STATE_TRANSITION, ARRANGEMENT_BLOCKED, SIGNATURES_REQUIRED.
 */
async function requireCustomerMayChange(
  context: Context,
  before: TermDeposit,
  after: TermDeposit,
): Promise<void> {
  await requireAlive(context, before.partyId, '/termDepositId')
  requireBeforeEnd(before, dateOf(context.now()))
  const { settlementArrangementId: formerId, arrangementId, principalMinor } = before
  if (after.settlementArrangementId === formerId) return
  const accounts = await readHeldAccounts(context, [formerId, arrangementId])
  requireUnblocked(accounts)
  const pointer = '/settlementArrangementId'
  for (const id of [formerId, arrangementId]) {
    await requireSoleSignature(context, id, principalMinor, pointer)
  }
}

/** Checks that accounts are not blocked for debits. Throws ARRANGEMENT_BLOCKED. */
function requireUnblocked(accounts: readonly ArrangementFact[]): void {
  const blocked = accounts.find(({ blockedFor }) => blocksDebits(blockedFor))
  if (!blocked) return
  const [code, resourceId] = ['ARRANGEMENT_BLOCKED' as const, blocked.arrangementId]
  const detail = `${resourceId} is blocked. Only the bank can have the deposit paid out to another account.`
  const errors = [{ pointer: '/settlementArrangementId', code, detail, resourceId }]
  throw new Problem(code, { detail, errors, resourceId })
}

function giveNotice(
  before: TermDeposit,
  waiverReason: string | null,
  now: Date,
  noticeDays: number,
): Decision<TermDeposit> {
  const { version, termDepositId } = before
  const noticed = withNotice(before, waiverReason, dateOf(now), noticeDays)
  const after = { ...noticed, version: version + 1, updatedAt: now }
  const { events } = publicationOf(termDepositKind, after, 'accounts.term-deposit.notice-given')
  return {
    result: after,
    resourceId: termDepositId,
    writes: [termDepositKind.update(before, after)],
    events,
    facts: [termDepositFact(after)],
  }
}
