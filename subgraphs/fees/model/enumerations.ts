import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const FeeReceivableStatus = enumeration(
  'FeeReceivableStatus',
  'The status of a fee receivable.',
  {
    open: 'At least a part of the fee has not been collected yet.',
    collected: 'The fee was collected in full.',
    waived: 'The bank waived the amount that was outstanding.',
    reversed:
      'The fee was reversed with its fee run or refunded, and the parts already collected were ' +
      'refunded. This status is final.',
  },
)
export type FeeReceivableStatus = TypeOf<typeof FeeReceivableStatus>

export const FeeRunStatus = enumeration('FeeRunStatus', 'The lifecycle state of a fee run.', {
  scheduled: 'The run waits to be processed.',
  running: 'The run is being processed.',
  completed: 'All accounts were processed without errors.',
  'completed-with-errors':
    'All accounts were processed, and at least one charge or reversal was rejected.',
  failed: 'The run stopped before all accounts were processed. It can be resumed.',
  reversed: 'All charges of the run were reversed by another run. This state is final.',
})
export type FeeRunStatus = TypeOf<typeof FeeRunStatus>

export const FeeRunType = enumeration('FeeRunType', 'The reason why a fee run was started.', {
  periodic: 'The period of the fee ended.',
  event: 'The period of a per-payment fee ended.',
  manual: 'A client requested the run.',
})
export type FeeRunType = TypeOf<typeof FeeRunType>

export const FeeOutcome = enumeration(
  'FeeOutcome',
  'The outcome of a fee run for one account. For a dry run, the outcome that a real run would ' +
    'have.',
  {
    charged: 'The fee was charged.',
    waived: 'The fee was waived.',
    skipped:
      'No fee applied, the fee had already been charged for the period, or the charge had ' +
      'already been reversed.',
    failed: 'The charge, or the reversal of a charge, was rejected.',
    reversed: 'The charge was reversed.',
  },
)
export type FeeOutcome = TypeOf<typeof FeeOutcome>

export const FeeChargeStatus = enumeration('FeeChargeStatus', 'The status of a fee charge.', {
  due: 'The event happened, and the fee will be charged at once.',
  charged:
    'The fee was charged. The account paid it, or still owes the amount in `owed`, which is in the ' +
    'fee receivable.',
  waived: 'A waiver of the fee applied, so nothing was charged.',
  failed: 'The fee could not be charged, for example because the account was closed.',
  'refund-proposed': 'The fee was charged, and its refund was proposed.',
  refunded: 'The fee was refunded. This status is final.',
})
export type FeeChargeStatus = TypeOf<typeof FeeChargeStatus>

/** The enumeration has the same values as the trigger in the definition of a fee. */
export const FeeChargeTrigger = enumeration(
  'FeeChargeTrigger',
  'What happened on the account when a fee was charged.',
  {
    'payment-sent': 'A payment was sent to another bank.',
    'payment-returned': 'The other bank returned a payment.',
    'standing-order-missed': 'A payment of a standing order could not be made and was skipped.',
  },
)
export type FeeChargeTrigger = TypeOf<typeof FeeChargeTrigger>

export const FeeChargeOutcome = enumeration(
  'FeeChargeOutcome',
  'What would happen if a fee were charged now.',
  {
    charged: 'The fee would be debited from the account.',
    owed: 'The account cannot pay the fee now, so it would become a fee receivable.',
    waived: 'A waiver of the fee applies, so nothing would be charged.',
    failed: 'The fee cannot be charged to the account.',
  },
)
export type FeeChargeOutcome = TypeOf<typeof FeeChargeOutcome>
