import { encodeAnswer, decodeAnswer } from '../_kernel/answer.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import type { Fields } from '../_kernel/composites.ts'
import type { Made } from './domain/authorisation.ts'
import type { Narrative } from './domain/narrative.ts'
import { standingOf, type Balance, type Standing } from './domain/balance.ts'
import type {
  Entry,
  Instruction,
  InstructionType,
  Outcome,
  Violation,
} from './domain/instruction.ts'

export type { Narrative }

export const noNarrative: Narrative = {
  rail: null,
  endToEndId: null,
  remittanceInformation: null,
  counterparty: null,
  metadata: null,
}

/** One instruction as it was asked for. */
export interface Posting {
  instruction: Instruction
  narrative: Narrative
}

/** What an instruction left on one account that customers or loans have. */
export interface BalanceAfter extends Standing {
  accountId: string
  address: string
  partyId: string | null
  currency: string
  /** How many entries the account has. */
  version: number
}

/** One line of the journal: what was asked, what became of it. It never changes. */
export interface PostingRecord {
  postingInstructionId: string
  batchId: string | null
  ordinal: number
  status: 'accepted' | 'rejected'
  clientId: string
  bookedAt: Date
  instruction: Instruction
  narrative: Narrative
  entries: Entry[]
  balances: BalanceAfter[]
  violations: Violation[]
}

/** Several instructions that happened together or not at all. */
export interface BatchRecord {
  batchId: string
  clientId: string
  clientBatchId: string | null
  status: 'accepted' | 'rejected'
  size: number
  bookedAt: Date
}

/** Writes down what was decided of one instruction. */
export function recordOf(
  { instruction, narrative }: Posting,
  outcome: Outcome,
  made: Made,
  batchId: string | null,
  ordinal: number,
): PostingRecord {
  const isAccepted = outcome.status === 'accepted'
  return {
    postingInstructionId: made.postingInstructionId,
    batchId,
    ordinal,
    status: outcome.status,
    clientId: made.clientId,
    bookedAt: isAccepted ? outcome.bookedAt : made.now,
    instruction,
    narrative,
    entries: isAccepted ? outcome.entries : [],
    balances: isAccepted ? outcome.touched.flatMap(balanceAfter) : [],
    violations: isAccepted ? [] : outcome.violations,
  }
}

function balanceAfter(balance: Balance): BalanceAfter[] {
  const { account, address, entryCount } = balance
  if (account.policy === 'deferred') return []
  const { accountId, partyId, currency } = account
  return [{ accountId, address, partyId, currency, version: entryCount, ...standingOf(balance) }]
}

export interface PostingRow {
  posting_instruction_id: string
  batch_id: string | null
  ordinal: number
  type: InstructionType
  status: 'accepted' | 'rejected'
  client_id: string
  client_transaction_id: string | null
  reverses_id: string | null
  booked_at: Date
  value_date: Date
  details: string
  digest: string | null
}

/** In the order of the columns, but for the digest of the line. */
export function postingFields(record: PostingRecord): Fields {
  const { instruction, narrative, violations } = record
  return [
    record.postingInstructionId,
    record.batchId,
    record.ordinal,
    instruction.type,
    record.status,
    record.clientId,
    instruction.clientTransactionId,
    instruction.type === 'reversal' ? instruction.reversesId : null,
    record.bookedAt,
    instruction.valueDate,
    encodeAnswer({
      movement: movementOf(instruction),
      ...(instruction.isAdvice && { isAdvice: true }),
      ...(narrative !== noNarrative && { narrative }),
      ...(violations.length > 0 && { violations }),
    }),
  ]
}

export function recordFrom(
  row: PostingRow,
  entries: Entry[],
  balances: BalanceAfter[],
): PostingRecord {
  const details = decodeAnswer(row.details) as Details
  const { movement, isAdvice = false, narrative = noNarrative, violations = [] } = details
  return {
    postingInstructionId: row.posting_instruction_id,
    batchId: row.batch_id,
    ordinal: row.ordinal,
    status: row.status,
    clientId: row.client_id,
    bookedAt: row.booked_at,
    instruction: {
      type: row.type,
      valueDate: dateOf(row.value_date),
      clientTransactionId: row.client_transaction_id,
      isAdvice,
      ...movement,
    } as Instruction,
    narrative,
    entries,
    balances,
    violations,
  }
}

/** What of a line has no column of its own. */
interface Details {
  movement: object
  isAdvice?: true
  narrative?: Narrative
  violations?: Violation[]
}

function movementOf(instruction: Instruction): object {
  const { type, valueDate, clientTransactionId, isAdvice, ...movement } = instruction
  return movement
}

/** The terms of a posting that the bank itself makes, valued on the day it is booked. */
export function termsAt(now: Date): {
  valueDate: LocalDate
  isAdvice: false
  clientTransactionId: null
} {
  return { valueDate: dateOf(now), isAdvice: false, clientTransactionId: null }
}
