import type { Context } from '../../../kernel/environment/context.ts'
import { command } from '../../../kernel/writing/command.ts'
import {
  advanceThrough,
  declareConsumer,
  readNextEvents,
  type NextEvent,
} from '../../../kernel/writing/consumer.ts'
import { contractOfAccount, contractOfFacility } from '../domain/contract.ts'
import { closeReasonOf } from '../domain/episode.ts'
import { episodeEvent } from '../events.ts'
import { findOpen } from '../store/episode.ts'
import { updateEpisodes } from './evaluate-page.ts'
import { closedNow } from './run-page.ts'

/** The events after which a contract is no longer in arrears. */
export const endingTypes = [
  'lending.facility.cured',
  'lending.facility.paid-off',
  'lending.facility.matured',
  'lending.facility.charged-off',
  'lending.facility.written-off',
  'accounts.overdraft-exposure.cured',
] as const

export const closer = declareConsumer('collections.close-episodes', endingTypes)

const members = ['facilityId', 'arrangementId', 'state'] as const
type Ending = NextEvent<(typeof members)[number]>

const batchSize = 100

/**
 * Closes the episodes of contracts that are no longer in arrears, from the next events. An event
 * from before an episode belongs to an earlier one. Returns the number of events.
 */
export function closeEpisodes(context: Context): Promise<number> {
  return command<number>(context, 'collections.close-episodes', {}, async () => {
    const endings = await readNextEvents(context.bank, closer, endingTypes, members, batchSize)
    if (endings.length === 0) return { result: 0 }
    const open = await findOpen(context, endings.map(contractOf))
    const closed = [...open.values()].flatMap((episode) => {
      const ending = endings.find(
        (each) => contractOf(each) === episode.contract && each.time > episode.createdAt,
      )
      return ending ? [closedNow(context, episode, reasonOf(ending))] : []
    })
    return {
      result: endings.length,
      writes: [
        advanceThrough(closer, endings),
        ...(closed.length > 0 ? [updateEpisodes(closed)] : []),
      ],
      events: closed.map((episode) => episodeEvent('collections.episode.closed', episode)),
    }
  })
}

const contractOf = ({ facilityId, arrangementId }: Ending): string =>
  facilityId === null ? contractOfAccount(arrangementId!) : contractOfFacility(facilityId)

const reasonOf = ({ type, state }: Ending) =>
  type === 'accounts.overdraft-exposure.cured' ? 'cured' : (closeReasonOf(state!) ?? 'cured')
