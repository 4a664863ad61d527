import { isoOf } from '../kernel/domain/dates.ts'
import { id as idField, reference } from '../kernel/domain/model.ts'
import { formatAmount } from '../kernel/domain/money.ts'
import {
  currency,
  date,
  decimal,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
} from '../kernel/events/event-data.ts'
import { declareEvents, type SourcedEvent } from '../kernel/events/events.ts'
import { declareSubject } from '../kernel/events/record-data.ts'
import type { Row } from '../kernel/writing/writes.ts'
import type { PostingRecord } from './journal.ts'
import { readPostings } from './read.ts'

const subjectEntity = 'posting-instruction'
const subjectPrefix = `${subjectEntity}/`
declareSubject(subjectEntity, reference('PostingInstruction', { postingInstructionId: idField() }))

const entryShape = record({
  account: text,
  phase: text,
  side: oneOf(['debit', 'credit']),
  amount: decimal,
  currency,
})
const postingShape = record({
  postingInstructionId: id,
  batchId: orNull(text),
  type: text,
  status: oneOf(['accepted', 'rejected']),
  clientTransactionId: orNull(text),
  reversesId: orNull(id),
  bookedAt: instant,
  valueDate: date,
  entries: listOf(entryShape),
  violations: listOf(record({ code: text, detail: text })),
})

declareEvents(
  {
    'payments.posting-instruction.accepted':
      'A posting instruction was accepted: money was booked or authorized.',
    'payments.posting-instruction.rejected':
      'A posting instruction was rejected; nothing was booked.',
    'payments.posting-instruction.settled': 'An authorization was settled in part or in full.',
    'payments.posting-instruction.released': 'An authorization was released.',
    'payments.posting-instruction.expired': 'An authorization expired and was released.',
    'payments.posting-instruction.reversed': 'An earlier posting was reversed by a new one.',
  },
  postingShape,
  async (queries, subjects) => {
    const ids = subjects.map((subject) => subject.slice(subjectPrefix.length))
    const records = await readPostings(queries, ids)
    return new Map(
      records.flatMap((each, index) => (each ? [[subjects[index]!, dataOf(each)]] : [])),
    )
  },
)

/** Returns the event of an instruction. Its data is read from the journal later. */
export function postingEvent(record: PostingRecord): SourcedEvent {
  const parties = new Set<string>()
  for (const { partyId } of record.balances) if (partyId) parties.add(partyId)
  return {
    type: `payments.posting-instruction.${eventNameOf(record)}`,
    subject: `${subjectPrefix}${record.postingInstructionId}`,
    version: 1,
    data: null,
    parties: [...parties],
  }
}

/**
 * Returns the data of a posting's event. It contains no balances, because all parties of the
 * posting receive the same event.
 */
function dataOf(record: PostingRecord): Row {
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

function eventNameOf({ status, instruction }: PostingRecord): string {
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
