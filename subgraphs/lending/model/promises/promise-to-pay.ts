import { PromiseToPayStatus } from './enumerations.ts'
import {
  amount,
  date,
  entity,
  id,
  input,
  instant,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { stateMachine } from '../../../../kernel/domain/state-machine.ts'

export const PromiseToPay = entity(
  'PromiseToPay',
  'promiseToPayId',
  'A promise of a borrower in arrears to pay an amount by a date.',
  {
    promiseToPayId: id('The ID of the promise.'),
    status: oneOf(PromiseToPayStatus, 'Whether the promise was kept.'),
    madeOn: date('The first day whose payments count toward the promise.'),
    payBy: date('The last day whose payments count toward the promise.'),
    note: text('What was agreed, visible to the borrower; null if nothing was noted.').orNull(),
    recordedBy: string(
      'The access token subject of the person who recorded the promise.',
    ).namesActor(),
    createdAt: instant('When the promise was recorded, in UTC.'),
    facilityId: stored<string>(),
    partyId: stored<string>(),
    amountMinor: stored<bigint>(),
    currency: stored<string>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type PromiseToPay = TypeOf<typeof PromiseToPay>

/** A worker makes the other transitions, from the payments and the end of day of the facility. */
export const promiseToPayStates = stateMachine(
  PromiseToPay,
  'status',
  {
    cancelPromiseToPay: {
      description: 'Cancels a promise to pay that is open, so that another one can be recorded.',
      scope: 'lending:write',
      from: ['open'],
      to: 'cancelled',
      event: ['lending.promise-to-pay.cancelled', 'A promise to pay was cancelled.'],
      isForDelegatedUsers: true,
    },
  },
  { open: ['kept', 'broken'], kept: ['broken'], broken: ['kept'] },
)

export const CreatePromiseToPayInput = input(
  'CreatePromiseToPayInput',
  'A promise to pay to record.',
  {
    promiseToPayId: id('The ID of the new promise; generated if omitted.').orNull(),
    facilityId: id('The ID of the facility.'),
    amount: amount('The promised amount, greater than zero and at most the payoff amount.'),
    payBy: date(
      'The last day whose payments count toward the promise: from today to as many days ahead as ' +
        'the product parameter `promiseToPayDays` allows, 30 by default.',
    ),
    note: text('What was agreed, visible to the borrower.').orNull(),
  },
)
export type CreatePromiseToPayInput = TypeOf<typeof CreatePromiseToPayInput>
