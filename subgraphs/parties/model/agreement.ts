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

/** The states of an agreement. An active agreement expires on the day after its last day. */
export const agreementStates = stateMachine(
  Agreement,
  'status',
  {
    sendAgreementForSignature: {
      description: 'Sends a draft agreement to its party for signature.',
      scope: 'agreements:write',
      from: ['draft'],
      to: 'pending-signature',
      event: [
        'agreements.agreement.sent-for-signature',
        'An agreement was sent to its party for signature.',
      ],
      args: { agreementId: id('The ID of the draft agreement.') },
    },
    signAgreement: {
      description:
        "Records the party's signature and activates the agreement. Rejected if the last day of " +
        'the agreement has passed.',
      scope: 'agreements:write',
      from: ['pending-signature'],
      to: 'active',
      event: ['agreements.agreement.signed', 'An agreement was signed and activated.'],
      args: {
        agreementId: id('The ID of an agreement that waits for its signature.'),
        signedAt: instant(
          'When the party signed. Defaults to the current time. It must not be in the future.',
        ).orNull(),
      },
      isForDelegatedUsers: true,
    },
    cancelAgreement: {
      description: 'Withdraws an agreement that has not been signed.',
      scope: 'agreements:write',
      from: ['draft', 'pending-signature'],
      to: 'cancelled',
      event: ['agreements.agreement.cancelled', 'An agreement was canceled before it was signed.'],
      args: {
        agreementId: id('The ID of the unsigned agreement.'),
        statusReason: text('The reason for the cancellation, stored as `statusReason`.')
          .orNull()
          .named('reason'),
      },
      isForDelegatedUsers: true,
    },
    suspendAgreement: {
      description: 'Suspends an active agreement. It can be resumed.',
      scope: 'agreements:write',
      from: ['active'],
      to: 'suspended',
      event: ['agreements.agreement.suspended', 'An agreement was suspended.'],
      args: {
        agreementId: id('The ID of the active agreement.'),
        statusReason: text('The reason for the suspension, stored as `statusReason`.')
          .orNull()
          .named('reason'),
      },
    },
    resumeAgreement: {
      description: 'Resumes a suspended agreement.',
      scope: 'agreements:write',
      from: ['suspended'],
      to: 'active',
      event: ['agreements.agreement.activated', 'A suspended agreement was resumed.'],
      args: { agreementId: id('The ID of the suspended agreement.') },
      set: () => ({ statusReason: null }),
    },
    terminateAgreement: {
      description: 'Ends an active or suspended agreement before its last day.',
      scope: 'agreements:write',
      from: ['active', 'suspended'],
      to: 'terminated',
      event: [
        'agreements.agreement.terminated',
        'An agreement was terminated before its last day.',
      ],
      args: {
        agreementId: id('The ID of the agreement to end.'),
        statusReason: text('The reason for the termination, stored as `statusReason`.').named(
          'reason',
        ),
      },
    },
  },
  { active: ['expired'] },
)

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
