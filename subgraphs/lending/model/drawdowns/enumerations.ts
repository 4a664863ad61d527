import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const DrawdownState = enumeration('DrawdownState', 'The lifecycle state of a drawdown.', {
  requested:
    "The drawdown waits for the bank's approval. Its amount is reserved against the limit.",
  approved:
    'The drawdown will be paid out on its value date. Its amount is reserved against the limit.',
  disbursed: 'The drawdown was paid out.',
  reversed: 'The drawdown was paid out and reversed. This state is final.',
  declined: 'The bank declined the drawdown. This state is final.',
  cancelled: 'The drawdown was cancelled before it was paid out. This state is final.',
})
export type DrawdownState = TypeOf<typeof DrawdownState>
