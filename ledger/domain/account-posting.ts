import type { LocalDate } from '../../kernel/domain/dates.ts'
import type { Side } from './account.ts'
import type { InstructionType } from './instruction.ts'

/** A posting with all of its entries. */
export interface AccountPosting {
  postingInstructionId: string
  type: InstructionType
  /** The ID of the posting that this posting reverses; null if it reverses none. */
  reversesId: string | null
  bookedAt: Date
  valueDate: LocalDate
  /** The remittance information; empty if there is none. */
  text: string
  entries: AddressedEntry[]
}

export interface AddressedEntry {
  accountId: string
  address: string
  /** `customer`, `loan`, or the account's code in the chart of accounts. */
  code: string
  side: Side
  amountMinor: bigint
}
