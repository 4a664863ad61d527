import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { publicationOf, type RecordKind } from '../../../kernel/writing/records.ts'
import { expireAgreement } from '../domain/agreement.ts'
import { expireKyc } from '../domain/customer.ts'
import { agreementKind, findPastAgreements, writeExpiredAgreements } from '../store/agreement.ts'
import { customerKind, findLapsedKyc, writeExpiredKyc } from '../store/customer.ts'

const batchSize = 200
const everyMs = 60_000

/** Expires active agreements on the day after `effectiveTo`. */
export const expireAgreements: Worker = {
  name: 'parties.expire-agreements',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Expires active agreements after their last day.',
  everyMs,
  run: (context) =>
    expire(context, {
      kind: agreementKind,
      event: 'agreements.agreement.expired',
      find: findPastAgreements,
      decide: expireAgreement,
      write: writeExpiredAgreements,
    }),
}

/** Expires passed identity checks on the day after `kycExpiresOn`. */
export const expireKycChecks: Worker = {
  name: 'parties.expire-kyc-checks',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Expires the identity checks of customers after their last day of validity.',
  everyMs,
  run: (context) =>
    expire(context, {
      kind: customerKind,
      event: 'parties.customer.kyc-expired',
      find: findLapsedKyc,
      decide: expireKyc,
      write: writeExpiredKyc,
    }),
}

interface Expiry<Entity extends Versioned, Event extends string> {
  kind: RecordKind<Entity, Event>
  event: Event
  find(context: Context, today: LocalDate, take: number): Promise<Entity[]>
  decide(record: Entity, today: LocalDate): Entity
  write(records: readonly Entity[], updatedAt: Date): Write
}

/**
 * Expires one batch of records in one commit. After a version conflict with another process, the
 * command is decided again with the remaining records.
 */
function expire<Entity extends Versioned, Event extends string>(
  context: Context,
  { kind, event, find, decide, write }: Expiry<Entity, Event>,
): Promise<number> {
  return command(context, event, {}, async () => {
    const now = context.now()
    const today = dateOf(now)
    const expiredRecords = (await find(context, today, batchSize)).map((record) =>
      decide(record, today),
    )
    if (expiredRecords.length === 0) return { result: 0 }
    const publications = expiredRecords.map((record) =>
      publicationOf(kind, { ...record, version: record.version + 1, updatedAt: now }, event),
    )
    return {
      result: expiredRecords.length,
      writes: [write(expiredRecords, now)],
      events: publications.flatMap(({ events }) => events),
      facts: publications.flatMap(({ facts }) => facts),
    }
  })
}
