import { requireFound } from '../../../kernel/authorization/auth.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { date, id, object, oneOf } from '../../../kernel/domain/model.ts'
import { parseAmount, type AmountSent } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { readValueDatedBalance } from '../../../ledger/entries.ts'
import { loadInputs, loadVisiblePosition } from '../commands/load-inputs.ts'
import { accrueInterest, payOutInterest } from '../commands/pay-interest.ts'
import { setInterestPayout } from '../commands/payout.ts'
import { decideRateOverride, proposeRateOverride } from '../commands/rate-override.ts'
import { grantTaxExemption } from '../commands/tax-exemption.ts'
import type { InterestPosition } from '../domain/position.ts'
import { previewInterest } from '../domain/preview.ts'
import { Problem } from '../domain/problems.ts'
import { RateOverrideState, TaxExemptionState } from '../model/enumerations.ts'
import { AccountInterest, InterestPreview, previewedBalance } from '../model/interest.ts'
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
import { interestOut } from './shown.ts'

const arrangementId = id('The ID of an account that earns interest.')
const ofAccount = { arrangementId: id('Returns only records of this account.').orNull() }

const changeRateOverride = changeOf(rateOverrideKind)
const changeTaxExemption = changeOf(taxExemptionKind)

/** The maximum number of days of a preview. */
const maxPreviewDays = 3660

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
      async resolve(context, args) {
        const found = await loadVisiblePosition(context, args.arrangementId)
        const position = requireFound(
          found?.isBearing ? found : null,
          'INTEREST_NOT_FOUND',
          args.arrangementId,
        )
        return preview(context, position, args.until, args.balance)
      },
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

async function preview(
  context: Context,
  position: InterestPosition,
  until: LocalDate,
  sent: AmountSent | null,
): Promise<InterestPreview> {
  const today = dateOf(context.now())
  if (until <= today || until > addDays(today, maxPreviewDays)) {
    const detail = `until, ${until}, must be after ${today} and at most ${maxPreviewDays} days after it.`
    const errors = [{ pointer: '/until', code: 'INVALID_DATE_RANGE', detail }]
    throw new Problem('INVALID_DATE_RANGE', { detail, errors })
  }
  const { currency } = position
  const balanceMinor = sent
    ? balanceOf(sent, currency)
    : (await readValueDatedBalance(context.bank.pool, position.arrangementId, today)).committedMinor
  const inputs = (await loadInputs(context, position))!
  const { grossMinor, taxMinor } = previewInterest(inputs, balanceMinor, today, until)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    from: today,
    until,
    balance: money(balanceMinor),
    gross: money(grossMinor),
    taxWithheld: money(taxMinor),
    net: money(grossMinor - taxMinor),
  }
}

function balanceOf({ amount, currency }: AmountSent, currencyOfAccount: string): bigint {
  if (currency !== null && currency !== currencyOfAccount) {
    const detail = `The balance must be in ${currencyOfAccount}, the currency of the account.`
    const errors = [{ pointer: '/balance/currency', code: 'CURRENCY_MISMATCH', detail }]
    throw new Problem('CURRENCY_MISMATCH', { detail, errors })
  }
  return parseAmount(amount, currencyOfAccount, '/balance/amount')
}
