import { FeeRunType, FeeRunStatus } from './model/enumerations.ts'
import { formatAmount } from '../../kernel/domain/money.ts'
import {
  currency,
  date,
  decimal,
  boolean,
  id,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  integer,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { FeeRun, type FeeRunItem } from './model/fee-run.ts'
import { AccountArrangementStub } from './model/references.ts'

declareSubject('fee-run', FeeRun)
// A charged or waived fee is an event of its account.
declareSubject('fee', AccountArrangementStub)

const runData = record({
  feeRunId: id,
  runType: oneOf(FeeRunType.values),
  feeCode: text,
  productId: id,
  periodStart: date,
  periodEnd: date,
  runDate: date,
  status: oneOf(FeeRunStatus.values),
  counts: record({
    selected: integer,
    charged: integer,
    waived: integer,
    skipped: integer,
    failed: integer,
  }),
  totals: listOf(record({ amount: decimal, currency })),
  dryRun: boolean,
  failureCode: orNull(text),
  reversesRunId: orNull(id),
  reversedByRunId: orNull(id),
})

const runEvents = declareEvents(
  {
    'pricing.fee-run.scheduled': 'A fee run, or the reversal of a fee run, was scheduled.',
    'pricing.fee-run.started': 'A fee run was started or resumed.',
    'pricing.fee-run.completed':
      'A fee run was completed. `counts` has the number of accounts by outcome.',
    'pricing.fee-run.failed': 'A fee run stopped because of an error. It can be resumed.',
    'pricing.fee-run.reversed': 'All charges of a fee run were reversed.',
  },
  runData,
)

const feeData = record({
  arrangementId: id,
  feeRunId: id,
  feeCode: text,
  productId: id,
  periodStart: date,
  periodEnd: date,
  amount: decimal,
  currency,
  waivedFor: orNull(text),
  postingInstructionId: orNull(id),
})

declareEvents(
  {
    'pricing.fee.charged': 'A fee was charged to an account.',
    'pricing.fee.waived': 'A fee was not charged to an account because a waiver applied.',
  },
  feeData,
)

type RunEventName<Type> = Type extends `pricing.fee-run.${infer Name}` ? Name : never

/** Creates an event of a fee run. `run` is the state of the fee run after the change. */
export function runEvent(
  run: FeeRun,
  eventName: RunEventName<keyof typeof runEvents>,
): DomainEvent {
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
  const type = `pricing.fee-run.${eventName}`
  return { type, subject: `fee-run/${run.feeRunId}`, version: run.version, data, parties: [] }
}

/**
 * Returns the event of a charged or waived fee, for the owner of the account. Returns no event for
 * any other outcome, or in a dry run.
 */
export function itemEvent(run: FeeRun, item: FeeRunItem): DomainEvent[] {
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
    waivedFor: outcome === 'waived' ? item.reason : null,
    postingInstructionId: item.postingInstructionId,
  }
  const subject = `fee/${arrangementId}`
  return [{ type: `pricing.fee.${outcome}`, subject, version: 1, data, parties: [partyId] }]
}
