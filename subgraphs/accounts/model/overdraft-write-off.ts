import {
  entity,
  id,
  input,
  instant,
  money,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { OverdraftWriteOffState } from './enumerations.ts'

export const OverdraftWriteOff = entity(
  'OverdraftWriteOff',
  'overdraftWriteOffId',
  'The write-off of an overdraft that the bank no longer expects to be repaid. Internal to the bank.',
  {
    overdraftWriteOffId: id('The ID of the write-off.'),
    arrangementId: id('The ID of the account.'),
    state: oneOf(OverdraftWriteOffState, 'The state of the write-off.'),
    reason: string('Why the overdraft is written off.'),
    proposedBy: string('The access token subject of the person who proposed the write-off.'),
    decidedBy: string(
      'The access token subject of the person who decided; null while the write-off is proposed.',
    ).orNull(),
    decidedAt: instant(
      'When the write-off was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the write-off was proposed, in UTC.'),
    partyId: stored<string>(),
    currency: stored<string>(),
    /** What was written off once it is approved, and what was owed at the proposal otherwise. */
    amountMinor: stored<bigint>(),
    recoveredMinor: stored<bigint>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type OverdraftWriteOff = TypeOf<typeof OverdraftWriteOff>

const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})
const fourEyes =
  'The person who proposed the write-off cannot decide on it. Not available to delegated users.'

export const overdraftWriteOffStates = stateMachine(OverdraftWriteOff, 'state', {
  approveOverdraftWriteOff: {
    description: `Approves a write-off and books what the account owes now as a loss. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: ['accounts.overdraft-write-off.approved', 'An overdraft was written off.'],
    set: decided,
  },
  rejectOverdraftWriteOff: {
    description: `Rejects a write-off. Nothing is booked. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: [
      'accounts.overdraft-write-off.rejected',
      'The proposal to write off an overdraft was rejected.',
    ],
    set: decided,
  },
})

export const OverdraftWriteOffPreview = shape(
  'OverdraftWriteOffPreview',
  'The posting that the approval of a write-off would book now: it debits one account and credits another one.',
  {
    debitAccountId: id('The ledger account that is debited, which has the losses.'),
    creditAccountId: id('The ledger account that is credited, which is that of the customer.'),
    currency: stored<string>(),
    amountMinor: stored<bigint>(),
  },
)
export type OverdraftWriteOffPreview = TypeOf<typeof OverdraftWriteOffPreview>

export const ProposeOverdraftWriteOffInput = input(
  'ProposeOverdraftWriteOffInput',
  'The write-off of an overdraft to propose.',
  {
    overdraftWriteOffId: id('The ID of the write-off; generated if omitted.').orNull(),
    arrangementId: id(
      'The ID of an overdrawn account that is blocked for debits and has no limit any more. Its ' +
        'interest must be charged through yesterday, and its fees collected or waived.',
    ),
    reason: text('Why the bank no longer expects to be repaid.'),
  },
)

export const RecoverOverdraftInput = input(
  'RecoverOverdraftInput',
  'A recovery of an overdraft that was written off.',
  {
    overdraftWriteOffId: id('The ID of the write-off.'),
    amount: money('The amount, at most the balance of the account and what is left to recover.'),
  },
)
