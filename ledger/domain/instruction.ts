import type { LocalDate } from '../../kernel/domain/dates.ts'
import type { Money } from '../../kernel/domain/money.ts'
import type { ProblemCode } from '../../kernel/domain/problem.ts'
import type { Balance, Leg, BalanceAmounts } from './balance.ts'

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

/**
 * The terms that all instructions share. An advice reports a payment that already happened
 * elsewhere, so it is booked even if the guard of the account would reject it.
 */
export interface InstructionTerms {
  valueDate: LocalDate
  isAdvice: boolean
  clientTransactionId: string | null
}

/**
 * The requested change of the books. Account IDs are IDs of ledger accounts: the ID of an account
 * arrangement or a facility, or the ID of an internal account.
 */
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
  /** If `money` is null, the entire open amount is settled. `isFinal` releases the rest. */
  | { type: 'settlement'; clientTransactionId: string; money: Money | null; isFinal: boolean }
  /** `isExpiry` is true if the authorization expired, and false if the client released it. */
  | { type: 'release'; clientTransactionId: string; isExpiry: boolean }
  /**
   * If `creditorMoney` is in another currency, the transfer is booked through the bank's position
   * accounts in both currencies. If `creditorMoney` is null, the creditor receives `money`.
   */
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

/** A reason for a rejection. `accountId` is the account concerned, if there is one. */
export interface Violation {
  code: ProblemCode
  detail: string
  accountId?: string
}

/** A booked leg. */
export interface Entry extends Leg {
  /** The number of the entry within its instruction, starting at 1. */
  ordinal: number
  /**
   * The gapless number of the entry within its account and address, starting at 1; null for an
   * entry of an accumulating account until the entry is stored.
   */
  sequence: number | null
  /** The balance after the entry; null for an entry of an accumulating account. */
  after: BalanceAmounts | null
}

/** The decision on one instruction. */
export type Outcome =
  | {
      status: 'accepted'
      bookedAt: Date
      entries: Entry[]
      touched: Balance[]
      authorization: Authorization | null
    }
  | { status: 'rejected'; violations: Violation[] }

export const authorizationStates = [
  'open',
  'partially-settled',
  'settled',
  'released',
  'expired',
] as const
export type AuthorizationState = (typeof authorizationStates)[number]

/**
 * An amount that is reserved and settled later, in one or several parts. At all times authorized =
 * settled + released + open. `exceededMinor` is the total that advices settled beyond the
 * authorized amount.
 */
export interface Authorization {
  clientId: string
  clientTransactionId: string
  accountId: string
  contraId: string
  direction: 'in' | 'out'
  currency: string
  authorizedMinor: bigint
  settledMinor: bigint
  releasedMinor: bigint
  openMinor: bigint
  exceededMinor: bigint
  state: AuthorizationState
  expiresAt: Date | null
  openedAt: Date
  /** The ID of the posting instruction that opened the authorization. */
  openedBy: string
  /**
   * Identifies the commit that wrote the authorization, like the stamp of a balance; null before
   * its first commit.
   */
  stamp: string | null
}

/** An accepted instruction, with the properties that a reversal needs. */
export interface PostedInstruction {
  postingInstructionId: string
  type: InstructionType
  legs: readonly Leg[]
  reversedBy: string | null
}
