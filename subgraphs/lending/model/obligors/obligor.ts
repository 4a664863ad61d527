import { ObligorRole, ObligorStatus } from './enumerations.ts'
import {
  amount,
  date,
  decimal,
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

export const FacilityObligor = entity(
  'FacilityObligor',
  'obligorId',
  'A party besides the borrower that is liable for a facility.',
  {
    obligorId: id('The ID of the obligor.'),
    role: oneOf(ObligorRole, 'How the party is liable.'),
    status: oneOf(ObligorStatus, 'Whether the party is liable.'),
    percentage: decimal(
      'The part of what is owed for which a guarantor is liable, in percent; null if there is none, ' +
        'and for a co-borrower.',
    ).orNull(),
    validUntil: date(
      'The last day on which a guarantee can be called; null if it is unlimited in time, and for a ' +
        'co-borrower.',
    ).orNull(),
    documentId: id(
      'The ID of the signed document in casework that is the legal basis; null if none was given.',
    ).orNull(),
    endedAt: instant(
      'When the obligor was released, or the facility or the guarantee ended, in UTC; null before.',
    ).orNull(),
    createdAt: instant('When the obligor was added, in UTC.'),
    facilityId: stored<string>(),
    partyId: stored<string>(),
    borrowerPartyId: stored<string>(),
    currency: stored<string>(),
    amountMinor: stored<bigint | null>(),
    addedBy: string('The access token subject of the person who added the obligor.').forBank(),
    releaseReason: string(
      'Why the obligor is to be released, or was; null if no release was proposed.',
    )
      .orNull()
      .forBank(),
    releaseProposedBy: string(
      'The access token subject of the person who proposed the last release; null if there is none.',
    )
      .orNull()
      .forBank(),
    releaseDecidedBy: string(
      'The access token subject of the person who decided on the last release; null if it is not decided.',
    )
      .orNull()
      .forBank(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type FacilityObligor = TypeOf<typeof FacilityObligor>

const fourEyes =
  'The person who proposed the release cannot decide on it. Not available to delegated users.'

/** A worker makes the other transitions, when the facility or the guarantee ends. */
export const obligorStates = stateMachine(
  FacilityObligor,
  'status',
  {
    proposeObligorRelease: {
      description:
        'Proposes to release an obligor, which another person has to approve. Until then, the ' +
        'obligor is liable. Not available to delegated users.',
      scope: 'lending:write',
      from: ['active'],
      to: 'release-proposed',
      event: [
        'lending.facility.obligor-release-proposed',
        'The release of an obligor was proposed.',
      ],
      args: { releaseReason: text('Why the obligor is to be released.').named('reason') },
      set: ({ subject }) => ({ releaseProposedBy: subject, releaseDecidedBy: null }),
    },
    approveObligorRelease: {
      description: `Releases an obligor, who no longer has to pay calls of its guarantee. ${fourEyes}`,
      scope: 'lending:write',
      needsPerson: true,
      from: ['release-proposed'],
      to: 'released',
      event: ['lending.facility.obligor-released', 'The bank released an obligor.'],
      set: ({ now, subject }) => ({ releaseDecidedBy: subject, endedAt: now }),
    },
    rejectObligorRelease: {
      description: `Rejects the release of an obligor, who stays liable. ${fourEyes}`,
      scope: 'lending:write',
      needsPerson: true,
      from: ['release-proposed'],
      to: 'active',
      event: [
        'lending.facility.obligor-release-rejected',
        'The release of an obligor was rejected.',
      ],
      set: ({ subject }) => ({ releaseDecidedBy: subject }),
    },
  },
  { active: ['ended'], 'release-proposed': ['ended'] },
)

export const AddFacilityObligorInput = input(
  'AddFacilityObligorInput',
  'A co-borrower or a guarantor to add to a facility.',
  {
    obligorId: id('The ID of the new obligor; generated if omitted.').orNull(),
    facilityId: id('The ID of a facility that has not ended.'),
    partyId: id('The ID of an active party that is not the borrower.'),
    role: oneOf(ObligorRole, 'How the party is liable.'),
    amount: amount(
      'The maximum amount for which a guarantor is liable, greater than zero. Not allowed for a ' +
        'co-borrower.',
    ).orNull(),
    percentage: decimal(
      'The part of what is owed for which a guarantor is liable, in percent: greater than 0, at most ' +
        '100, with at most 4 decimals. A guarantor needs `amount` or `percentage`; with both, the ' +
        'lower one counts. Not allowed for a co-borrower.',
    ).orNull(),
    validUntil: date(
      'The last day on which the guarantee can be called, today or later. If omitted, it is ' +
        'unlimited in time. Not allowed for a co-borrower.',
    ).orNull(),
    documentId: id(
      'The ID of the signed document in casework that is the legal basis. Required for a guarantor.',
    ).orNull(),
  },
)
export type AddFacilityObligorInput = TypeOf<typeof AddFacilityObligorInput>
