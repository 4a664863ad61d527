import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  advanceThrough,
  declareConsumer,
  readNextEvents,
  type NextEvent,
} from '../../../kernel/writing/consumer.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import {
  canTriggerFees,
  newFeeCharge,
  triggeredFees,
  triggerOf,
  triggerTypes,
  type ChargedAccount,
  type TriggerEvent,
  type TriggerType,
} from '../domain/fee-charge.ts'
import { chargeEvent } from '../charge-events.ts'
import { feeChargeTable } from '../store/fee-charge.ts'
import type { FeeCharge } from '../model/fee-charge.ts'
import { readProductFees, type VersionFees } from './product-fees.ts'

const consumer = declareConsumer('operations.trigger-fees', triggerTypes)
const members = [
  'paymentId',
  'standingOrderId',
  'debtorArrangementId',
  'amountMinor',
  'currency',
  'reasonCode',
] as const
const batchSize = 200

/**
 * Records the fees that the next events trigger, as charges that are due. The same commit stores the
 * position in the event log, so that each event is processed once. Returns the number of events.
 */
export function recordTriggers(context: Context): Promise<number> {
  return command<number>(context, 'operations.trigger-fees', {}, async () => {
    const read = await readNextEvents(context.bank, consumer, triggerTypes, members, batchSize)
    if (read.length === 0) return { result: 0 }
    const charges = await chargesOf(context, read.flatMap(eventOf))
    return {
      result: read.length,
      writes: [advanceThrough(consumer, read), ...charges.map(feeChargeTable.insert)],
      events: charges.map((charge) => chargeEvent('pricing.fee-charge.triggered', charge)),
    }
  })
}

/** Returns an event as a trigger; nothing if it cannot trigger fees. */
function eventOf(event: NextEvent<(typeof members)[number]>): TriggerEvent[] {
  if (!canTriggerFees(event)) return []
  const { position, time, type, debtorArrangementId, amountMinor, currency } = event
  return [
    {
      position: BigInt(position),
      time,
      trigger: triggerOf[type as TriggerType],
      reference: (event.paymentId ?? event.standingOrderId)!,
      arrangementId: debtorArrangementId,
      amountMinor: BigInt(amountMinor!),
      currency: currency!,
    },
  ]
}

async function chargesOf(context: Context, events: readonly TriggerEvent[]): Promise<FeeCharge[]> {
  const subjects = [...new Set(events.map(({ arrangementId }) => `arrangement/${arrangementId}`))]
  const facts = (await readFacts(context, subjects)) as unknown as (ChargedAccount | null)[]
  const accounts = new Map(facts.flatMap((fact) => (fact ? [[fact.arrangementId, fact]] : [])))
  const products = new Map<string, VersionFees[]>()
  for (const productId of new Set([...accounts.values()].map((account) => account.productId))) {
    products.set(productId, (await readProductFees(context, productId)) ?? [])
  }
  return events.flatMap((event) => {
    const account = accounts.get(event.arrangementId)
    const version = account && versionOf(products, account)
    if (!account || !version) return []
    return triggeredFees(event, version, account).map((priced) => {
      const id = context.newId('feeCharge')
      const key = { position: event.position.toString(), feeCode: priced.fee.code }
      const stamp = { id, contentHash: fingerprint('triggerFee', key), now: context.now() }
      const origin = { event, chargedBy: null, reason: null, occurredAt: event.time }
      return newFeeCharge(id, priced, account, origin, versioned(stamp))
    })
  })
}

const versionOf = (
  products: ReadonlyMap<string, VersionFees[]>,
  { productId, productVersion }: ChargedAccount,
): VersionFees | undefined =>
  products.get(productId)?.find(({ version }) => version === productVersion)
