import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import {
  customerStatuses,
  kycStates,
  type CustomerStatus,
  type KycState,
} from '../domain/customer.ts'

const CustomerStatusEnum = wireEnum(
  'CustomerStatus',
  customerStatuses,
  'What business a customer may do.',
)
const KycStateEnum = wireEnum('KycState', kycStates, 'What is known of who a customer is.')

@ObjectType({ description: 'A party in its role as a customer of the bank.' })
@Directive('@key(fields: "customerId")')
export class Customer {
  @Field(() => ID)
  customerId: string

  @Field(() => ID)
  partyId: string

  @Field(() => String, { nullable: true })
  segment: string | null

  @Field(() => CustomerStatusEnum)
  status: CustomerStatus

  @Field(() => String, { nullable: true, description: 'Why it is suspended or closed.' })
  statusReason: string | null

  @Field(() => KycStateEnum)
  kycState: KycState

  @Field(() => String, { nullable: true, description: 'Why the check failed.' })
  kycReason: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day the check is good for.',
  })
  kycExpiresOn: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

@InputType()
export class CreateCustomerInput {
  @Field(() => ID, { nullable: true })
  customerId?: string | null

  @Field(() => ID)
  partyId: string

  @Field(() => LabelScalar, { nullable: true })
  segment?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The requested initial state: `prospect`, in any letter case.',
  })
  status?: string | null
}
