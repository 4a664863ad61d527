import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import type { Worker } from '../_kernel/worker.ts'
import type { Write } from '../_kernel/writes.ts'
import { publish, type Kind, type Owned } from './change.ts'
import { expireAgreement } from './domain/agreement.ts'
import { expireKyc } from './domain/customer.ts'
import { agreementKind, findPastAgreements, writeExpiredAgreements } from './store/agreement.ts'
import { customerKind, findLapsedKyc, writeExpiredKyc } from './store/customer.ts'

const batchSize = 200
const everyMs = 10_000

/** Expires active agreements on the day after `effectiveTo`. */
export const expireAgreements: Worker = {
  name: 'parties.expire-agreements',
  followsClock: true,
  purpose: 'Expires active agreements on the day after their last day.',
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
  followsClock: true,
  purpose: 'Expires the identity checks of customers on the day after their last day of validity.',
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

interface Expiry<Record extends Owned, Event extends string> {
  kind: Kind<Record, Event>
  event: Event
  find(context: Context, today: LocalDate, take: number): Promise<Record[]>
  decide(record: Record, today: LocalDate): Record
  write(records: readonly Record[], updatedAt: Date): Write
}

/**
 * Expires one batch in one commit. On a version conflict with another process, the commit is
 * decided again on the remaining records.
 */
function expire<Record extends Owned, Event extends string>(
  context: Context,
  { kind, event, find, decide, write }: Expiry<Record, Event>,
): Promise<number> {
  return command(context, event, {}, async () => {
    const now = context.now()
    const today = dateOf(now)
    const expired = (await find(context, today, batchSize)).map((record) => decide(record, today))
    if (expired.length === 0) return { result: 0 }
    const published = expired.map((record) =>
      publish(kind, { ...record, version: record.version + 1, updatedAt: now }, event),
    )
    return {
      result: expired.length,
      writes: [write(expired, now)],
      events: published.flatMap(({ events }) => events),
      facts: published.flatMap(({ facts }) => facts),
    }
  })
}
