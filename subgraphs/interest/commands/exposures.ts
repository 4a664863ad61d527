import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import type { AccrualInputs } from '../domain/accrued-day.ts'
import { firstChangedDay, isExposed, knownStart, type ExposureStart } from '../domain/exposure.ts'
import type { InterestPosition } from '../domain/position.ts'
import { exposureEvent } from '../exposure-events.ts'
import { exposureFact } from '../facts.ts'
import { readRunStarts } from '../store/exposure.ts'

/**
 * Returns from which day on the exposures of accounts are derived, in the order of the inputs. The
 * position says since when its account was overdrawn before; only after a correction, or if the former
 * release accrued the account, the stored days are read.
 */
export async function readExposureStarts(
  context: Context,
  inputs: readonly AccrualInputs[],
): Promise<ExposureStart[]> {
  const starts = inputs.map(({ position, movements }) => {
    const { arrangementId } = position
    const from = firstChangedDay({ position, movements })
    return { arrangementId, before: from, known: knownStart(position, from) }
  })
  const read = await readRunStarts(
    context,
    starts.filter(({ known }) => known === undefined),
  )
  return starts.map(({ arrangementId, before, known }) => ({
    from: before,
    overdrawnSince: known === undefined ? (read.get(arrangementId) ?? null) : known,
  }))
}

/** A position before and after its account was accrued. */
export interface ChangedPosition {
  before: InterestPosition
  after: InterestPosition
}

/**
 * Returns the events of overdrafts that became past due or were cured, and the facts of accounts to
 * which the bank became exposed or no longer is.
 */
export function publishExposures(changed: readonly ChangedPosition[]): {
  events: DomainEvent[]
  facts: PublishedFact[]
} {
  const restated = changed.filter(
    ({ before, after }) => before.daysBeyondLimit > 0 !== after.daysBeyondLimit > 0,
  )
  const moved = changed.filter(({ before, after }) => isExposed(before) !== isExposed(after))
  return {
    events: restated.map(({ after }) => exposureEvent(after)),
    facts: moved.map(({ after }) => exposureFact(after)),
  }
}
