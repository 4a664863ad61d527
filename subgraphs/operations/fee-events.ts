import { formatAmount } from '../_kernel/domain/money.ts'
import {
  currency,
  day,
  decimal,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  whole,
  type Static,
} from '../_kernel/event-data.ts'
import { declareEvents, type Told } from '../_kernel/events.ts'
import { feeRunStatuses, feeRunTypes, type FeeRun } from './domain/fee-run.ts'
import type { FeeRunItem } from './domain/fee-run-item.ts'

const runData = record({
  feeRunId: id,
  runType: oneOf(feeRunTypes),
  feeCode: text,
  productId: id,
  periodStart: day,
  periodEnd: day,
  runDate: day,
  status: oneOf(feeRunStatuses),
  counts: record({
    selected: whole,
    charged: whole,
    waived: whole,
    skipped: whole,
    failed: whole,
  }),
  totals: listOf(record({ amount: decimal, currency })),
  dryRun: flag,
  failureCode: orNull(text),
  reversesRunId: orNull(id),
  reversedByRunId: orNull(id),
})

const runEvents = declareEvents(
  {
    'pricing.fee-run.scheduled':
      'A fee will be charged to the accounts of a product, or taken back.',
    'pricing.fee-run.started': 'A fee run began, or was taken up again.',
    'pricing.fee-run.completed':
      'A fee run is through; its counts say what became of the accounts.',
    'pricing.fee-run.failed': 'A fee run stopped; it can be taken up where it is.',
    'pricing.fee-run.reversed': 'All that a fee run charged was taken back.',
  },
  runData,
)

const feeData = record({
  arrangementId: id,
  feeRunId: id,
  feeCode: text,
  productId: id,
  periodStart: day,
  periodEnd: day,
  amount: decimal,
  currency,
  waivedFor: orNull(text),
  postingInstructionId: orNull(id),
})

declareEvents(
  {
    'pricing.fee.charged': 'A fee was charged to an account.',
    'pricing.fee.waived': 'A fee was due for an account, and waived.',
  },
  feeData,
)

type RunFact<Type> = Type extends `pricing.fee-run.${infer Fact}` ? Fact : never

/** What happened to a run, with the run as it is then. */
export function tellRun(run: FeeRun, fact: RunFact<keyof typeof runEvents>): Told {
  const { selected, charged, waived, skipped, failed } = run
  const data: Static<typeof runData> = {
    feeRunId: run.feeRunId,
    runType: run.runType,
    feeCode: run.feeCode,
    productId: run.productId,
    periodStart: run.periodStart,
    periodEnd: run.periodEnd,
    runDate: run.runDate,
    status: run.status,
    counts: { selected, charged, waived, skipped, failed },
    totals: run.totals.map(({ amountMinor, currency: code }) => ({
      amount: formatAmount(amountMinor, code),
      currency: code,
    })),
    dryRun: run.isDryRun,
    failureCode: run.failureCode,
    reversesRunId: run.reversesRunId,
    reversedByRunId: run.reversedByRunId,
  }
  const type = `pricing.fee-run.${fact}`
  return { type, subject: `fee-run/${run.feeRunId}`, version: run.version, data, parties: [] }
}

/** What became of the fee of one account, where its owner is to know. */
export function tellItem(run: FeeRun, item: FeeRunItem): Told[] {
  const { outcome, arrangementId, partyId, amountMinor, isDryRun } = item
  if (isDryRun || (outcome !== 'charged' && outcome !== 'waived')) return []
  const data: Static<typeof feeData> = {
    arrangementId,
    feeRunId: run.feeRunId,
    feeCode: run.feeCode,
    productId: run.productId,
    periodStart: item.periodStart,
    periodEnd: item.periodEnd,
    amount: formatAmount(amountMinor!, item.currency),
    currency: item.currency,
    waivedFor: item.reason,
    postingInstructionId: item.postingInstructionId,
  }
  const subject = `fee/${arrangementId}`
  return [{ type: `pricing.fee.${outcome}`, subject, version: 1, data, parties: [partyId] }]
}
