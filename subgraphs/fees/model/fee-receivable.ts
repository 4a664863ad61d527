import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { FeeReceivableStatus } from './enumerations.ts'
import {
  date,
  entity,
  enumeration,
  id,
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

export const FeeMovementKindEnum = enumeration(
  'FeeMovementKind',
  'Whether a part of a fee receivable was collected or waived.',
  {
    collection: 'All or part of the outstanding fee was collected from the account.',
    waiver: 'The bank waived the outstanding part of the fee.',
  },
)

export const FeeReceivableMovement = shape(
  'FeeReceivableMovement',
  'A part of a fee receivable that was collected or waived.',
  {
    postingInstructionId: id('The ID of the posting instruction that booked the movement.'),
    kind: oneOf(FeeMovementKindEnum, 'Whether the part was collected or waived.'),
    amount: money('The amount that was collected or waived.'),
    bookedAt: instant('When the movement was booked, in UTC.'),
  },
)
export type FeeReceivableMovement = TypeOf<typeof FeeReceivableMovement>

export const FeeReceivable = entity(
  'FeeReceivable',
  'feeReceivableId',
  'A fee that the account could not pay when it was charged. It is collected when the account ' +
    'is credited or unblocked, in parts if necessary. Older fees are collected first.',
  {
    feeReceivableId: id('The ID of the fee receivable.'),
    arrangementId: id('The ID of the account that owes the fee.'),
    feeCode: label('The code of the fee in the product.'),
    feeName: string('The name of the fee, as it appears on statements.'),
    periodStart: date('The first day of the fee period.'),
    periodEnd: date('The last day of the fee period, inclusive.'),
    status: oneOf(FeeReceivableStatus, 'The status of the fee receivable.'),
    dueSince: instant('When the fee was charged and could not be collected, in UTC.'),
    reasonCode: string(
      'The problem code of the rejected posting, which is the reason why the fee could not be ' +
        'collected when it was charged.',
    ),
    settledAt: instant(
      'When the fee was collected in full, waived or reversed, in UTC; null while the fee ' +
        'receivable is `OPEN`.',
    ).orNull(),
    waiverReason: text(
      'The reason why the bank waived the outstanding amount; null if the bank did not waive it.',
    ).orNull(),
    /** The party that owns the account. */
    partyId: stored<string>(),
    /** The ID of the fee run or, if no run charged the fee, of the fee charge. */
    feeRunId: stored<string>(),
    /** The ID of the fee charge; null if a fee run charged the fee. */
    feeChargeId: stored<string | null>(),
    currency: stored<string>(),
    // Amounts are in minor units.
    amountMinor: stored<bigint>(),
    collectedMinor: stored<bigint>(),
    waivedMinor: stored<bigint>(),
    /** The ID of the posting that booked the income and the receivable. */
    postingInstructionId: stored<string>(),
    waivedBy: stored<string | null>(),
    /** Whether the receivable is queued for collection, for example after a credit to the account. */
    isCollectionDue: stored<boolean>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
    updatedAt: stored<Date>(),
  },
)
export type FeeReceivable = TypeOf<typeof FeeReceivable>

/**
 * The status changes of a fee receivable. It is reversed together with the fee run that charged the
 * fee, or with the refund of its charge; collected amounts are then refunded.
 */
export const feeReceivableStates = stateMachine(
  FeeReceivable,
  'status',
  {
    waiveFeeReceivable: {
      description:
        'Waives the outstanding amount of a fee receivable and reverses the corresponding fee ' +
        'income. Not available to delegated users.',
      scope: 'fees:run',
      needsPerson: true,
      from: ['open'],
      to: 'waived',
      event: ['pricing.fee-receivable.waived', 'The bank waived the outstanding amount of a fee.'],
      args: { waiverReason: text('The reason for the waiver.').named('reason') },
      set: ({ now, subject }) => ({ waivedBy: subject, settledAt: now, isCollectionDue: false }),
    },
  },
  { open: ['collected', 'reversed'], collected: ['reversed'], waived: ['reversed'] },
)
