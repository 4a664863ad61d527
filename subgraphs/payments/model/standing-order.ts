import { OrderRequest } from './payment-inputs.ts'
import { StandingOrderState, Frequency } from './enumerations.ts'
import {
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { RailEnum } from './payment.ts'

export const StandingOrder = entity(
  'StandingOrder',
  'standingOrderId',
  'An instruction to pay the same amount at regular intervals.',
  {
    standingOrderId: id('The ID of the standing order.'),
    state: oneOf(StandingOrderState, 'The lifecycle state of the standing order.'),
    rail: oneOf(RailEnum, 'The rail on which the payments are made.'),
    creditorIban: string(
      'The IBAN of the creditor; null if the account was specified by its ID.',
    ).orNull(),
    creditorName: string('The name of the creditor; null if none was given.').orNull(),
    endToEndId: label('The end-to-end ID of the payments; null if none was given.').orNull(),
    remittanceInformation: text(
      'The remittance information for the creditor; null if none was given.',
    ).orNull(),
    frequency: oneOf(Frequency, 'How often the standing order makes a payment.'),
    startsOn: date('The date of the first payment.'),
    endsOn: date('The last possible date of a payment; null if there is no end date.').orNull(),
    maxExecutions: integer('The maximum number of payments; null if there is no maximum.').orNull(),
    retryDays: integer(
      'The number of days during which a payment is retried if the account has insufficient funds.',
    ),
    executions: integer('The number of payments made.'),
    nextOn: date('The date of the next payment; null if there is no further payment.').orNull(),
    attemptOn: date(
      'The day of the next payment attempt, which is `nextOn` or, if the payment is being ' +
        'retried, a later day; null if there is no further payment.',
    ).orNull(),
    reasonCode: string(
      'The problem code of the latest attempt; null if it succeeded or if no attempt was made.',
    ).orNull(),
    createdAt: instant('When the standing order was created, in UTC.'),
    /** The owner of the debtor account. */
    partyId: stored<string>(),
    debtorArrangementId: stored<string>(),
    /** The creditor account at this bank; null if the creditor account is at another bank. */
    creditorArrangementId: stored<string | null>(),
    /** The owner of the creditor account; null if it is at another bank. */
    creditorPartyId: stored<string | null>(),
    amountMinor: stored<bigint>(),
    currency: stored<string>(),
    /** The index of the next payment date, starting at 0. */
    occurrence: stored<number>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type StandingOrder = TypeOf<typeof StandingOrder>

/** The state changes of a standing order. A worker completes it after the last payment. */
export const standingOrderStates = stateMachine(
  StandingOrder,
  'state',
  {
    pauseStandingOrder: {
      description: 'Pauses a standing order. It makes no payments until it is resumed.',
      scope: 'postings:write',
      from: ['active'],
      to: 'paused',
      event: ['payments.standing-order.paused', 'A standing order was paused.'],
      isForDelegatedUsers: true,
    },
    resumeStandingOrder: {
      description:
        'Resumes a paused standing order from its next payment date. Payment dates that passed in ' +
        'the meantime are skipped.',
      scope: 'postings:write',
      from: ['paused'],
      to: 'active',
      event: [
        'payments.standing-order.resumed',
        'A standing order was resumed. Payment dates during the pause are skipped.',
      ],
      isForDelegatedUsers: true,
    },
    cancelStandingOrder: {
      description: 'Cancels a standing order permanently.',
      scope: 'postings:write',
      from: ['active', 'paused'],
      to: 'cancelled',
      event: ['payments.standing-order.cancelled', 'A standing order was cancelled.'],
      set: () => ({ nextOn: null, attemptOn: null }),
      isForDelegatedUsers: true,
    },
  },
  { active: ['completed'] },
)

export const CreateStandingOrderInput = input(
  'CreateStandingOrderInput',
  'A standing order to create. It ends on a date, after a number of payments, or never.',
  {
    ...OrderRequest.fields,
    standingOrderId: id(
      'The ID of the new standing order; generated if omitted. A repeated request with the same ' +
        'ID and content returns the existing standing order.',
    ).orNull(),
    frequency: oneOf(Frequency, 'How often the standing order makes a payment.'),
    startsOn: date(
      'The date of the first payment, from today to 365 days ahead. Later monthly and ' +
        'quarterly payments fall on the same day of the month, or on the last day of a shorter ' +
        'month.',
    ),
    endsOn: date(
      'The last possible date of a payment, not before `startsOn`. If omitted, the standing ' +
        'order has no end date.',
    ).orNull(),
    maxExecutions: integer(
      'The maximum number of payments, at least 1. If omitted, there is no maximum.',
    ).orNull(),
    retryDays: integer(
      'The number of days during which a payment is retried if the account has insufficient ' +
        'funds, from 0 to 10. Defaults to 3.',
    ).orNull(),
  },
)
export type CreateStandingOrderInput = TypeOf<typeof CreateStandingOrderInput>
