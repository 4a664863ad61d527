import type { LocalDate } from '../../_kernel/domain/dates.ts'
import type { Money } from '../../_kernel/domain/money.ts'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import type { Balance, Leg, Standing } from './balance.ts'

export const instructionTypes = [
  'inbound-hard-settlement',
  'outbound-hard-settlement',
  'inbound-authorisation',
  'outbound-authorisation',
  'authorisation-adjustment',
  'settlement',
  'release',
  'transfer',
  'custom',
  'reversal',
] as const
export type InstructionType = (typeof instructionTypes)[number]

/** What every instruction may carry. `isAdvice` books what already happened elsewhere, against the guard. */
export interface InstructionTerms {
  valueDate: LocalDate
  isAdvice: boolean
  clientTransactionId: string | null
}

/** What is to happen to the books. Ids are those of ledger accounts: an arrangement's id, or one of the bank's own. */
export type Movement =
  | {
      type: 'inbound-hard-settlement' | 'outbound-hard-settlement'
      accountId: string
      contraId: string
      money: Money
    }
  | {
      type: 'inbound-authorisation' | 'outbound-authorisation'
      accountId: string
      contraId: string
      money: Money
      clientTransactionId: string
      expiresAt: Date | null
    }
  | { type: 'authorisation-adjustment'; clientTransactionId: string; money: Money }
  /** Without an amount it settles all that is open. `isFinal` releases what it leaves. */
  | { type: 'settlement'; clientTransactionId: string; money: Money | null; isFinal: boolean }
  /** `isExpiry` when its time is over, and not the client that gives it up. */
  | { type: 'release'; clientTransactionId: string; isExpiry: boolean }
  /** With `creditorMoney` in another currency it goes through the bank's positions in both. */
  | {
      type: 'transfer'
      debtorId: string
      creditorId: string
      money: Money
      creditorMoney: Money | null
    }
  | { type: 'custom'; legs: readonly Leg[] }
  | { type: 'reversal'; reversesId: string }

export type Instruction = InstructionTerms & Movement

/** Why an instruction was rejected. `account` names the account it is about, where it is about one. */
export interface Violation {
  code: ProblemCode
  detail: string
  accountId?: string
}

/** A movement as it was booked. */
export interface Entry extends Leg {
  /** Counts from 1 within its instruction. */
  ordinal: number
  /** Counts from 1 within its account and address, without gaps; null on a deferred account until it is stored. */
  sequence: number | null
  /** What the account came to; null on a deferred account. */
  after: Standing | null
}

/** What was decided of one instruction. */
export type Outcome =
  | {
      status: 'accepted'
      bookedAt: Date
      entries: Entry[]
      touched: Balance[]
      authorisation: Authorisation | null
    }
  | { status: 'rejected'; violations: Violation[] }

export const authorisationStates = [
  'open',
  'partially-settled',
  'settled',
  'released',
  'expired',
] as const
export type AuthorisationState = (typeof authorisationStates)[number]

/**
 * Money that was promised and is settled later, in parts or whole. At every moment
 * authorised = settled + released + open; what is settled beyond it is counted apart.
 */
export interface Authorisation {
  clientId: string
  clientTransactionId: string
  accountId: string
  contraId: string
  direction: 'in' | 'out'
  currency: string
  authorisedMinor: bigint
  settledMinor: bigint
  releasedMinor: bigint
  openMinor: bigint
  exceededMinor: bigint
  state: AuthorisationState
  expiresAt: Date | null
  openedAt: Date
  /** The instruction that opened it. */
  openedBy: string
  /** Identifies the commit that wrote it, as for a balance; null while it is in no commit yet. */
  stamp: string | null
}

/** An instruction that was accepted before, as far as a reversal needs it. */
export interface Posted {
  postingInstructionId: string
  type: InstructionType
  legs: readonly Leg[]
  reversedBy: string | null
}
