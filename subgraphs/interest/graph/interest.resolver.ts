import { amount, date, id, object, oneOf } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import {
  accrueInterest,
  accrueOverdraftInterest,
  chargeOverdraftInterest,
  payOutInterest,
} from '../commands/pay-interest.ts'
import { setInterestPayout } from '../commands/payout.ts'
import { decideRateOverride, proposeRateOverride } from '../commands/rate-override.ts'
import { grantTaxExemption } from '../commands/tax-exemption.ts'
import { RateOverrideState, TaxExemptionState } from '../model/enumerations.ts'
import { AccountInterest, InterestPreview, previewedBalance } from '../model/interest.ts'
import { OverdraftInterest, OverdraftPreview } from '../model/overdraft-interest.ts'
import {
  ProposeInterestRateOverrideInput,
  RateOverride,
  rateOverrideStates,
} from '../model/rate-override.ts'
import {
  GrantInterestTaxExemptionInput,
  TaxExemption,
  taxExemptionStates,
} from '../model/tax-exemption.ts'
import { rateOverrideKind, rateOverrideTable } from '../store/rate-override.ts'
import { taxExemptionKind, taxExemptionTable } from '../store/tax-exemption.ts'
import { previewDeposit, previewOverdraft } from './previews.ts'
import { interestOut, overdraftInterestOut } from './shown.ts'

const arrangementId = id('The ID of an account that earns interest.')
const overdraftArrangementId = id('The ID of an account whose product version has overdraft terms.')
const ofAccount = { arrangementId: id('Returns only records of this account.').orNull() }

const changeRateOverride = changeOf(rateOverrideKind)
const changeTaxExemption = changeOf(taxExemptionKind)

export const InterestOperations = resolverOf({
  queries: {
    previewInterest: operation({
      description:
        'Returns what a balance on an account would earn from today until a day, with the ' +
        'interest terms and the tax of the account. Nothing is booked.',
      scope: 'accounts:read',
      returns: InterestPreview,
      args: {
        arrangementId,
        until: date(
          'The day on which the interest would be paid out: after today and at most 3,660 days ' +
            'after it.',
        ),
        balance: previewedBalance,
      },
      resolve: (context, args) => previewDeposit(context, args),
    }),
    previewOverdraft: operation({
      description:
        'Returns what an overdrawn amount would cost from today until a day, with the limit and ' +
        'the rates of the account. Nothing is booked.',
      scope: 'accounts:read',
      returns: OverdraftPreview,
      args: {
        arrangementId: overdraftArrangementId,
        until: date(
          'The day on which the interest would be charged: after today and at most 3,660 days ' +
            'after it.',
        ),
        amount: amount('The overdrawn amount, above zero.'),
      },
      resolve: (context, args) => previewOverdraft(context, args),
    }),
    interestRateOverride: lookup(RateOverride, {
      description: 'Returns an interest rate for one account. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: rateOverrideTable.find,
    }),
    interestRateOverrides: listing(RateOverride, {
      description:
        'Lists interest rates for single accounts in the order in which they were proposed. Not ' +
        'available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        ...ofAccount,
        state: oneOf(RateOverrideState, 'Returns only rates in this state.').orNull(),
      },
      list: rateOverrideTable.list,
      sortKey: rateOverrideTable.sortKey,
    }),
    interestTaxExemption: lookup(TaxExemption, {
      description: 'Returns an exemption from withholding tax. Not available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      find: taxExemptionTable.find,
    }),
    interestTaxExemptions: listing(TaxExemption, {
      description:
        'Lists exemptions from withholding tax in the order in which they were granted. Not ' +
        'available to delegated users.',
      scope: 'accounts:read',
      isForBankOnly: true,
      filters: {
        ...ofAccount,
        state: oneOf(TaxExemptionState, 'Returns only exemptions in this state.').orNull(),
      },
      list: taxExemptionTable.list,
      sortKey: taxExemptionTable.sortKey,
    }),
  },
  mutations: {
    accrueInterest: operation({
      description:
        'Accrues the interest of an account through yesterday, without waiting for the nightly ' +
        'job, and pays the interest of each period that has ended. Not available to delegated ' +
        'users.',
      scope: 'accounts:write',
      returns: AccountInterest,
      args: { arrangementId },
      resolve: async (context, args) =>
        interestOut(await accrueInterest(context, args.arrangementId)),
    }),
    payOutInterest: operation({
      description:
        'Accrues the interest of an account through yesterday and pays all of it now, before the ' +
        'end of the period. When the closure of an account is requested, the bank does this ' +
        'automatically. Not available to delegated users.',
      scope: 'accounts:write',
      returns: AccountInterest,
      args: { arrangementId },
      resolve: async (context, args) =>
        interestOut(await payOutInterest(context, args.arrangementId)),
    }),
    accrueOverdraftInterest: operation({
      description:
        'Accrues the interest of the overdraft of an account through yesterday, without waiting ' +
        'for the nightly job, and charges the interest of each period that has ended. Not ' +
        'available to delegated users.',
      scope: 'accounts:write',
      returns: OverdraftInterest,
      args: { arrangementId: overdraftArrangementId },
      resolve: async (context, args) =>
        overdraftInterestOut(await accrueOverdraftInterest(context, args.arrangementId)),
    }),
    chargeOverdraftInterest: operation({
      description:
        'Accrues the interest of the overdraft of an account through yesterday and charges all of ' +
        'it now, before the end of the period. When the closure of an account is requested, the ' +
        'bank does this automatically. Not available to delegated users.',
      scope: 'accounts:write',
      returns: OverdraftInterest,
      args: { arrangementId: overdraftArrangementId },
      resolve: async (context, args) =>
        overdraftInterestOut(await chargeOverdraftInterest(context, args.arrangementId)),
    }),
    setInterestPayout: operation({
      description:
        'Chooses the account to which the interest of an account is paid. Not available to ' +
        'delegated users.',
      scope: 'accounts:write',
      isForBankOnly: true,
      needsPerson: true,
      returns: AccountInterest,
      args: {
        arrangementId,
        payoutArrangementId: id(
          'The ID of another open account of the same customer in the same currency. If omitted, ' +
            'the interest is paid into the account itself.',
        ).orNull(),
      },
      resolve: async (context, request) => interestOut(await setInterestPayout(context, request)),
    }),
    proposeInterestRateOverride: operation({
      description:
        'Proposes an interest rate for one account, which another person has to approve. Not ' +
        'available to delegated users.',
      scope: 'accounts:write',
      returns: RateOverride,
      args: { input: object(ProposeInterestRateOverrideInput, 'The rate to propose.') },
      resolve: (context, { input }) => proposeRateOverride(context, input),
    }),
    ...transitionsOf(rateOverrideStates, changeRateOverride, {
      approveInterestRateOverride: decideRateOverride,
      rejectInterestRateOverride: decideRateOverride,
    }),
    grantInterestTaxExemption: operation({
      description:
        'Exempts the interest of an account from withholding tax for a period. Not available to ' +
        'delegated users.',
      scope: 'accounts:write',
      needsPerson: true,
      returns: TaxExemption,
      args: { input: object(GrantInterestTaxExemptionInput, 'The exemption to grant.') },
      resolve: (context, { input }) => grantTaxExemption(context, input),
    }),
    ...transitionsOf(taxExemptionStates, changeTaxExemption),
  },
})
