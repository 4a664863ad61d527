import { bankCaller } from '../../../../kernel/authorization/auth.ts'
import { isFinal } from '../../../../kernel/domain/problem.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { changeRecord } from '../../../../kernel/writing/records.ts'
import { letterFigures, letterValues, type LetterFigures } from '../../domain/rate-resets/letter.ts'
import type { RateResetLetter } from '../../model/rate-resets/rate-reset-letter.ts'
import { ReferenceRateNameDocument, SendRateResetLetterDocument } from '../../queries.generated.ts'
import type { RateResetLetterEvent } from '../../rate-reset-events.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { findFirstChange, findReset } from '../../store/rate-resets/rate-reset.ts'
import { rateResetLetterKind } from '../../store/rate-resets/rate-reset-letter.ts'
import { readSchedules } from '../../store/schedules/schedule-version.ts'

/** The code of the templates of letters about resets, in any language. */
const templateCode = 'tpl_rate_reset'

/**
 * Sends a letter that is due, as a notification. The request has an idempotency key that follows from
 * the letter, so that a repetition after a crash sends nothing twice.
 */
export async function sendRateResetLetter(
  context: Context,
  letter: RateResetLetter,
): Promise<RateResetLetter> {
  const { bank } = context
  const { rateResetLetterId, partyId, version } = letter
  const figures = await readFigures(context, letter)
  const { referenceRateId } = figures.reset
  const { referenceRate } = await bank.queryGraph(ReferenceRateNameDocument, { referenceRateId })
  const personalization = letterValues(figures, referenceRate?.name ?? referenceRateId)
  // A letter that failed and is tried again has another version, and so another key.
  const idempotencyKey = `rate-reset-letter:${rateResetLetterId}:${version}`
  const request = { caller: bankCaller, idempotencyKey }
  try {
    const { createNotification } = await bank.queryGraph(
      SendRateResetLetterDocument,
      { partyId, templateCode, personalization },
      request,
    )
    const { notificationId, status } = createNotification
    const state = status === 'SUPPRESSED' ? 'suppressed' : 'accepted'
    return await changeLetter(context, letter, state, { notificationId, acceptedAt: bank.now() })
  } catch (error) {
    if (!isFinal(error)) throw error
    const { code } = error
    bank.log.error({ rateResetLetterId, code }, 'a letter about a rate reset was rejected')
    return changeLetter(context, letter, 'failed', { failureCode: code })
  }
}

/**
 * Reads what a letter says from the reset and its schedules, which never change. Of resets that take
 * effect on the same day, the letter compares the schedules before the first and after the last one.
 */
export async function readFigures(
  context: Context,
  { facilityId, resetOn }: RateResetLetter,
): Promise<LetterFigures> {
  const [facility, found] = await Promise.all([
    facilityKind.find(context, facilityId),
    findReset(context, facilityId, resetOn),
  ])
  const first = await findFirstChange(context, found!)
  const [before, after] = [first.scheduleVersion! - 1, found!.scheduleVersion!]
  const schedules = await readSchedules(context, facilityId, [before, after])
  const reset = { ...found!, previousRatePct: first.previousRatePct }
  return letterFigures(facility!, reset, schedules.get(before)!, schedules.get(after)!)
}

/** Changes a letter to a state. Does nothing if another process has changed it. */
export function changeLetter(
  context: Context,
  letter: RateResetLetter,
  state: Exclude<RateResetLetter['state'], 'due'>,
  changes: Partial<RateResetLetter> = {},
): Promise<RateResetLetter> {
  const { rateResetLetterId, version } = letter
  const event: RateResetLetterEvent = `lending.rate-reset-letter.${state}`
  return changeRecord(
    context,
    rateResetLetterKind,
    'lending.rate-reset-letter',
    { rateResetLetterId },
    rateResetLetterId,
    event,
    (before) => ({
      record: before.version === version ? { ...before, ...changes, state } : before,
    }),
  )
}
