import type { Context } from '../../../../kernel/environment/context.ts'
import { inBatches } from '../../../../kernel/work/batches.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../../kernel/work/worker.ts'
import { sendRateResetLetter } from '../../commands/rate-resets/send-letter.ts'
import {
  letterReader,
  letterTypes,
  storeNamedLetters,
  storeRateResetLetter,
} from '../../commands/rate-resets/store-letter.ts'
import type { RateResetLetter } from '../../model/rate-resets/rate-reset-letter.ts'
import {
  areLettersDueSql,
  findAcceptedLetters,
  findDueLetters,
} from '../../store/rate-resets/rate-reset-letter.ts'

const batchSize = 50

/** Sends the letters that the end of day decided with the resets of rates. */
export const sendRateResetLetters: Worker = {
  name: 'lending.send-rate-reset-letters',
  purpose: 'Sends letters to borrowers about resets of their rates.',
  everyMs: dueFallbackMs,
  isDueSql: areLettersDueSql,
  async run(context: Context): Promise<number> {
    const due = await findDueLetters(context, batchSize)
    return processEach(context, due, (letter) => sendRateResetLetter(context, letter))
  },
}

/** Stores letters that were sent as documents, so that their text can be shown years later. */
export const storeRateResetLetters: Worker = {
  name: letterReader,
  purpose: 'Stores letters about resets of rates as documents, once they are sent.',
  everyMs: dueFallbackMs,
  wakeOn: letterTypes,
  run: storeNamedLetters,
}

/** Stores letters whose storage failed when their events were read. */
export const storeRemainingRateResetLetters: Worker = {
  name: 'lending.store-remaining-rate-reset-letters',
  purpose: 'Stores letters about resets of rates that were sent and could not be stored before.',
  everyMs: 600_000,
  run(context) {
    const idOf = ({ rateResetLetterId }: RateResetLetter) => rateResetLetterId
    const letters = inBatches(context, batchSize, findAcceptedLetters, idOf)
    return processEach(context, letters, (letter) => storeRateResetLetter(context, letter))
  },
}
