import { requireSoleSignature } from '../../../../kernel/authorization/signing.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { parseAmount, type AmountSent } from '../../../../kernel/domain/money.ts'
import { requireAlive } from '../../../../kernel/lifecycle/deceased.ts'
import { missingReference } from '../../../../kernel/domain/problem.ts'
import { Problem } from '../../domain/problems.ts'
import { readFacts, readReferencedFacts } from '../../../../kernel/writing/facts.ts'
import type { Lifecycle } from '../../../../kernel/domain/states.ts'
import { transitAccountId } from '../../domain/facilities/accounts.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { inputProblem } from '../../domain/schedules/refusals.ts'

/** The published fact of an account. */
export interface AccountFact {
  arrangementId: string
  partyId: string
  currency: string
  state?: string
  /** The lifecycle of the account; absent in the fact of an account number. */
  lifecycle?: Lifecycle
}

/**
 * Checks that a facility can pay out to an account and collect from it. The account must belong to
 * the party of the facility, have its currency, and be neither closed nor about to be closed. The
 * commit refers to the account, so that the account cannot be closed concurrently. Throws
 * ARRANGEMENT_NOT_FOUND, ARRANGEMENT_CLOSED and CURRENCY_MISMATCH.
 */
export async function requireSettlementAccount(
  context: Context,
  { partyId, currency }: Pick<Facility, 'partyId' | 'currency'>,
  arrangementId: string,
): Promise<void> {
  const pointer = '/settlementArrangementId'
  const [fact] = await readReferencedFacts(context, [`arrangement/${arrangementId}`])
  const account = fact as AccountFact | null
  if (account?.partyId !== partyId) {
    throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, pointer)
  }
  if (account.lifecycle && account.lifecycle !== 'open') {
    const code = 'ARRANGEMENT_CLOSED'
    const detail = `${arrangementId} is ${account.state}. Send an account that remains open.`
    const errors = [{ pointer, code, detail, resourceId: arrangementId }]
    throw new Problem(code, { detail, errors, resourceId: arrangementId })
  }
  requireCurrency(account.currency, currency, pointer)
}

/**
 * Checks that the caller may see an account and that the account has the currency of a facility.
 * Throws ARRANGEMENT_NOT_FOUND and CURRENCY_MISMATCH.
 */
export async function requireAccount(
  context: Context,
  { currency }: Facility,
  arrangementId: string,
  pointer: string,
): Promise<void> {
  const [fact] = await readFacts(context, [`arrangement/${arrangementId}`])
  const account = fact as AccountFact | null
  if (!account || !maySee(context.caller, [account.partyId])) {
    throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, pointer)
  }
  requireCurrency(account.currency, currency, pointer)
}

/**
 * Returns the ledger account to debit. If the request names no account, it is the account for money
 * in transit. Throws ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH, and PARTY_DECEASED for a customer whose
 * death was recorded.
 */
export async function readSource(
  context: Context,
  facility: Facility,
  arrangementId: string | null | undefined,
): Promise<string> {
  if (!arrangementId) return transitAccountId(facility.currency)
  const pointer = '/sourceArrangementId'
  await requireAccount(context, facility, arrangementId, pointer)
  // A customer can only name an account of its own.
  const { partyId } = context.caller
  if (partyId !== null) await requireAlive(context, partyId, pointer)
  return arrangementId
}

/**
 * Checks that a customer may move an amount out of the account to debit without further signatures.
 * Throws SIGNATURES_REQUIRED.
 */
export async function requireSourceSignature(
  context: Context,
  arrangementId: string | null | undefined,
  amountMinor: bigint,
): Promise<void> {
  if (!arrangementId) return
  await requireSoleSignature(context, arrangementId, amountMinor, '/sourceArrangementId')
}

/**
 * Returns the party that owns the account from which a facility is repaid; null if it is the borrower
 * or unknown.
 */
export async function readPayer(
  context: Context,
  { partyId }: Facility,
  arrangementId: string | null | undefined,
): Promise<string | null> {
  if (!arrangementId) return null
  const [fact] = await readFacts(context, [`arrangement/${arrangementId}`])
  const payer = (fact as AccountFact | null)?.partyId ?? null
  return payer === partyId ? null : payer
}

/**
 * Returns an amount in the currency of a facility, in minor units. Throws CURRENCY_MISMATCH and
 * VALIDATION_FAILED.
 */
export function readAmount(
  facility: Pick<Facility, 'currency'>,
  amount: AmountSent,
  currency?: string | null,
): bigint {
  if (amount.currency) requireCurrency(amount.currency, facility.currency, '/amount/currency')
  if (currency) requireCurrency(currency, facility.currency, '/currency')
  const pointer = amount.currency ? '/amount/amount' : '/amount'
  return parseAmount(amount.amount, facility.currency, pointer)
}

/** Checks that a currency is the required one. Throws CURRENCY_MISMATCH. */
export function requireCurrency(currency: string, required: string, pointer: string): void {
  if (currency === required) return
  throw inputProblem(
    'CURRENCY_MISMATCH',
    pointer,
    `The currency is ${currency}; the facility is in ${required}.`,
  )
}
