import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { agreementStatuses, type AgreementStatus, type NewAgreement } from '../domain/agreement.ts'

const AgreementStatusEnum = wireEnum(
  'AgreementStatus',
  agreementStatuses,
  'Where an agreement stands, from the draft to its end.',
)

@ObjectType({ description: 'What a party and the bank agreed on.' })
@Directive('@key(fields: "agreementId")')
export class Agreement {
  @Field(() => ID)
  agreementId: string

  @Field(() => ID)
  partyId: string

  @Field(() => String)
  productCode: string

  @Field(() => AgreementStatusEnum)
  status: AgreementStatus

  @Field(() => String, { description: 'A classification, such as `current-account`.' })
  agreementType: string

  @Field(() => LocalDateScalar, { nullable: true })
  effectiveFrom: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day it holds; absent when it is open-ended.',
  })
  effectiveTo: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  signedAt: Date | null

  @Field(() => String, { nullable: true, description: 'Why it was suspended or ended.' })
  statusReason: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const AgreementConnection = connectionOf('Agreement', () => Agreement)

@InputType()
export class CreateAgreementInput implements NewAgreement {
  @Field(() => ID, { nullable: true })
  agreementId?: string | null

  @Field(() => ID)
  partyId: string

  @Field(() => LabelScalar)
  productCode: string

  @Field(() => LabelScalar)
  agreementType: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The requested initial state: `draft`, in any letter case.',
  })
  status?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  effectiveFrom?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  effectiveTo?: string | null
}
