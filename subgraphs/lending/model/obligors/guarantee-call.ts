import { GuaranteeCallStatus } from './enumerations.ts'
import {
  amount,
  date,
  entity,
  id,
  input,
  instant,
  oneOf,
  stored,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { stateMachine } from '../../../../kernel/domain/state-machine.ts'

export const GuaranteeCall = entity(
  'GuaranteeCall',
  'guaranteeCallId',
  'A call of a guarantee: the bank requires an amount from the guarantor.',
  {
    guaranteeCallId: id('The ID of the call.'),
    status: oneOf(GuaranteeCallStatus, 'Whether the bank still requires the amount.'),
    dueOn: date('The day by which the guarantor has to pay.'),
    createdAt: instant('When the guarantee was called, in UTC.'),
    obligorId: stored<string>(),
    facilityId: stored<string>(),
    partyId: stored<string>(),
    borrowerPartyId: stored<string>(),
    amountMinor: stored<bigint>(),
    currency: stored<string>(),
    calledBy: stored<string>(),
    withdrawalReason: stored<string | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    /** For a call that was withdrawn, the time of its withdrawal. */
    updatedAt: stored<Date>(),
  },
)
export type GuaranteeCall = TypeOf<typeof GuaranteeCall>

export const guaranteeCallStates = stateMachine(GuaranteeCall, 'status', {
  withdrawGuaranteeCall: {
    description:
      'Withdraws a call of a guarantee. What was received stays with it. Not available to delegated ' +
      'users.',
    scope: 'lending:write',
    needsPerson: true,
    from: ['open'],
    to: 'withdrawn',
    event: ['lending.guarantee-call.withdrawn', 'The bank withdrew a call of a guarantee.'],
    args: { withdrawalReason: text('Why the call is withdrawn.').named('reason') },
  },
})

export const CallGuaranteeInput = input('CallGuaranteeInput', 'The call of a guarantee.', {
  guaranteeCallId: id('The ID of the new call; generated if omitted.').orNull(),
  obligorId: id('The ID of the guarantor. Something must be due on its facility.'),
  amount: amount(
    'The amount that the guarantor has to pay: greater than zero, and at most what the guarantor is ' +
      'liable for, less what earlier calls require.',
  ),
  dueOn: date('The day by which the guarantor has to pay, today or later.'),
})
export type CallGuaranteeInput = TypeOf<typeof CallGuaranteeInput>
