import {
  stored,
  type TypeOf,
  connectionOf,
  date,
  entity,
  id,
  input,
  instant,
  label,
  oneOf,
  string,
} from '../../../kernel/domain/model.ts'
import { AgreementStatus } from './enumerations.ts'

export const Agreement = entity(
  'Agreement',
  'agreementId',
  'A contract between a party and the bank for one product.',
  {
    agreementId: id('The ID of the agreement.').inEvents(),
    partyId: id('The ID of the party that enters into the agreement.').inEvents(),
    productCode: string('The code of the product that the agreement covers.').inEvents(),
    status: oneOf(AgreementStatus, 'The current lifecycle state of the agreement.').inEvents(),
    agreementType: string(
      'The classification of the agreement, such as `current-account`.',
    ).inEvents(),
    effectiveFrom: date(
      'The first day on which the agreement is in force. If it is not set when the agreement is ' +
        'created, it is set to the day of the signature; null until then.',
    )
      .orNull()
      .inEvents(),
    effectiveTo: date(
      'The last day on which the agreement is in force; null for an open-ended agreement.',
    )
      .orNull()
      .inEvents(),
    signedAt: instant('When the party signed the agreement, in UTC; null while it is unsigned.')
      .orNull()
      .inEvents(),
    statusReason: string(
      'The reason given for the suspension, termination or cancellation; null in other states, ' +
        'and if no reason was given.',
    ).orNull(),
    createdAt: instant('When the agreement was created, in UTC.'),
    updatedAt: instant('When the agreement last changed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Agreement = TypeOf<typeof Agreement>

export const AgreementConnection = connectionOf(Agreement)

export const CreateAgreementInput = input('CreateAgreementInput', 'The agreement to create.', {
  agreementId: id(
    'The ID of the new agreement; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing agreement.',
  ).orNull(),
  partyId: id('The ID of the party that enters into the agreement. The party must be active.'),
  productCode: label('The code of the product that the agreement covers.'),
  agreementType: label('The classification of the agreement, such as `current-account`.'),
  status: label(
    'The initial state, in any letter case. Only `draft` is allowed, which is the default.',
  ).orNull(),
  effectiveFrom: date(
    'The first day on which the agreement is in force. Defaults to the day of the signature.',
  ).orNull(),
  effectiveTo: date(
    'The last day on which the agreement is in force. It must not be before `effectiveFrom`. ' +
      'If omitted, the agreement is open-ended.',
  ).orNull(),
})
export type CreateAgreementInput = TypeOf<typeof CreateAgreementInput>
