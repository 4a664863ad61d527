import {
  entity,
  id,
  input,
  instant,
  integer,
  list,
  money,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { SigningRuleState } from './enumerations.ts'

export const SigningRule = entity(
  'SigningRule',
  'signingRuleId',
  'How many signatories must sign a payment of a customer from an account. The rule that was ' +
    'approved last applies.',
  {
    signingRuleId: id('The ID of the signing rule.'),
    arrangementId: id('The ID of the account.'),
    requiredSignatures: integer('The number of signatories that must sign a payment.'),
    signatoryPartyIds: list(
      id(),
      'The IDs of the parties whose signatures count. If the list is empty, the account has no ' +
        'signing rule: whoever may pay from it pays alone.',
    ),
    state: oneOf(SigningRuleState, 'The state of the signing rule.'),
    decidedAt: instant(
      'When the signing rule was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the signing rule was proposed, in UTC.'),
    partyId: stored<string>(),
    currency: stored<string>(),
    /** The amount from which on the number applies, in minor units; null for every amount. */
    fromMinor: stored<bigint | null>(),
    reason: string('Why the account gets the signing rule.').forBank(),
    proposedBy: string(
      'The access token subject of the person who proposed the signing rule.',
    ).forBank(),
    decidedBy: string(
      'The access token subject of the person who decided; null while the signing rule is proposed.',
    )
      .orNull()
      .forBank(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type SigningRule = TypeOf<typeof SigningRule>

const fourEyes =
  'The person who proposed the signing rule cannot decide on it. Not available to delegated users.'
const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})

export const signingRuleStates = stateMachine(SigningRule, 'state', {
  approveSigningRule: {
    description:
      'Approves a signing rule. It applies to payments that are created from now on; payments ' +
      `that already wait for signatures keep their rule. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: ['accounts.signing-rule.approved', 'A signing rule of an account was approved.'],
    set: decided,
  },
  rejectSigningRule: {
    description: `Rejects a signing rule. ${fourEyes}`,
    scope: 'accounts:write',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: ['accounts.signing-rule.rejected', 'A signing rule of an account was rejected.'],
    set: decided,
  },
})

export const ProposeSigningRuleInput = input(
  'ProposeSigningRuleInput',
  'A signing rule to propose for an account.',
  {
    signingRuleId: id('The ID of the signing rule; generated if omitted.').orNull(),
    arrangementId: id('The ID of an account that is not closed.'),
    requiredSignatures: integer(
      'The number of signatories that must sign a payment, from 1 to the number of signatories.',
    ),
    fromAmount: money(
      'The amount from which on `requiredSignatures` applies, greater than zero and in the ' +
        'currency of the account. For smaller payments, one signatory is enough. If omitted, the ' +
        'number applies to every amount.',
    ).orNull(),
    signatoryPartyIds: list(
      id(),
      'The IDs of at most 20 parties whose signatures count. Each is the owner of the account, or ' +
        'is entitled to pay from it (`TRANSFER` or `MANAGE`). An empty list ends the signing rule ' +
        'of the account; `requiredSignatures` is 1 then.',
    ),
    reason: text('Why the account gets the signing rule, such as a reference to the mandate.'),
  },
)
export type ProposeSigningRuleInput = TypeOf<typeof ProposeSigningRuleInput>
