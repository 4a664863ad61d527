import { expect, test } from 'vitest'
import { subjectShapes } from '../../../kernel/events/record-data.ts'
import '../../../subgraphs/lending/events.ts'
import '../../../subgraphs/lending/relief-events.ts'

test.each([
  ['facility', 'Facility', 'facilityId'],
  ['drawdown', 'Drawdown', 'drawdownId'],
  ['repayment', 'Repayment', 'repaymentId'],
  ['extra-payment', 'ExtraPayment', 'extraPaymentId'],
  ['payment-holiday', 'PaymentHoliday', 'paymentHolidayId'],
  ['hardship-request', 'HardshipRequest', 'hardshipRequestId'],
])('events about a %s refer to the type %s by its key %s', (entity, type, key) => {
  expect(subjectShapes.get(entity)).toMatchObject({ name: type, keys: [key] })
})
