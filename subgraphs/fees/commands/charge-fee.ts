import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { catalog, missingReference, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import {
  dueFeeOf,
  newFeeCharge,
  pricedFee,
  type ChargedAccount,
  type PricedFee,
} from '../domain/fee-charge.ts'
import { Problem } from '../domain/problems.ts'
import { feeChargeKind } from '../store/fee-charge.ts'
import type { ChargeFeeInput, FeeCharge, FeeChargePreview } from '../model/fee-charge.ts'
import { chargedBy } from './charge-due.ts'
import { decideCharge } from './decide-charge.ts'
import { readAccount, readFee, readWaiver } from './fee-terms.ts'

/** A fee that an employee wants to charge, with its price and the waiver that applies. */
interface RequestedFee {
  account: ChargedAccount
  priced: PricedFee
  /** The kind of waiver that applies; null if none does. */
  waiver: string | null
}

/**
 * Charges a fee to an account for a service. If the account cannot pay now, the fee becomes a
 * receivable. Throws NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND, FEE_NOT_FOUND,
 * FEE_NOT_CHARGEABLE, FEE_WAIVED, INVALID_AMOUNT, RESOURCE_EXISTS, and the code of the rejected
 * posting, for example because the account is closed.
 */
export function chargeFee(context: Context, request: ChargeFeeInput): Promise<FeeCharge> {
  requireBank(context)
  const { feeChargeId, reason = null } = request
  return createRecord(context, feeChargeKind, 'chargeFee', request, feeChargeId, async (stamp) => {
    const { account, priced, waiver } = await readRequestedFee(context, request)
    if (waiver !== null) {
      const detail = `The waiver ${waiver} applies to the account, so nothing can be charged.`
      throw new Problem('FEE_WAIVED', { detail, resourceId: account.arrangementId })
    }
    const chargedBySubject = context.caller.subject
    const origin = { event: null, chargedBy: chargedBySubject, reason, occurredAt: stamp.now }
    const charge = newFeeCharge(stamp.id, priced, account, origin, versioned(stamp))
    const fee = dueFeeOf(charge)
    const decision = await decideCharge(context, fee, charge.feeName, stamp.contentHash)
    if (decision.outcome === 'failed') {
      const code = decision.reason as ProblemCode
      const status = catalog[code].status === 404 ? { status: 422 as const } : {}
      throw new Problem(code, { ...status, resourceId: account.arrangementId })
    }
    const { writes, events, facts } = decision
    return { record: chargedBy(charge, decision), writes, events, facts, retainsKey: true }
  })
}

/**
 * Returns what charging a fee to an account now would do. Throws NOT_FOR_DELEGATED_USERS,
 * ARRANGEMENT_NOT_FOUND, FEE_NOT_FOUND, FEE_NOT_CHARGEABLE, INVALID_AMOUNT.
 */
export async function previewFeeCharge(
  context: Context,
  request: ChargeFeeInput,
): Promise<FeeChargePreview> {
  requireBank(context)
  const { account, priced, waiver } = await readRequestedFee(context, request)
  const stamp = { id: context.newId('feeCharge'), contentHash: '', now: context.now() }
  const origin = { event: null, chargedBy: null, reason: null, occurredAt: stamp.now }
  const charge = newFeeCharge(stamp.id, priced, account, origin, versioned(stamp))
  const { feeCode, feeName, thirdParty, amountMinor, currency } = charge
  const terms = { feeCode, feeName, thirdParty, amount: moneyOut({ amountMinor, currency }) }
  if (waiver !== null) return { ...terms, outcome: 'waived', outcomeReason: waiver }
  const decision = await decideCharge(context, dueFeeOf(charge), feeName, '')
  const outcome = decision.feeReceivableId === null ? decision.outcome : 'owed'
  return { ...terms, outcome, outcomeReason: decision.reason }
}

async function readRequestedFee(
  context: Context,
  { arrangementId, feeCode, basis }: ChargeFeeInput,
): Promise<RequestedFee> {
  const account = await readAccount(context, arrangementId)
  if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
  if (account.state === 'pending') {
    throw notChargeable('/arrangementId', 'The account waits for its approval.')
  }
  const fee = await readFee(context, { ...account, feeCode })
  if (fee?.frequency !== 'on-request') throw missingReference('FEE_NOT_FOUND', feeCode, '/feeCode')
  if (basis && basis.currency !== account.currency) {
    throw notChargeable('/basis', `The basis must be in ${account.currency}.`)
  }
  const basisMinor = basis ? parseAmount(basis.amount, basis.currency, '/basis/amount') : null
  const priced = pricedFee(fee, basisMinor, account.currency)
  if (!priced) {
    const detail =
      'The fee has no price for the account: it is zero, it is in another currency, or it needs a basis.'
    throw notChargeable('/feeCode', detail)
  }
  return { account, priced, waiver: await readWaiver(context, fee, account, context.now()) }
}

function notChargeable(pointer: string, detail: string): Problem {
  const code = 'FEE_NOT_CHARGEABLE'
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
