import { amountOf } from '../../parts/typed-amount.ts'
import type { Application } from './application.ts'
import { accountOptions, type FacilityToChange } from './change-page.tsx'
import type { CreditOffer } from './credit-offers.ts'

export type Accounts = NonNullable<FacilityToChange['customer']>['accounts']

/** A customer who applies, with what the customer can name in an application. */
export interface Applicant {
  customerId: string
  accounts: readonly Omit<NonNullable<Accounts>[number], 'balances'>[]
  documents: readonly { documentId: string; title: string; status: string }[]
}

/** The consent to a credit bureau inquiry, by the code that the bank knows. */
const consentCode = 'credit-bureau-check'

/** What the form asks for. */
export interface Values {
  applicationId: string
  productId: string
  amount: number
  termMonths: number
  purpose: string
  monthlyIncome: string
  monthlyObligations: string
  employedMonths: number | string
  settlementArrangementId: string
  documents: string[]
  hasConsented: boolean
}

/** Returns what the form sends. */
export const inputOf = (values: Values, customerId: string, currency: string) => ({
  applicationId: values.applicationId,
  customerId,
  productId: values.productId,
  requestedAmount: { amount: String(values.amount), currency },
  termMonths: values.termMonths,
  ...(values.purpose.trim() && { purpose: values.purpose.trim() }),
  monthlyIncome: { amount: amountOf(values.monthlyIncome), currency },
  ...(values.monthlyObligations.trim() && {
    monthlyObligations: { amount: amountOf(values.monthlyObligations), currency },
  }),
  ...(values.employedMonths !== '' && { employedMonths: Number(values.employedMonths) }),
  ...(values.settlementArrangementId && {
    settlementArrangementId: values.settlementArrangementId,
  }),
  documents: values.documents,
  channel: 'web',
  declarations: [{ code: consentCode, accepted: values.hasConsented }],
})

/** Returns what the form of a new application begins with. */
export const newValues = (
  { productId, maxAmount, maxMonths, currency }: CreditOffer,
  { accounts }: Applicant,
  applicationId: string,
): Values => ({
  applicationId,
  productId,
  amount: Math.min(10_000, maxAmount),
  termMonths: Math.min(36, maxMonths),
  purpose: '',
  monthlyIncome: '',
  monthlyObligations: '',
  employedMonths: '',
  settlementArrangementId: accountOptions(accounts as Accounts, currency)[0]?.value ?? '',
  documents: [],
  hasConsented: false,
})

/** Returns what an application says already; the rest is as in a new one. */
export function valuesOf(application: Application, values: Values): Values {
  const { requestedAmount, termMonths, employedMonths, declarations } = application
  return {
    ...values,
    applicationId: application.applicationId,
    productId: application.productId ?? values.productId,
    amount: requestedAmount ? Number(requestedAmount.amount) : values.amount,
    termMonths: termMonths ?? values.termMonths,
    purpose: application.purpose ?? '',
    monthlyIncome: application.monthlyIncome?.amount ?? '',
    monthlyObligations: application.monthlyObligations?.amount ?? '',
    employedMonths: employedMonths ?? '',
    settlementArrangementId: application.settlementArrangementId ?? values.settlementArrangementId,
    documents: [...application.documents],
    hasConsented: declarations.some(({ code, accepted }) => code === consentCode && accepted),
  }
}
