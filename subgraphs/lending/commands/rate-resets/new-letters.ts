import { listsByKey } from '../../../../kernel/database/list-loader.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { publicationOf, versioned } from '../../../../kernel/writing/records.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { newLetter, resetsToReport } from '../../domain/rate-resets/letter.ts'
import type { AppliedResets } from '../../domain/rate-resets/rate-reset.ts'
import { findLiableOf } from '../../store/obligors/obligor.ts'
import { insertLetters, rateResetLetterKind } from '../../store/rate-resets/rate-reset-letter.ts'

/** Reads the co-borrowers of the facilities whose resets are reported, by facility. */
export async function readCoBorrowers(
  context: Context,
  resetsById: ReadonlyMap<string, AppliedResets>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const reported = [...resetsById].filter(([, applied]) => resetsToReport(applied).length > 0)
  if (reported.length === 0) return new Map()
  const facilityIds = reported.map(([facilityId]) => facilityId)
  const liable = await findLiableOf(context, facilityIds)
  const coBorrowers = liable.filter(({ role }) => role === 'co-borrower')
  const lists = listsByKey(facilityIds, coBorrowers, ({ facilityId }) => facilityId)
  return new Map(facilityIds.map((id, index) => [id, lists[index]!.map(({ partyId }) => partyId)]))
}

/**
 * Returns the writes and events of the letters about the resets of a facility: one for each reset that
 * changed its payments, to the borrower and to each co-borrower.
 */
export function decideLetters(
  context: Context,
  { partyId }: Facility,
  applied: AppliedResets,
  coBorrowers: readonly string[],
) {
  const letters = resetsToReport(applied).flatMap((reset) =>
    [partyId, ...coBorrowers].map((recipient) => {
      const id = context.newId('rateResetLetter')
      const stamp = { id, contentHash: '', now: context.now() }
      return newLetter(reset, recipient, { ...versioned(stamp), rateResetLetterId: id })
    }),
  )
  const { created } = rateResetLetterKind
  return {
    writes: insertLetters(letters),
    events: letters.flatMap((each) => publicationOf(rateResetLetterKind, each, created).events),
  }
}
