import { Problem } from '../../domain/problems.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { publicationOf } from '../../../../kernel/writing/records.ts'
import { retryOf } from '../../domain/rate-resets/letter.ts'
import {
  rateResetLetterStates,
  type RateResetLetterRetry,
} from '../../model/rate-resets/rate-reset-letter.ts'
import {
  findLettersToRetry,
  rateResetLetterKind,
  updateRetried,
  type LettersToRetry,
} from '../../store/rate-resets/rate-reset-letter.ts'

/** The maximum number of letters per request, which are one commit. */
const maxRetried = 100

/**
 * Has letters in a state tried again, as `retryRateResetLetter` does for one. Throws
 * VALIDATION_FAILED for a state in which a letter cannot be tried again.
 */
export async function retryLetters(
  context: Context,
  input: LettersToRetry,
): Promise<RateResetLetterRetry> {
  const { from, event } = rateResetLetterStates.transitions.retryRateResetLetter
  if (!(from as readonly string[]).includes(input.state)) {
    const detail = 'Send FAILED, UNDELIVERED or NOT_STORED: other letters cannot be tried again.'
    const errors = [{ pointer: '/state', code: 'NOT_RETRYABLE', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return command<RateResetLetterRetry>(context, 'retryRateResetLetters', input, async () => {
    const found = await findLettersToRetry(context, input, maxRetried + 1)
    const failed = found.slice(0, maxRetried)
    const request = { now: context.now(), subject: context.caller.subject }
    const retried = failed.map((letter) => retryOf(letter, request))
    return {
      result: { retried: retried.length, hasMore: found.length > maxRetried },
      writes: updateRetried(failed, retried),
      events: retried.flatMap(
        (letter) => publicationOf(rateResetLetterKind, letter, event[0]).events,
      ),
    }
  })
}
