import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const PromiseToPayStatus = enumeration(
  'PromiseToPayStatus',
  'Whether a borrower kept a promise to pay.',
  {
    open: 'The last day has not passed, and less than the promised amount has been paid.',
    kept: 'The promised amount was paid in time.',
    broken: 'The promised amount was not paid in time, or a payment bounced.',
    cancelled: 'The promise was cancelled while it was open. This status is final.',
  },
)
export type PromiseToPayStatus = TypeOf<typeof PromiseToPayStatus>
