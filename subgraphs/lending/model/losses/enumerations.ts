import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const LossAction = enumeration('LossAction', 'How a loss is recognized in the books.', {
  'charge-off':
    'The receivable is removed from the books as a loss. The debt still exists and can be ' +
    'recovered.',
  'write-off':
    'The debt of a charged-off facility is removed from the books, and can no longer be ' +
    'recovered.',
})
export type LossAction = TypeOf<typeof LossAction>

export const LossProposalState = enumeration('LossProposalState', 'The state of a loss proposal.', {
  proposed: 'The proposal has not been decided.',
  approved: 'The proposal was approved and the loss is booked. This state is final.',
  rejected: 'The proposal was rejected and nothing was booked. This state is final.',
})
export type LossProposalState = TypeOf<typeof LossProposalState>
