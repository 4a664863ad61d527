import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import {
  customerStatuses,
  kycStates,
  type CustomerStatus,
  type KycState,
} from '../domain/customer.ts'

const CustomerStatusEnum = wireEnum(
  'CustomerStatus',
  customerStatuses,
  'The lifecycle state of a customer, which determines whether the customer can do new business.',
  {
    prospect: 'The party has applied to become a customer and cannot do business yet.',
    active: 'The customer can do new business.',
    suspended: 'The customer cannot do new business until reactivated.',
    closed: 'The customer relationship has ended. This state is final.',
  },
)
const KycStateEnum = wireEnum(
  'KycState',
  kycStates,
  "The state of a customer's identity check (know your customer).",
  {
    'not-started': 'No identity check has been started.',
    'in-progress': 'An identity check is under way.',
    passed: 'The customer passed the identity check.',
    failed: 'The customer failed the identity check. A new check can be started.',
    expired: 'The identity check is no longer valid. A new check can be started.',
  },
)

@ObjectType({ description: 'A party in its role as a customer of the bank.' })
@Directive('@key(fields: "customerId")')
export class Customer {
  @Field(() => ID, { description: 'The ID of the customer.' })
  customerId: string

  @Field(() => ID, { description: 'The ID of the party that is the customer.' })
  partyId: string

  @Field(() => String, {
    nullable: true,
    description: 'The market segment of the customer, such as `retail`; null if none was given.',
  })
  segment: string | null

  @Field(() => CustomerStatusEnum, { description: 'The current lifecycle state of the customer.' })
  status: CustomerStatus

  @Field(() => String, {
    nullable: true,
    description:
      'The reason given for the suspension or closure; null in other states or if no reason ' +
      'was given.',
  })
  statusReason: string | null

  @Field(() => KycStateEnum, { description: "The state of the customer's identity check." })
  kycState: KycState

  @Field(() => String, {
    nullable: true,
    description: 'The reason why the identity check failed; null unless it failed.',
  })
  kycReason: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the passed identity check is valid; null unless the latest check ' +
      'was passed.',
  })
  kycExpiresOn: string | null

  @Field(() => DateTimeScalar, { description: 'When the customer was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the customer last changed, in UTC.' })
  updatedAt: Date
}

@InputType({ description: 'The customer to create.' })
export class CreateCustomerInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new customer; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing customer.',
  })
  customerId?: string | null

  @Field(() => ID, {
    description: 'The ID of the party that becomes a customer. The party must be active.',
  })
  partyId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The market segment of the customer, such as `retail`.',
  })
  segment?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial state, in any letter case. Only `prospect` is allowed, which is the default.',
  })
  status?: string | null
}
