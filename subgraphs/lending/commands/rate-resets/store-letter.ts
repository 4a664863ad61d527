import { bankCaller } from '../../../../kernel/authorization/auth.ts'
import { isFinal } from '../../../../kernel/domain/problem.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { companionId } from '../../../../kernel/environment/ids.ts'
import { processNamed } from '../../../../kernel/work/named-records.ts'
import { declareConsumer } from '../../../../kernel/writing/consumer.ts'
import type { LetterFigures } from '../../domain/rate-resets/letter.ts'
import { renderRateResetLetter, type SentLetter } from '../../files/rate-reset-letter-file.ts'
import type { RateResetLetter } from '../../model/rate-resets/rate-reset-letter.ts'
import {
  SentRateResetLetterDocument,
  StoredRateResetLetterDocument,
  StoreRateResetLetterDocument,
} from '../../queries.generated.ts'
import { findAcceptedOf } from '../../store/rate-resets/rate-reset-letter.ts'
import { changeLetter, readFigures } from './send-letter.ts'

/**
 * Stores a letter that was sent as a document of its party. Returns 0 while the letter is not sent
 * yet. A letter that is not sent at all is not stored.
 */
export async function storeRateResetLetter(
  context: Context,
  letter: RateResetLetter,
): Promise<number> {
  const { bank } = context
  const figures = await readFigures(context, letter)
  const { notification, partyContacts, referenceRate } = await bank.queryGraph(
    SentRateResetLetterDocument,
    {
      notificationId: letter.notificationId!,
      partyId: letter.partyId,
      referenceRateId: figures.reset.referenceRateId,
    },
  )
  const { status, renderedBody, renderedSubject, language } = notification!
  if (status === 'QUEUED' || status === 'ACCEPTED') return 0
  if (status === 'SUPPRESSED') return recorded(changeLetter(context, letter, 'suppressed'))
  if (status === 'FAILED' || !renderedBody) {
    return recorded(changeLetter(context, letter, 'undelivered'))
  }
  const sent: SentLetter = {
    subject: renderedSubject ?? null,
    body: renderedBody,
    language,
    recipient: partyContacts![0]?.displayName ?? null,
    referenceRateName: referenceRate?.name ?? figures.reset.referenceRateId,
  }
  return storeSent(context, letter, figures, sent)
}

const recorded = async (change: Promise<RateResetLetter>): Promise<number> => {
  await change
  return 1
}

async function storeSent(
  context: Context,
  letter: RateResetLetter,
  figures: LetterFigures,
  sent: SentLetter,
): Promise<number> {
  const { rateResetLetterId, partyId } = letter
  const { effectiveFrom } = figures.reset
  const content = await renderRateResetLetter(letter, figures, sent)
  // The ID follows from the letter, so that a repetition after a crash stores no second document.
  const documentId = companionId('document', rateResetLetterId)
  const variables = {
    documentId,
    partyId,
    title: `Change of the interest rate from ${effectiveFrom}`,
    content: content.toString('base64'),
    fileName: `rate-${effectiveFrom}.pdf`,
  }
  const idempotencyKey = `rate-reset-letter:${documentId}:${letter.version}`
  const request = { caller: bankCaller, idempotencyKey }
  try {
    await context.bank.queryGraph(StoreRateResetLetterDocument, variables, request)
  } catch (error) {
    if (!isFinal(error)) throw error
    if (await isStored(context, letter, documentId)) {
      return recorded(changeLetter(context, letter, 'sent', { documentId }))
    }
    const { code } = error
    context.bank.log.error({ rateResetLetterId, code }, 'a letter about a reset was not stored')
    return recorded(changeLetter(context, letter, 'not-stored', { failureCode: code }))
  }
  return recorded(changeLetter(context, letter, 'sent', { documentId }))
}

/**
 * Whether the document of a letter was stored before the process died. A repetition of the request is
 * rejected if the content differs, for example because the name of the party has changed in between.
 * The document is then right as it is: it has the name of the day on which it was stored.
 */
async function isStored(
  { bank }: Context,
  { partyId }: RateResetLetter,
  documentId: string,
): Promise<boolean> {
  const { document } = await bank.queryGraph(StoredRateResetLetterDocument, { documentId })
  return document?.documentType === 'rate-reset-letter' && document.party?.partyId === partyId
}

/**
 * The events after which a letter may be stored. The letter may be recorded as accepted before it is
 * delivered or afterwards.
 */
export const letterTypes = [
  'lending.rate-reset-letter.accepted',
  'lending.rate-reset-letter.retried',
  'notifications.notification.sent',
  'notifications.notification.suppressed',
  'notifications.notification.failed',
] as const

export const letterReader = declareConsumer('lending.store-rate-reset-letters', letterTypes)

/** Stores the letters that the next events name. Returns the number of events. */
export function storeNamedLetters(context: Context): Promise<number> {
  return processNamed(context, {
    consumer: letterReader,
    types: letterTypes,
    member: 'notificationId',
    find: findAcceptedOf,
    process: storeRateResetLetter,
  })
}
