import {
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
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { TaxExemptionState } from './enumerations.ts'

export const TaxExemption = entity(
  'InterestTaxExemption',
  'taxExemptionId',
  'A period in which no tax is withheld from the interest of an account.',
  {
    taxExemptionId: id('The ID of the exemption.').inEvents(),
    arrangementId: id('The ID of the account.').inEvents(),
    validFrom: date('The first day of the exemption.').inEvents(),
    validTo: date('The last day of the exemption; null if it has no last day.').orNull().inEvents(),
    reason: text('The ground of the exemption, such as the number of a certificate.'),
    state: oneOf(TaxExemptionState, 'The state of the exemption.').inEvents(),
    revokedOn: date(
      'The day on which the exemption was revoked, from which tax is withheld again; null if it ' +
        'was not revoked.',
    )
      .orNull()
      .inEvents(),
    grantedBy: string('The access token subject of the person who granted the exemption.'),
    createdAt: instant('When the exemption was granted, in UTC.'),
    partyId: stored<string>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type TaxExemption = TypeOf<typeof TaxExemption>

export const taxExemptionStates = stateMachine(TaxExemption, 'state', {
  revokeInterestTaxExemption: {
    description:
      'Revokes an exemption from withholding tax. Interest that is paid from today on is taxed ' +
      'again. Not available to delegated users.',
    scope: 'accounts:write',
    needsPerson: true,
    from: ['granted'],
    to: 'revoked',
    event: [
      'accounts.interest-tax-exemption.revoked',
      'An exemption from withholding tax was revoked.',
    ],
    set: ({ now }) => ({ revokedOn: dateOf(now) }),
  },
})

export const GrantInterestTaxExemptionInput = input(
  'GrantInterestTaxExemptionInput',
  'An exemption from withholding tax to grant.',
  {
    taxExemptionId: id('The ID of the exemption; generated if omitted.').orNull(),
    arrangementId: id('The ID of an account that earns interest.'),
    validFrom: date(
      'The first day of the exemption. Tax on interest that was paid before is not refunded.',
    ),
    validTo: date(
      'The last day of the exemption, not before `validFrom`. If omitted, it has no last day.',
    ).orNull(),
    reason: text('The ground of the exemption, such as the number of a certificate.'),
  },
)
export type GrantInterestTaxExemptionInput = TypeOf<typeof GrantInterestTaxExemptionInput>
