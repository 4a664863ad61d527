import type { Prisma } from '../../../../prisma/client/client.ts'
import { listsByKey } from '../../../../kernel/database/list-loader.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { columnsOf, tableOf } from '../../../../kernel/writing/table.ts'
import { insert, updateMany, type Write } from '../../../../kernel/writing/writes.ts'
import type { RateResetLetter } from '../../model/rate-resets/rate-reset-letter.ts'
import type { RateResetLetterEvent } from '../../rate-reset-events.ts'

const tableName = 'lending.rate_reset_letter'

const table = tableOf<RateResetLetter, Prisma.RateResetLetterGetPayload<object>>(
  tableName,
  'rateResetLetterId',
  ({ db }) => db.rateResetLetter,
  (row) => ({
    ...row,
    resetOn: dateOf(row.resetOn),
    state: row.state as RateResetLetter['state'],
  }),
)

export const rateResetLetterSortKey = table.sortKey

/** Returns the parties that may see a letter and receive its events: none until it was sent. */
const ownersOf = ({ state, partyId }: RateResetLetter): string[] =>
  state === 'sent' ? [partyId] : []

export const rateResetLetterKind: RecordKind<RateResetLetter, RateResetLetterEvent> = {
  ...table,
  entity: 'rate-reset-letter',
  id: 'rateResetLetter',
  notFound: 'RATE_RESET_LETTER_NOT_FOUND',
  created: 'lending.rate-reset-letter.due',
  ownersOf,
  snapshot: (letter) => ({
    rateResetLetterId: letter.rateResetLetterId,
    facilityId: letter.facilityId,
    resetOn: letter.resetOn,
    partyId: letter.partyId,
    state: letter.state,
    notificationId: letter.notificationId,
    documentId: letter.documentId,
    failureCode: letter.failureCode,
  }),
  isPublished: false,
}

/** Returns the writes that insert letters. */
export function insertLetters(letters: readonly RateResetLetter[]): Write[] {
  return letters.length === 0 ? [] : [insert(tableName, ...letters.map(columnsOf))]
}

/**
 * Loads letters by ID. The result is null for a letter that does not exist or that the caller may
 * not see.
 */
export const loadRateResetLetter = loader<string, RateResetLetter>(async (context, ids) => {
  const found = await table.loadMany(context, ids)
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** Returns the key with which the letters of a reset are loaded. */
export const resetKeyOf = ({ facilityId, resetOn }: { facilityId: string; resetOn: LocalDate }) =>
  `${facilityId}/${resetOn}`

/** Loads the letters about resets that the caller may see, by the key of the reset. */
export const loadLettersOfReset = loader<string, RateResetLetter[]>(async (context, keys) => {
  const pairs = keys.map((key) => key.split('/') as [string, string])
  const found = await table.findMany(context, {
    where: {
      facilityId: { in: [...new Set(pairs.map(([facilityId]) => facilityId))] },
      resetOn: { in: [...new Set(pairs.map(([, resetOn]) => resetOn))].map((on) => new Date(on)) },
    },
    orderBy: [{ createdAt: 'asc' }, { rateResetLetterId: 'asc' }],
  })
  const wanted = new Set(keys)
  const visible = found.filter(
    (each) => wanted.has(resetKeyOf(each)) && maySee(context.caller, ownersOf(each)),
  )
  return listsByKey(keys, visible, resetKeyOf)
})

/** Lists letters in the order in which their rates were reset. */
export function listLetters(
  context: Context,
  filter: {
    facilityId: string | null
    partyId: string | null
    state: RateResetLetter['state'] | null
  },
  after: string[] | null,
  take: number,
): Promise<RateResetLetter[]> {
  return table.list(context, filter, after, take)
}

/** Which letters are tried again. A condition that is null does not apply. */
export interface LettersToRetry {
  state: RateResetLetter['state']
  failureCode: string | null
  facilityId: string | null
}

/**
 * Finds letters to be tried again, the least recently changed first: a letter that has just failed again
 * comes after all others.
 */
export function findLettersToRetry(
  context: Context,
  { state, failureCode, facilityId }: LettersToRetry,
  take: number,
): Promise<RateResetLetter[]> {
  const where = { state, ...(failureCode && { failureCode }), ...(facilityId && { facilityId }) }
  const orderBy = [{ updatedAt: 'asc' }, { rateResetLetterId: 'asc' }]
  return table.findMany(context, { where, orderBy, take })
}

/** Returns the writes that record letters as tried again. */
export function updateRetried(
  before: readonly RateResetLetter[],
  after: readonly RateResetLetter[],
): Write[] {
  if (after.length === 0) return []
  const rows = after.map(
    ({ rateResetLetterId, state, notificationId, failureCode, updatedAt }, index) =>
      columnsOf({
        rateResetLetterId,
        version: before[index]!.version,
        state,
        notificationId,
        failureCode,
        updatedAt,
      }),
  )
  return [updateMany(tableName, 'rate_reset_letter_id', rows)]
}

/** Finds letters that are due, oldest first. */
export function findDueLetters(context: Context, take: number): Promise<RateResetLetter[]> {
  return table.findMany(context, {
    where: { state: 'due' },
    orderBy: [{ createdAt: 'asc' }, { rateResetLetterId: 'asc' }],
    take,
  })
}

export const areLettersDueSql = "exists (select from lending.rate_reset_letter where state = 'due')"

/** Finds letters that wait for their delivery, after an ID, in the order of their IDs. */
export function findAcceptedLetters(
  context: Context,
  after: string,
  take: number,
): Promise<RateResetLetter[]> {
  return table.findMany(context, {
    where: { state: 'accepted', rateResetLetterId: { gt: after } },
    orderBy: { rateResetLetterId: 'asc' },
    take,
  })
}

/** Finds the letters among notifications that wait for their delivery. */
export function findAcceptedOf(
  context: Context,
  notificationIds: readonly string[],
): Promise<RateResetLetter[]> {
  return table.findMany(context, {
    where: { state: 'accepted', notificationId: { in: [...notificationIds] } },
    orderBy: { rateResetLetterId: 'asc' },
  })
}
