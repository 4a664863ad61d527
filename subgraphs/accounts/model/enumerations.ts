import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const ArrangementState = enumeration(
  'ArrangementState',
  'The lifecycle state of an account.',
  {
    pending: "The account was opened and waits for the bank's approval. No money can move.",
    active: 'The account is in use.',
    blocked: 'The account is blocked for debits, credits or both.',
    dormant: 'The account has not been used for a long time. It cannot be debited.',
    'pending-closure': 'The closure of the account was requested.',
    closed: 'The account is closed. This state is final.',
    rejected: 'The bank did not approve the account. This state is final.',
    cancelled: 'The account was cancelled before it was approved. This state is final.',
  },
)
export type ArrangementState = TypeOf<typeof ArrangementState>

export const BlockKind = enumeration(
  'BlockKind',
  'The direction in which money cannot move on a blocked account.',
  {
    debit: 'The account cannot be debited.',
    credit: 'The account cannot be credited.',
    all: 'The account can be neither debited nor credited.',
  },
)
export type BlockKind = TypeOf<typeof BlockKind>

export const OverdraftState = enumeration('OverdraftState', 'The state of an overdraft.', {
  proposed: 'A second person has to approve the overdraft.',
  approved: 'The overdraft applies in its period. This state is final.',
  rejected: 'The overdraft was rejected. This state is final.',
})
export type OverdraftState = TypeOf<typeof OverdraftState>

export const OverdraftWriteOffState = enumeration(
  'OverdraftWriteOffState',
  'The state of the write-off of an overdraft.',
  {
    proposed: 'A second person has to approve the write-off.',
    approved: 'The overdraft was written off. This state is final.',
    rejected: 'The write-off was rejected. This state is final.',
  },
)
export type OverdraftWriteOffState = TypeOf<typeof OverdraftWriteOffState>

export const SigningRuleState = enumeration('SigningRuleState', 'The state of a signing rule.', {
  proposed: 'A second person has to approve the signing rule.',
  approved: 'The signing rule applies until a later one is approved. This state is final.',
  rejected: 'The signing rule was rejected. This state is final.',
})
export type SigningRuleState = TypeOf<typeof SigningRuleState>

export const CounterpartyKind = enumeration(
  'CounterpartyKind',
  'Who is on the other side of an entry.',
  {
    customer: "Another customer's account at this bank.",
    external: 'A person or organization outside the bank.',
    bank: 'The bank itself.',
  },
)
export type CounterpartyKind = TypeOf<typeof CounterpartyKind>
