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
} from '../../../kernel/domain/model.ts'
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
