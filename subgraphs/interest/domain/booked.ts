import type { Adjustment } from './adjust.ts'
import type { Capitalized } from './capitalize.ts'

/** What every booked change of an account's interest has. */
interface Booked {
  arrangementId: string
  partyId: string
  currency: string
  createdAt: Date
}

/** Interest that was paid, with its posting. */
export interface BookedCapitalization extends Capitalized, Booked {
  capitalizationId: string
  postingInstructionId: string
}

/** A correction of interest, with its posting; null if the correction rounds to zero. */
export interface BookedAdjustment extends Adjustment, Booked {
  adjustmentId: string
  postingInstructionId: string | null
}
