import {
  stored,
  type TypeOf,
  date,
  entity,
  id,
  input,
  instant,
  label,
  oneOf,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { CustomerStatus, KycState } from './enumerations.ts'

export const Customer = entity(
  'Customer',
  'customerId',
  'A party in its role as a customer of the bank.',
  {
    customerId: id('The ID of the customer.').inEvents(),
    partyId: id('The ID of the party that is the customer.').inEvents(),
    segment: string('The market segment of the customer, such as `retail`; null if none was given.')
      .orNull()
      .inEvents(),
    status: oneOf(CustomerStatus, 'The current lifecycle state of the customer.').inEvents(),
    statusReason: string(
      'The reason given for the suspension or closure; null in other states or if no reason ' +
        'was given.',
    ).orNull(),
    kycState: oneOf(KycState, "The state of the customer's identity check.").inEvents(),
    kycReason: string('The reason why the identity check failed; null unless it failed.').orNull(),
    kycExpiresOn: date(
      'The last day on which the passed identity check is valid; null unless the latest check ' +
        'was passed.',
    )
      .orNull()
      .inEvents(),
    createdAt: instant('When the customer was created, in UTC.'),
    updatedAt: instant('When the customer last changed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Customer = TypeOf<typeof Customer>

export const customerStates = stateMachine(Customer, 'status', {
  activateCustomer: {
    description:
      'Activates a prospect. Rejected with `KYC_INCOMPLETE` unless the prospect has a valid ' +
      'identity check.',
    scope: 'parties:write',
    from: ['prospect'],
    to: 'active',
    event: ['parties.customer.activated', 'A customer was activated or reactivated.'],
    args: { customerId: id('The ID of the prospect.') },
  },
  suspendCustomer: {
    description: 'Suspends an active customer, who can then not do new business until reactivated.',
    scope: 'parties:write',
    from: ['active'],
    to: 'suspended',
    event: ['parties.customer.suspended', 'A customer was suspended.'],
    args: {
      customerId: id('The ID of the active customer.'),
      statusReason: text('The reason for the suspension, stored as `statusReason`.').named(
        'reason',
      ),
    },
  },
  reactivateCustomer: {
    description:
      'Lifts the suspension of a customer. Rejected with `KYC_INCOMPLETE` unless the ' +
      'customer has a valid identity check.',
    scope: 'parties:write',
    from: ['suspended'],
    to: 'active',
    event: ['parties.customer.activated', 'A customer was activated or reactivated.'],
    args: { customerId: id('The ID of the suspended customer.') },
    set: () => ({ statusReason: null }),
  },
  closeCustomer: {
    description:
      'Ends a customer relationship permanently. Rejected with `RELATION_NOT_SETTLED` while ' +
      'the customer has an open account or facility.',
    scope: 'parties:write',
    from: ['prospect', 'active', 'suspended'],
    to: 'closed',
    event: ['parties.customer.closed', 'The customer relationship with a party ended.'],
    args: {
      statusReason: text('The reason for the closure, stored as `statusReason`.')
        .orNull()
        .named('reason'),
    },
  },
})

/** The identity check of a customer. A passed check expires after its last day of validity. */
export const kycStates = stateMachine(
  Customer,
  'kycState',
  {
    startKyc: {
      description:
        'Starts an identity check of a customer who has never been checked, who failed the last ' +
        'check, or whose last check has expired.',
      scope: 'parties:write',
      from: ['not-started', 'failed', 'expired'],
      to: 'in-progress',
      event: ['parties.customer.kyc-started', 'The identity check of a customer was started.'],
      args: { customerId: id('The ID of the customer to check.') },
      set: () => ({ kycReason: null, kycExpiresOn: null }),
    },
    passKyc: {
      description: 'Records that a customer passed the identity check in progress.',
      scope: 'parties:write',
      from: ['in-progress'],
      to: 'passed',
      event: ['parties.customer.kyc-passed', 'A customer passed the identity check.'],
      args: {
        kycExpiresOn: date(
          'The last day on which the check is valid. It must be after today.',
        ).named('expiresOn'),
      },
    },
    failKyc: {
      description: 'Records that a customer failed the identity check in progress.',
      scope: 'parties:write',
      from: ['in-progress'],
      to: 'failed',
      event: ['parties.customer.kyc-failed', 'A customer failed the identity check.'],
      args: {
        kycReason: text('The reason why the check failed, stored as `kycReason`.').named('reason'),
      },
    },
  },
  { passed: ['expired'] },
)

export const CreateCustomerInput = input('CreateCustomerInput', 'The customer to create.', {
  customerId: id(
    'The ID of the new customer; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing customer.',
  ).orNull(),
  partyId: id('The ID of the party that becomes a customer. The party must be active.'),
  segment: label('The market segment of the customer, such as `retail`.').orNull(),
  status: label(
    'The initial state, in any letter case. Only `prospect` is allowed, which is the default.',
  ).orNull(),
})
export type CreateCustomerInput = TypeOf<typeof CreateCustomerInput>
