import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { withFixing } from '../../../kernel/domain/deposit-interest.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { isOnSale } from '../../../kernel/domain/product-sale.ts'
import { fixingKnownOn } from '../../../kernel/domain/reference-rate.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { readReferenceRates } from '../../../kernel/writing/reference-rates.ts'
import {
  changeSelfServiceSetting,
  decideSelfServiceSetting,
  proposeSelfServiceSetting,
} from '../commands/self-service-setting.ts'
import type { ProductDepositInterest } from '../model/deposit-interest.ts'
import { SelfServiceSettingState } from '../model/enumerations.ts'
import type { Product } from '../model/product.ts'
import {
  DepositOffer,
  ProposeSelfServiceSettingInput,
  SelfServiceSetting,
  selfServiceSettingStates,
} from '../model/self-service-setting.ts'
import { loadVersions } from '../store/product.ts'
import {
  findSelfServiceProductIds,
  selfServiceSettingTable,
} from '../store/self-service-setting.ts'
import { depositInterestOut } from './deposit-interest-in-graph.ts'

export const SelfServiceOperations = resolverOf({
  queries: {
    depositOffers: operation({
      description:
        'Lists the savings accounts and term deposits that customers may open themselves today, in ' +
        'the order of their IDs, with the rates of today.',
      scope: 'products:read',
      returns: [DepositOffer],
      args: {},
      resolve: (context) => readDepositOffers(context),
    }),
    selfServiceSetting: lookup(SelfServiceSetting, {
      description: 'Returns a self-service setting. Not available to delegated users.',
      scope: 'products:read',
      isForBankOnly: true,
      find: selfServiceSettingTable.find,
    }),
    selfServiceSettings: listing(SelfServiceSetting, {
      description:
        'Lists self-service settings in the order in which they were proposed. Not available to ' +
        'delegated users.',
      scope: 'products:read',
      isForBankOnly: true,
      filters: {
        productId: id('Returns only settings of this product.').orNull(),
        state: oneOf(SelfServiceSettingState, 'Returns only settings in this state.').orNull(),
      },
      list: selfServiceSettingTable.list,
      sortKey: selfServiceSettingTable.sortKey,
    }),
  },
  mutations: {
    proposeSelfServiceSetting: operation({
      description:
        'Proposes whether customers may open accounts of a deposit product themselves. Another person ' +
        'has to approve it. Not available to delegated users.',
      scope: 'products:write',
      isForBankOnly: true,
      returns: SelfServiceSetting,
      args: { input: object(ProposeSelfServiceSettingInput, 'The setting to propose.') },
      resolve: (context, { input }) => proposeSelfServiceSetting(context, input),
    }),
    ...transitionsOf(selfServiceSettingStates, changeSelfServiceSetting, {
      approveSelfServiceSetting: decideSelfServiceSetting,
      rejectSelfServiceSetting: decideSelfServiceSetting,
    }),
  },
})

async function readDepositOffers(context: Context): Promise<DepositOffer[]> {
  const today = dateOf(context.now())
  const productIds = await findSelfServiceProductIds(context)
  const versions = await Promise.all(productIds.map((each) => loadVersions(context, each)))
  const onSale = versions.flatMap((each) => each?.find((version) => isOnSale(version, today)) ?? [])
  return Promise.all(onSale.map(async (product) => offerOf(context, product, today)))
}

async function offerOf(
  context: Context,
  product: Product,
  today: LocalDate,
): Promise<DepositOffer> {
  const { productId, version: productVersion, name, productClass, currencies } = product
  const { description, maxPerCustomer, effectiveTo } = product
  return {
    productId,
    productVersion,
    name,
    description,
    productClass,
    currencies,
    maxPerCustomer,
    effectiveTo,
    interest: await interestToday(context, product, today),
  }
}

async function interestToday(
  context: Context,
  { depositInterest }: Product,
  today: LocalDate,
): Promise<ProductDepositInterest | null> {
  if (!depositInterest?.floatingRate) return depositInterest && depositInterestOut(depositInterest)
  const { referenceRateId } = depositInterest.floatingRate
  const rate = (await readReferenceRates(context, [referenceRateId])).get(referenceRateId) ?? null
  const fixingPct = fixingKnownOn(rate, today)?.ratePct ?? '0'
  return depositInterestOut(withFixing(depositInterest, fixingPct))
}
