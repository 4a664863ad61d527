import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType, type MoneyInput } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import {
  changeSigningRule,
  decideSigningRule,
  proposeSigningRule,
} from '../commands/signing-rule.ts'
import { Arrangement } from '../model/arrangement.ts'
import { SigningRuleState } from '../model/enumerations.ts'
import { ProposeSigningRuleInput, SigningRule, signingRuleStates } from '../model/signing-rule.ts'
import { loadSigningRuleOf, signingRuleTable } from '../store/signing-rule.ts'

export const SigningRuleOperations = resolverOf({
  queries: {
    signingRule: lookup(SigningRule, {
      description: 'Returns a signing rule. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: signingRuleTable.find,
    }),
    signingRules: listing(SigningRule, {
      description:
        'Lists signing rules in the order in which they were proposed. Not available to delegated ' +
        'users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        arrangementId: id('Returns only signing rules of this account.').orNull(),
        state: oneOf(SigningRuleState, 'Returns only signing rules in this state.').orNull(),
      },
      list: signingRuleTable.list,
      sortKey: signingRuleTable.sortKey,
    }),
  },
  mutations: {
    proposeSigningRule: operation({
      description:
        'Proposes how many signatories must sign a payment of a customer from an account. Another ' +
        'person has to approve it. Not available to delegated users.',
      scope: 'accounts:write',
      returns: SigningRule,
      args: { input: object(ProposeSigningRuleInput, 'The signing rule to propose.') },
      resolve: (context, { input }) =>
        proposeSigningRule(context, {
          ...input,
          signingRuleId: input.signingRuleId ?? null,
          fromAmount: input.fromAmount ? moneyIn(input.fromAmount) : null,
        }),
    }),
    ...transitionsOf(signingRuleStates, changeSigningRule, {
      approveSigningRule: decideSigningRule,
      rejectSigningRule: decideSigningRule,
    }),
  },
})

function moneyIn({ amount, currency }: MoneyInput) {
  return { amountMinor: parseAmount(amount, currency, '/fromAmount/amount'), currency }
}

@Resolver(() => SigningRule)
export class SigningRuleResolver {
  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The amount from which on `requiredSignatures` applies; below it, one signatory is enough. ' +
      'Null if the number applies to every amount.',
  })
  fromAmount(@Root() { fromMinor, currency }: SigningRule): MoneyType | null {
    return fromMinor === null ? null : moneyOut({ amountMinor: fromMinor, currency })
  }
}

@Resolver(() => Arrangement)
export class ArrangementSigningResolver {
  @FieldResolver(() => SigningRule, {
    nullable: true,
    description:
      'The rule on how many signatories must sign a payment; null if whoever may pay from the ' +
      'account pays alone.',
  })
  signingRule(@Root() { arrangementId }: Arrangement, @Ctx() context: Context) {
    return loadSigningRuleOf(context, arrangementId)
  }
}
