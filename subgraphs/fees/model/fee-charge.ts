import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  entity,
  id,
  input,
  instant,
  label,
  money,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { FeeChargeOutcome, FeeChargeStatus, FeeChargeTrigger } from './enumerations.ts'

export const FeeCharge = entity(
  'FeeCharge',
  'feeChargeId',
  'A fee of a product that was charged to one account, because something happened on the account ' +
    'or because an employee charged it for a service.',
  {
    feeChargeId: id('The ID of the fee charge.'),
    arrangementId: id('The ID of the charged account.'),
    productId: id('The ID of the product that defines the fee.'),
    productVersion: string('The product version that defines the fee.'),
    feeCode: label('The code of the fee in the product.'),
    feeName: string('The name of the fee, as it appears on statements.'),
    trigger: oneOf(
      FeeChargeTrigger,
      'What happened on the account; null if an employee charged the fee.',
    ).orNull(),
    triggerReference: id(
      'The ID of the payment or standing order that triggered the fee; null if an employee charged it.',
    ).orNull(),
    thirdParty: label(
      'The third party on whose behalf the bank charged the fee; null if it is income of the bank.',
    ).orNull(),
    status: oneOf(FeeChargeStatus, 'The status of the fee charge.'),
    outcomeReason: string(
      'The kind of waiver that applied, or the problem code of the rejected posting; null if the ' +
        'account paid the fee at once.',
    ).orNull(),
    occurredAt: instant('When the fee was triggered or charged by an employee, in UTC.'),
    reason: text(
      'The reason that the employee gave for the charge; null if none was given.',
    ).orNull(),
    refundReason: text('Why the fee is to be refunded; null if no refund was proposed.').orNull(),
    createdAt: instant('When the charge was recorded, in UTC.'),
    /** The party that owns the account. */
    partyId: stored<string>(),
    /** The position of the event that triggered the fee. */
    triggerPosition: stored<bigint | null>(),
    // Amounts are in minor units of the currency.
    basisMinor: stored<bigint | null>(),
    amountMinor: stored<bigint>(),
    currency: stored<string>(),
    chargedBy: stored<string | null>(),
    /** The posting of the charge or, if the account could not pay, of the receivable. */
    postingInstructionId: stored<string | null>(),
    feeReceivableId: stored<string | null>(),
    refundProposedBy: stored<string | null>(),
    refundDecidedBy: stored<string | null>(),
    refundPostingId: stored<string | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type FeeCharge = TypeOf<typeof FeeCharge>

const fourEyes =
  'The person who proposed the refund cannot decide on it. Not available to delegated users.'

/** A worker charges a fee that is due. */
export const feeChargeStates = stateMachine(
  FeeCharge,
  'status',
  {
    proposeFeeRefund: {
      description:
        'Proposes to refund a fee that was charged, which another person has to approve. Not ' +
        'available to delegated users.',
      scope: 'fees:run',
      from: ['charged'],
      to: 'refund-proposed',
      event: ['pricing.fee-charge.refund-proposed', 'The refund of a fee was proposed.'],
      args: { refundReason: text('Why the fee is to be refunded.').named('reason') },
      set: ({ subject }) => ({ refundProposedBy: subject, refundDecidedBy: null }),
    },
    approveFeeRefund: {
      description:
        'Refunds a fee. What the account paid is credited to it, and what it still owes is ' +
        `reversed. ${fourEyes}`,
      scope: 'fees:approve',
      needsPerson: true,
      from: ['refund-proposed'],
      to: 'refunded',
      event: ['pricing.fee-charge.refunded', 'A fee was refunded.'],
      set: ({ subject }) => ({ refundDecidedBy: subject }),
    },
    rejectFeeRefund: {
      description: `Rejects the refund of a fee, which stays charged. ${fourEyes}`,
      scope: 'fees:approve',
      needsPerson: true,
      from: ['refund-proposed'],
      to: 'charged',
      event: ['pricing.fee-charge.refund-rejected', 'The refund of a fee was rejected.'],
      set: ({ subject }) => ({ refundDecidedBy: subject }),
    },
  },
  { due: ['charged', 'waived', 'failed'] },
)

export const ChargeFeeInput = input(
  'ChargeFeeInput',
  'A fee to charge to an account for a service.',
  {
    feeChargeId: id('The ID of the new fee charge; generated if omitted.').orNull(),
    arrangementId: id('The ID of the account to charge.'),
    feeCode: label(
      'The code of a fee with the frequency `ON_REQUEST` in the product version of the account.',
    ),
    basis: money(
      'The amount on which a percentage or tiers are charged, in the currency of the account. ' +
        'Required if the fee has no fixed amount.',
    ).orNull(),
    reason: text('Why the fee is charged, for the customer to read.').orNull(),
  },
)
export type ChargeFeeInput = TypeOf<typeof ChargeFeeInput>

export const FeeChargePreview = shape(
  'FeeChargePreview',
  'What charging a fee to an account now would do. Nothing is charged or stored.',
  {
    feeCode: label('The code of the fee in the product.'),
    feeName: string('The name of the fee, as it will appear on statements.'),
    amount: money('The amount of the fee.'),
    thirdParty: label(
      'The third party on whose behalf the fee is charged; null if it is income of the bank.',
    ).orNull(),
    outcome: oneOf(FeeChargeOutcome, 'What would happen.'),
    outcomeReason: string(
      'The kind of waiver that applies, or the problem code with which the account cannot pay; null ' +
        'if the account can pay.',
    ).orNull(),
  },
)
export type FeeChargePreview = TypeOf<typeof FeeChargePreview>
