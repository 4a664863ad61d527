import { encodeResponse, decodeResponse } from '../kernel/writing/answer.ts'
import { dateOf, type LocalDate } from '../kernel/domain/dates.ts'
import type { FieldValues } from '../kernel/writing/composites.ts'
import type { PostingOrigin } from './domain/authorization.ts'
import type { Narrative } from './domain/narrative.ts'
import { balanceAmountsOf, type Balance, type BalanceAmounts } from './domain/balance.ts'
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

/** A requested instruction with its narrative. */
export interface Posting {
  instruction: Instruction
  narrative: Narrative
}

/** The balance of a customer account or loan account after an instruction. */
export interface BalanceAfter extends BalanceAmounts {
  accountId: string
  address: string
  partyId: string | null
  currency: string
  /** The number of entries of the account at this address. */
  version: number
}

/** An immutable line of the journal: an instruction and its outcome. */
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

/** A batch of instructions, of which either all or none are booked. */
export interface BatchRecord {
  batchId: string
  clientId: string
  clientBatchId: string | null
  status: 'accepted' | 'rejected'
  size: number
  bookedAt: Date
}

/** Creates the journal line of a decided instruction. */
export function recordOf(
  { instruction, narrative }: Posting,
  outcome: Outcome,
  origin: PostingOrigin,
  batchId: string | null,
  ordinal: number,
): PostingRecord {
  const isAccepted = outcome.status === 'accepted'
  return {
    postingInstructionId: origin.postingInstructionId,
    batchId,
    ordinal,
    status: outcome.status,
    clientId: origin.clientId,
    bookedAt: isAccepted ? outcome.bookedAt : origin.now,
    instruction,
    narrative,
    entries: isAccepted ? outcome.entries : [],
    balances: isAccepted ? outcome.touched.flatMap(balancesAfter) : [],
    violations: isAccepted ? [] : outcome.violations,
  }
}

function balancesAfter(balance: Balance): BalanceAfter[] {
  const { account, address, entryCount } = balance
  if (account.policy === 'deferred') return []
  const { accountId, partyId, currency } = account
  return [
    { accountId, address, partyId, currency, version: entryCount, ...balanceAmountsOf(balance) },
  ]
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

/** Returns the values of a posting's row in the order of its columns, without the digest. */
export function postingFields(record: PostingRecord): FieldValues {
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
    encodeResponse({
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
  const details = decodeResponse(row.details) as Details
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

/** The parts of a journal line that are stored as JSON, without columns of their own. */
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

/**
 * Returns the terms of a posting that the bank itself makes. The value date is the date of `now`.
 */
export function termsAt(now: Date): {
  valueDate: LocalDate
  isAdvice: false
  clientTransactionId: null
} {
  return { valueDate: dateOf(now), isAdvice: false, clientTransactionId: null }
}
