import type { Context } from '../../../../kernel/environment/context.ts'
import { command } from '../../../../kernel/writing/command.ts'
import {
  advanceThrough,
  declareConsumer,
  readNextEvents,
} from '../../../../kernel/writing/consumer.ts'
import { changeRecord, publicationOf } from '../../../../kernel/writing/records.ts'
import { ended, isLiable } from '../../domain/obligors/obligor.ts'
import type { FacilityObligor } from '../../model/obligors/obligor.ts'
import { findLiableOf, obligorKind } from '../../store/obligors/obligor.ts'
import { withdrawCalls } from './guarantee-call.ts'

/** The events that end a facility. */
export const facilityEndTypes = [
  'lending.facility.paid-off',
  'lending.facility.matured',
  'lending.facility.recovered',
  'lending.facility.written-off',
  'lending.facility.cancelled',
] as const

const consumer = declareConsumer('lending.end-obligors', facilityEndTypes)
const batchSize = 100
const event = 'lending.facility.obligor-ended'

/** Ends the liability of an obligor whose guarantee has ended. Throws OBLIGOR_NOT_FOUND. */
export function endObligor(context: Context, obligorId: string): Promise<FacilityObligor> {
  const name = 'endObligor'
  const input = { obligorId }
  return changeRecord(context, obligorKind, name, input, obligorId, event, (before, now) => ({
    record: isLiable(before) ? ended(before, now) : before,
  }))
}

/**
 * Ends the obligors of facilities that have ended, from the next events, and withdraws the open calls
 * of their guarantees. Returns the number of events.
 */
export function endWithFacilities(context: Context): Promise<number> {
  return command<number>(context, 'lending.end-obligors', {}, async () => {
    const members = ['facilityId'] as const
    const ends = await readNextEvents(context.bank, consumer, facilityEndTypes, members, batchSize)
    if (ends.length === 0) return { result: 0 }
    const now = context.now()
    const liable = await findLiableOf(
      context,
      ends.map(({ facilityId }) => facilityId!),
    )
    const changes = liable.map((before) => {
      const after = { ...ended(before, now), version: before.version + 1, updatedAt: now }
      return { before, after, published: publicationOf(obligorKind, after, event) }
    })
    const liableIds = liable.map(({ obligorId }) => obligorId)
    const calls = await withdrawCalls(context, liableIds, 'The facility has ended.')
    return {
      result: ends.length,
      writes: [
        advanceThrough(consumer, ends),
        ...changes.map(({ before, after }) => obligorKind.update(before, after)),
        ...calls.writes,
      ],
      events: [...changes.flatMap(({ published }) => published.events), ...calls.events],
      facts: changes.flatMap(({ published }) => published.facts),
    }
  })
}
