import { isoOf } from '../_kernel/domain/dates.ts'
import { formatAmount } from '../_kernel/domain/money.ts'
import {
  currency,
  day,
  decimal,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
} from '../_kernel/event-data.ts'
import { declareEvents, type Sourced } from '../_kernel/events.ts'
import type { Row } from '../_kernel/writes.ts'
import type { PostingRecord } from './journal.ts'
import { readPostings } from './read.ts'

const subjectPrefix = 'posting-instruction/'

const line = record({
  account: text,
  phase: text,
  side: oneOf(['debit', 'credit']),
  amount: decimal,
  currency,
})
const postingData = record({
  postingInstructionId: id,
  batchId: orNull(text),
  type: text,
  status: oneOf(['accepted', 'rejected']),
  clientTransactionId: orNull(text),
  reversesId: orNull(id),
  bookedAt: instant,
  valueDate: day,
  entries: listOf(line),
  violations: listOf(record({ code: text, detail: text })),
})

declareEvents(
  {
    'payments.posting-instruction.accepted': 'Money was moved or promised.',
    'payments.posting-instruction.rejected': 'An instruction broke a rule and moved nothing.',
    'payments.posting-instruction.settled': 'Money that was promised was booked.',
    'payments.posting-instruction.released': 'A promise of money was given up.',
    'payments.posting-instruction.expired': 'The time of a promise of money was over.',
    'payments.posting-instruction.reversed': 'An earlier posting was taken back by a new one.',
  },
  postingData,
  async (queries, subjects) => {
    const ids = subjects.map((subject) => subject.slice(subjectPrefix.length))
    const records = await readPostings(queries, ids)
    return new Map(records.flatMap((each, at) => (each ? [[subjects[at]!, saidOf(each)]] : [])))
  },
)

/** That something became of an instruction; what it was is read from the journal. */
export function postingTold(record: PostingRecord): Sourced {
  const parties = new Set<string>()
  for (const { partyId } of record.balances) if (partyId) parties.add(partyId)
  return {
    type: `payments.posting-instruction.${factOf(record)}`,
    subject: `${subjectPrefix}${record.postingInstructionId}`,
    version: 1,
    data: null,
    parties: [...parties],
  }
}

/** What the event of a posting says. Balances are not in it: its parties see each other's event. */
function saidOf(record: PostingRecord): Row {
  const { postingInstructionId, instruction, status, entries, violations } = record
  return {
    postingInstructionId,
    batchId: record.batchId,
    type: instruction.type,
    status,
    clientTransactionId: instruction.clientTransactionId,
    reversesId: instruction.type === 'reversal' ? instruction.reversesId : null,
    bookedAt: isoOf(record.bookedAt),
    valueDate: instruction.valueDate,
    entries: entries.map(({ accountId, phase, side, amountMinor, currency }) => ({
      account: accountId,
      phase,
      side,
      amount: formatAmount(amountMinor, currency),
      currency,
    })),
    violations: violations.map(({ code, detail }) => ({ code, detail })),
  }
}

function factOf({ status, instruction }: PostingRecord): string {
  if (status === 'rejected') return 'rejected'
  switch (instruction.type) {
    case 'settlement':
      return 'settled'
    case 'release':
      return instruction.isExpiry ? 'expired' : 'released'
    case 'reversal':
      return 'reversed'
    default:
      return 'accepted'
  }
}
