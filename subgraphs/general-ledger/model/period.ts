import {
  date,
  entity,
  enumeration,
  id,
  instant,
  integer,
  oneOf,
  string,
  text,
  type TypeOf,
  stored,
} from '../../../kernel/domain/model.ts'

export const AccountingPeriodState = enumeration(
  'AccountingPeriodState',
  'The state of an accounting period.',
  {
    open: 'Postings whose value date is in the period are booked in it.',
    'soft-closed':
      'Only journal entries of employees are booked in the period. Other postings are booked in the next open period.',
    closed: 'Nothing is booked in the period. Its balances are stored.',
  },
)
export type AccountingPeriodState = TypeOf<typeof AccountingPeriodState>

export const AccountingPeriod = entity(
  'AccountingPeriod',
  'accountingPeriodId',
  'An accounting period: one month. A month whose state never changed is open.',
  {
    accountingPeriodId: id('The month, such as `2026-03`.').inEvents(),
    fiscalYear: integer('The fiscal year, which is the calendar year of the month.'),
    firstDay: date('The first day of the period.'),
    lastDay: date('The last day of the period.'),
    state: oneOf(AccountingPeriodState, 'Whether postings can be booked in the period.').inEvents(),
    closings: integer(
      'How often the period was closed; 0 if the first closing, of a later period, closed it.',
    ).inEvents(),
    closedBy: string('The person who last closed the period; null if it was never closed.')
      .orNull()
      .inEvents(),
    closedAt: instant(
      'When the period was last closed, in UTC; null if it was never closed.',
    ).orNull(),
    reopeningReason: text(
      'Why the period is to be reopened; null unless reopening is proposed.',
    ).orNull(),
    reopeningProposedBy: string(
      'The person or client that proposed to reopen the period; null unless reopening is proposed.',
    )
      .orNull()
      .inEvents(),
    contentHash: stored<string>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
    updatedAt: stored<Date>(),
  },
)
export type AccountingPeriod = TypeOf<typeof AccountingPeriod>
