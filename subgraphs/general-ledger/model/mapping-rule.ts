import {
  date,
  entity,
  enumeration,
  id,
  input,
  instant,
  label,
  oneOf,
  string,
  text,
  type TypeOf,
  stored,
} from '../../../kernel/domain/model.ts'

export const MappingRuleState = enumeration('MappingRuleState', 'The state of a mapping rule.', {
  proposed: 'The rule has not been decided and has no effect.',
  active: 'The rule applies from its first day until a later rule for the same accounts.',
  rejected: 'The rule was rejected. This state is final.',
})
export type MappingRuleState = TypeOf<typeof MappingRuleState>

export const AccountMappingRule = entity(
  'AccountMappingRule',
  'mappingRuleId',
  'A rule that assigns ledger accounts to an account of the general ledger, from a date. Between several rules, one for the product applies before one for all products, and the latest before earlier ones.',
  {
    mappingRuleId: id(
      'The ID of the rule. A rule of the default chart has the ID `default~CODE`.',
    ).inEvents(),
    ledgerCode: string(
      'The code of the ledger accounts: `customer`, `loan`, or the code of an internal account.',
    ).inEvents(),
    productId: id('The product of the ledger accounts; null if the rule applies to all products.')
      .orNull()
      .inEvents(),
    accountNumber: string('The number of the account of the general ledger.').inEvents(),
    validFrom: date('The first day of the rule, the first day of a month.').inEvents(),
    state: oneOf(MappingRuleState, 'Whether the rule is proposed, active or rejected.').inEvents(),
    reason: text('Why the rule was proposed.'),
    proposedBy: string('The person or client that proposed the rule.').inEvents(),
    decidedBy: string('The person that decided on the rule; null while it is proposed.')
      .orNull()
      .inEvents(),
    decidedAt: instant('When the rule was decided, in UTC; null while it is proposed.').orNull(),
    createdAt: instant('When the rule was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type AccountMappingRule = TypeOf<typeof AccountMappingRule>

export const ProposeMappingRuleInput = input(
  'ProposeMappingRuleInput',
  'A mapping rule to propose.',
  {
    mappingRuleId: id('The ID of the rule, chosen by the client. Generated if omitted.').orNull(),
    ledgerCode: label('The code of the ledger accounts, such as `customer`.'),
    productId: id(
      'The product of the ledger accounts. If omitted, the rule applies to all.',
    ).orNull(),
    accountNumber: string('The number of an active posting account of the same type.'),
    validFrom: date(
      'The first day of the rule: the first day of a month that is not closed, nor any month after it.',
    ),
    reason: text('Why the accounts are assigned to another account of the general ledger.'),
  },
)
export type ProposeMappingRuleInput = TypeOf<typeof ProposeMappingRuleInput>
