import { depositInterestToJson } from '../../kernel/domain/deposit-interest.ts'
import { overdraftTermsToJson } from '../../kernel/domain/overdraft.ts'
import { feeToJson } from '../../kernel/domain/fee.ts'
import { behaviorOf } from './domain/product-class.ts'
import type { PricingQuote } from './model/pricing-quote.ts'
import type { Product } from './model/product.ts'
import type { SelfServiceSetting } from './model/self-service-setting.ts'

/**
 * Returns the published fact of a product: its versions with their currencies, parameter bounds,
 * interest, deposit interest, overdraft terms and fees.
 */
export function productFact(productId: string, versions: readonly Product[]) {
  return { productId, versions: versions.map(versionFact) }
}

function versionFact(product: Product) {
  return {
    version: product.version,
    name: product.name,
    productClass: product.productClass,
    status: product.status,
    isOpenable: behaviorOf(product.productClass) !== null,
    currencies: product.currencies,
    effectiveFrom: product.effectiveFrom,
    effectiveTo: product.effectiveTo,
    maxPerCustomer: product.maxPerCustomer,
    parameters: product.parameters,
    interest: product.interest,
    fees: product.fees.map(feeToJson),
    ...(product.depositInterest && {
      depositInterest: depositInterestToJson(product.depositInterest),
    }),
    ...(product.overdraft && { overdraft: overdraftTermsToJson(product.overdraft) }),
    createdAt: product.createdAt,
  }
}

/** Returns the published fact of a quote. It is also the data of the quote's event. */
export function quoteFact(quote: PricingQuote) {
  return {
    pricingQuoteId: quote.pricingQuoteId,
    productId: quote.productId,
    productVersion: quote.productVersion,
    customerId: quote.customerId,
    currency: quote.currency,
    amountMinor: quote.amountMinor === null ? null : quote.amountMinor.toString(),
    termMonths: quote.termMonths,
    ratePct: quote.ratePct,
    aprcPct: quote.aprcPct,
    ruleVersion: quote.ruleVersion,
    expiresAt: quote.expiresAt,
  }
}

/** Returns the published fact of whether customers may open accounts of a product themselves. */
export function selfServiceFact(setting: SelfServiceSetting) {
  const { productId, selfServiceSettingId, isAllowed } = setting
  return {
    subject: `self-service/${productId}`,
    data: { productId, selfServiceSettingId, isAllowed },
  }
}
