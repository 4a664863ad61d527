import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Fee } from '../../../kernel/domain/fee.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { committedOf } from '../../../ledger/domain/balance.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import type { ChargedAccount } from '../domain/fee-charge.ts'
import { inputsNeeded } from '../domain/fee-run-item.ts'
import { waiverOf } from '../domain/fee-waiver.ts'
import { readProductFees } from './product-fees.ts'

/** Reads the published data of an account; null if it does not exist. */
export async function readAccount(
  context: Context,
  arrangementId: string,
): Promise<ChargedAccount | null> {
  const [fact] = await readFacts(context, [`arrangement/${arrangementId}`])
  return (fact as unknown as ChargedAccount | null) ?? null
}

/** Reads a fee of a product version, with the campaigns that waive it; null if there is none. */
export async function readFee(
  context: Context,
  terms: { productId: string; productVersion: string; feeCode: string },
): Promise<Fee | null> {
  const versions = (await readProductFees(context, terms.productId)) ?? []
  const version = versions.find((each) => each.version === terms.productVersion)
  return version?.fees.find(({ code }) => code === terms.feeCode) ?? null
}

/**
 * Returns the kind of the first waiver of a fee that applies to an account now, by its booked
 * balance; null if none does.
 */
export async function readWaiver(
  context: Context,
  fee: Fee,
  { arrangementId, customerId, openedAt }: ChargedAccount,
  occurredAt: Date,
): Promise<string | null> {
  const needed = inputsNeeded(fee)
  const hasMinimumBalance = fee.waivers.some(({ kind }) => kind === 'minimum-balance')
  const [customer] = needed.segment ? await readFacts(context, [`customer/${customerId}`]) : []
  const inputs = {
    balanceMinor: hasMinimumBalance
      ? committedOf(await readHeldBalance(context, arrangementId))
      : null,
    segment: (customer?.['segment'] ?? null) as string | null,
    openedOn: dateOf(new Date(openedAt)),
    from: dateOf(occurredAt),
  }
  return waiverOf(fee, inputs)?.kind ?? null
}
