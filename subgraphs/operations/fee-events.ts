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
    'pricing.fee-run.scheduled': 'A fee run, or the reversal of a fee run, was scheduled.',
    'pricing.fee-run.started': 'A fee run started or was resumed.',
    'pricing.fee-run.completed':
      'A fee run completed. Its counts give the outcomes for the accounts.',
    'pricing.fee-run.failed': 'A fee run failed before it was complete. It can be resumed.',
    'pricing.fee-run.reversed': 'All charges of a fee run were reversed.',
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
    'pricing.fee.waived': 'A fee of an account was waived.',
  },
  feeData,
)

type RunFact<Type> = Type extends `pricing.fee-run.${infer Fact}` ? Fact : never

/** An event of a fee run, with the run after the change. */
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

/** The event for the owner of an account whose fee was charged or waived. */
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
