import { formatAmount } from '../../kernel/domain/money.ts'
import {
  currency,
  date,
  decimal,
  id,
  integer,
  orNull,
  record,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { exposureOf } from './domain/exposure.ts'
import type { InterestPosition } from './domain/position.ts'
import { AccountArrangementStub } from './model/references.ts'

// An overdraft that became past due or was cured is an event of its account.
declareSubject('overdraft-exposure', AccountArrangementStub)

const exposureData = record({
  arrangementId: id,
  asOf: date,
  overdrawn: decimal,
  limit: decimal,
  currency,
  beyondLimitSince: orNull(date),
  daysPastDue: integer,
})

declareEvents(
  {
    'accounts.overdraft-exposure.past-due':
      'An account was beyond its overdraft limit at the end of a day, and was not before.',
    'accounts.overdraft-exposure.cured':
      'An account that was past due was within its overdraft limit at the end of a day.',
  },
  exposureData,
)

/** Returns the event of an overdraft that became past due or was cured, for the owner of the account. */
export function exposureEvent(position: InterestPosition): DomainEvent {
  const { arrangementId, version, partyId, currency } = position
  const exposure = exposureOf(position)
  const data: Static<typeof exposureData> = {
    arrangementId,
    asOf: exposure.asOf,
    overdrawn: formatAmount(exposure.overdrawnMinor, currency),
    limit: formatAmount(exposure.limitMinor, currency),
    currency,
    beyondLimitSince: exposure.beyondLimitSince,
    daysPastDue: exposure.daysPastDue,
  }
  return {
    type: `accounts.overdraft-exposure.${exposure.daysPastDue > 0 ? 'past-due' : 'cured'}`,
    subject: `overdraft-exposure/${arrangementId}`,
    version,
    data,
    parties: [partyId],
  }
}
