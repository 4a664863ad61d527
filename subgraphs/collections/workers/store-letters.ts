import { inBatches } from '../../../kernel/work/batches.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { storeLetter } from '../commands/store-letter.ts'
import { letterReader, letterTypes, storeNamedLetters } from '../commands/store-named-letters.ts'
import type { CollectionsStep } from '../model/episode.ts'
import { findUndocumented } from '../store/episode.ts'

const batchSize = 50

/** Stores letters that were sent as documents, so that their text can be shown years later. */
export const storeLetters: Worker = {
  name: letterReader,
  purpose: 'Stores the letters of collections as documents, once they are sent.',
  everyMs: dueFallbackMs,
  wakeOn: letterTypes,
  run: storeNamedLetters,
}

/** Stores letters whose storage failed when their events were read. */
export const storeRemainingLetters: Worker = {
  name: 'collections.store-remaining-letters',
  purpose: 'Stores letters of collections that were sent and could not be stored before.',
  everyMs: 600_000,
  run(context) {
    const idOf = ({ collectionsStepId }: CollectionsStep) => collectionsStepId
    const letters = inBatches(context, batchSize, findUndocumented, idOf)
    return processEach(context, letters, (step) => storeLetter(context, step))
  },
}
