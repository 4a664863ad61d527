import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const FeeReceivableStatus = enumeration(
  'FeeReceivableStatus',
  'The status of a fee receivable.',
  {
    open: 'At least a part of the fee has not been collected yet.',
    collected: 'The fee was collected in full.',
    waived: 'The bank waived the amount that was outstanding.',
    reversed:
      'The fee run was reversed, and the parts already collected were refunded. This status is ' +
      'final.',
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
