import { id, object, oneOf, string } from '../../../kernel/domain/model.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeAccount, createAccount } from '../commands/account.ts'
import { decideMappingRule, proposeMappingRule } from '../commands/mapping-rule.ts'
import { requireKnownCode } from '../domain/mapping-rule.ts'
import {
  ChangeGeneralLedgerAccountInput,
  CreateGeneralLedgerAccountInput,
  GeneralLedgerAccount,
  GeneralLedgerAccountType,
  GeneralLedgerAccountUsage,
} from '../model/account.ts'
import {
  AccountMappingRule,
  MappingRuleState,
  ProposeMappingRuleInput,
} from '../model/mapping-rule.ts'
import { accountKind, listAccounts } from '../store/account.ts'
import { mappingRules } from '../store/mapping-rule.ts'

const mappingRuleId = id('The ID of the mapping rule.')

/** Operations on the chart of accounts and its mapping rules. */
export const ChartOperations = resolverOf({
  queries: {
    generalLedgerAccount: operation({
      description:
        'Returns an account of the general ledger; null if the chart does not have it. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      returns: GeneralLedgerAccount,
      args: { accountNumber: string('The number of the account.') },
      resolve: (context, { accountNumber }) => accountKind.find(context, accountNumber),
    }),
    generalLedgerAccounts: listing(GeneralLedgerAccount, {
      description:
        'Lists the chart of accounts in the order of the numbers. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      filters: {
        type: oneOf(GeneralLedgerAccountType, 'Returns only accounts of this type.').orNull(),
        usage: oneOf(
          GeneralLedgerAccountUsage,
          'Returns only header accounts or only posting accounts.',
        ).orNull(),
      },
      list: listAccounts,
      sortKey: ({ accountNumber }) => [accountNumber],
    }),
    mappingRules: listing(AccountMappingRule, {
      description:
        'Lists the mapping rules that were proposed, oldest first. Ledger accounts to which no active rule applies belong to the account of the default chart. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      filters: {
        ledgerCode: string(
          'Returns only rules for ledger accounts with this code. A code that the ledger does not have is rejected.',
        ).orNull(),
        state: oneOf(MappingRuleState, 'Returns only rules in this state.').orNull(),
      },
      ...mappingRules,
      list(context, filter, after, take) {
        requireKnownCode(filter.ledgerCode)
        return mappingRules.list(context, filter, after, take)
      },
    }),
  },
  mutations: {
    createGeneralLedgerAccount: operation({
      description: 'Adds an account to the chart of accounts.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: GeneralLedgerAccount,
      args: { input: object(CreateGeneralLedgerAccountInput, 'The account to add.') },
      resolve: (context, { input }) => createAccount(context, input),
    }),
    changeGeneralLedgerAccount: operation({
      description:
        'Changes an account of the general ledger. An account to which ledger accounts belong cannot become inactive.',
      scope: 'accounting:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: GeneralLedgerAccount,
      args: { input: object(ChangeGeneralLedgerAccountInput, 'The properties to change.') },
      resolve: (context, { input }) => changeAccount(context, input),
    }),
    proposeMappingRule: operation({
      description:
        'Proposes to which account of the general ledger the ledger accounts with a code belong. Another person must approve the rule.',
      scope: 'accounting:write',
      isForBankOnly: true,
      returns: AccountMappingRule,
      args: { input: object(ProposeMappingRuleInput, 'The rule to propose.') },
      resolve: (context, { input }) => proposeMappingRule(context, input),
    }),
    approveMappingRule: operation({
      description:
        'Approves a proposed mapping rule. The person who proposed the rule cannot approve it.',
      scope: 'accounting:approve',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountMappingRule,
      args: { mappingRuleId },
      resolve: (context, args) => decideMappingRule(context, args.mappingRuleId, 'active'),
    }),
    rejectMappingRule: operation({
      description:
        'Rejects a proposed mapping rule. The person who proposed the rule cannot reject it.',
      scope: 'accounting:approve',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountMappingRule,
      args: { mappingRuleId },
      resolve: (context, args) => decideMappingRule(context, args.mappingRuleId, 'rejected'),
    }),
  },
})
