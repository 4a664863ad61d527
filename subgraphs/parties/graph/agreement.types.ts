import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { agreementStatuses, type AgreementStatus, type NewAgreement } from '../domain/agreement.ts'

const AgreementStatusEnum = wireEnum(
  'AgreementStatus',
  agreementStatuses,
  'The lifecycle state of an agreement.',
  {
    draft: 'The agreement is being prepared and has not been sent to the party.',
    'pending-signature': 'The agreement was sent to the party and waits for the signature.',
    active: 'The agreement is signed and in force.',
    suspended: 'The agreement is on hold and can be resumed.',
    terminated: 'The agreement was ended before its last day. This state is final.',
    expired: 'The last day of the agreement has passed. This state is final.',
    cancelled: 'The agreement was withdrawn before it was signed. This state is final.',
  },
)

@ObjectType({ description: 'A contract between a party and the bank for one product.' })
@Directive('@key(fields: "agreementId")')
export class Agreement {
  @Field(() => ID, { description: 'The ID of the agreement.' })
  agreementId: string

  @Field(() => ID, { description: 'The ID of the party that enters into the agreement.' })
  partyId: string

  @Field(() => String, { description: 'The code of the product that the agreement covers.' })
  productCode: string

  @Field(() => AgreementStatusEnum, {
    description: 'The current lifecycle state of the agreement.',
  })
  status: AgreementStatus

  @Field(() => String, {
    description: 'The classification of the agreement, such as `current-account`.',
  })
  agreementType: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which the agreement is in force. If it is not set when the agreement is ' +
      'created, it is set to the day of the signature; null until then.',
  })
  effectiveFrom: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the agreement is in force; null for an open-ended agreement.',
  })
  effectiveTo: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the party signed the agreement, in UTC; null while it is unsigned.',
  })
  signedAt: Date | null

  @Field(() => String, {
    nullable: true,
    description:
      'The reason given for the suspension, termination or cancellation; null in other states, ' +
      'and if no reason was given.',
  })
  statusReason: string | null

  @Field(() => DateTimeScalar, { description: 'When the agreement was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the agreement last changed, in UTC.' })
  updatedAt: Date
}

export const AgreementConnection = connectionOf('Agreement', () => Agreement)

@InputType({ description: 'The agreement to create.' })
export class CreateAgreementInput implements NewAgreement {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new agreement; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing agreement.',
  })
  agreementId?: string | null

  @Field(() => ID, {
    description: 'The ID of the party that enters into the agreement. The party must be active.',
  })
  partyId: string

  @Field(() => LabelScalar, { description: 'The code of the product that the agreement covers.' })
  productCode: string

  @Field(() => LabelScalar, {
    description: 'The classification of the agreement, such as `current-account`.',
  })
  agreementType: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial state, in any letter case. Only `draft` is allowed, which is the default.',
  })
  status?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which the agreement is in force. Defaults to the day of the signature.',
  })
  effectiveFrom?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the agreement is in force. It must not be before `effectiveFrom`. ' +
      'If omitted, the agreement is open-ended.',
  })
  effectiveTo?: string | null
}
