import { requireScope } from '../../../kernel/authorization/auth.ts'
import { requireSelfService } from '../../../kernel/authorization/self-service.ts'
import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { AgreedTerm } from '../../../kernel/domain/fixed-terms.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readReferencedFacts } from '../../../kernel/writing/facts.ts'
import {
  createRecord,
  versioned,
  type CreationStamp,
  type Decided,
} from '../../../kernel/writing/records.ts'
import {
  decideOpeningAndBooking,
  openLedgerAccount,
  requireBooked,
  type NewAccount,
} from '../../../ledger/book.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import {
  fundingOf,
  requireFundingAccount,
  termOf,
  type Funding,
  type FundingFact,
} from '../domain/deposit-opening.ts'
import { requireNewId } from './require-new-id.ts'
import { agreedDepositFacts } from '../facts.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { DepositOpening, OpenDepositInput } from '../model/deposit-opening.ts'
import { depositOpeningKind } from '../store/deposit-opening.ts'
import { decideAccount } from './open-account.ts'

/**
 * Opens a savings account or a term deposit for a customer under the terms that the customer accepts.
 * The money is moved from another account of the customer in the same commit, which also blocks the
 * account of a term deposit until its end. The interest area keeps the deposit from then on. Throws
 * INSUFFICIENT_SCOPE, SELF_SERVICE_NOT_ALLOWED, RESOURCE_EXISTS, ARRANGEMENT_ALREADY_EXISTS,
 * FUNDING_ACCOUNT_NOT_ALLOWED, SIGNATURES_REQUIRED, whatever `decideAccount`, `fundingOf` and `termOf`
 * throw, and the codes of a posting, such as INSUFFICIENT_FUNDS.
 */
export function openDeposit(context: Context, request: OpenDepositInput): Promise<DepositOpening> {
  const { depositOpeningId } = request
  const name = 'openDeposit'
  return createRecord(context, depositOpeningKind, name, request, depositOpeningId, (stamp) => {
    // At one time. Otherwise the account, the posting and the term could begin on different days around
    // midnight, and a day of interest would be missing.
    return decideOpening({ ...context, now: () => stamp.now }, request, stamp)
  })
}

async function decideOpening(
  context: Context,
  request: OpenDepositInput,
  stamp: CreationStamp,
): Promise<Decided<DepositOpening>> {
  const { productId } = request
  await requireNewId(context, request.arrangementId ?? null)
  await requireSelfService(context, productId)
  const own = accountOf(request)
  const account = await decideAccount(context, own, stamp.contentHash, '/acceptedVersion')
  const { arrangement, product, ledgerAccount } = account
  const funding = fundingOf(request, arrangement.currency)
  const term = termOf(request, product, funding, dateOf(stamp.now))
  if (funding) await requireFunding(context, funding, arrangement)
  const { postingInstructionId, writes, events } = await fund(
    context,
    arrangement,
    ledgerAccount,
    funding,
    term,
  )
  const record: DepositOpening = {
    ...versioned(stamp),
    depositOpeningId: stamp.id,
    arrangementId: arrangement.arrangementId,
    partyId: arrangement.partyId,
    customerId: arrangement.customerId,
    productId,
    productVersion: arrangement.productVersion,
    currency: arrangement.currency,
    amountMinor: funding?.amountMinor ?? 0n,
    fundingArrangementId: funding?.fundingArrangementId ?? null,
    postingInstructionId,
    termDepositId: term && context.newId('termDeposit'),
    months: term?.months ?? null,
    annualRatePct: term?.annualRatePct ?? null,
    earlyWithdrawal: term?.earlyWithdrawal ?? null,
    maturityInstruction: term && (request.maturityInstruction ?? 'pay-out'),
    openedBy: context.caller.subject,
  }
  return {
    record,
    writes: [...account.writes, ...writes],
    events: [...account.events, ...events],
    facts: [...account.facts, ...agreedDepositFacts(record)],
    retainsKey: funding !== null,
  }
}

function accountOf({
  arrangementId,
  customerId,
  productId,
  acceptedVersion,
  currency,
  nickname,
}: OpenDepositInput) {
  const version = { productVersion: acceptedVersion }
  return { arrangementId, customerId, productId, currency, nickname, ...version }
}

/**
 * Checks that the account may fund the deposit, and that the customer alone may move the money. The
 * commit refers to the account, so that it is not closed concurrently. Throws INSUFFICIENT_SCOPE,
 * FUNDING_ACCOUNT_NOT_ALLOWED, SIGNATURES_REQUIRED.
 */
async function requireFunding(
  context: Context,
  funding: Funding,
  arrangement: Arrangement,
): Promise<void> {
  // Whoever may only open accounts moves no money.
  requireScope(context.caller, 'postings:write')
  const { fundingArrangementId, amountMinor } = funding
  const [fact] = await readReferencedFacts(context, [`arrangement/${fundingArrangementId}`])
  requireFundingAccount(funding, fact as FundingFact | null, arrangement)
  await requireSoleSignature(context, fundingArrangementId, amountMinor, '/fundingArrangementId')
}

/** Returns the writes that open the ledger account and move the money into it, if there is any. */
async function fund(
  context: Context,
  arrangement: Arrangement,
  ledgerAccount: NewAccount,
  funding: Funding | null,
  term: AgreedTerm | null,
) {
  if (!funding) {
    return { postingInstructionId: null, writes: openLedgerAccount(ledgerAccount), events: [] }
  }
  const { arrangementId } = arrangement
  const blocks = new Map(term ? [[arrangementId, 'all' as const]] : [])
  const posting = fundingPosting(context.now(), arrangement, funding, term)
  const booking = await decideOpeningAndBooking(context, [ledgerAccount], [posting], blocks)
  requireBooked(booking)
  const { writes, events, records } = booking
  return { postingInstructionId: records[0]!.postingInstructionId, writes, events }
}

function fundingPosting(
  now: Date,
  { arrangementId, currency }: Arrangement,
  { fundingArrangementId, amountMinor }: Funding,
  term: AgreedTerm | null,
): Posting {
  const text = term
    ? `Term deposit, ${term.months} months at ${term.annualRatePct} %`
    : 'First deposit into a savings account'
  return {
    instruction: {
      ...termsAt(now),
      type: 'transfer',
      debtorId: fundingArrangementId,
      creditorId: arrangementId,
      money: { amountMinor, currency },
      creditorMoney: null,
    },
    narrative: { ...noNarrative, remittanceInformation: text },
  }
}
