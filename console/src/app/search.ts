import { useQuery } from '@apollo/client/react'
import { formatMoney, formatTime, type MoneyValue } from '../parts/format.ts'
import {
  SearchAccountsDocument,
  SearchPartiesDocument,
  SearchPaymentsDocument,
} from './queries.generated.ts'
import { recordPages } from '../parts/record-pages.ts'
import { useMay } from '../session/session.ts'

/** Something that the search found, and the page that shows it. */
export interface Hit {
  title: string
  description: string
  path: string
}

/** An IBAN, with or without spaces, or another account number. */
const accountNumberPattern = /^[A-Z]{2}\d{2}[A-Z0-9 ]{8,36}$/i

/** An amount, with or without a currency, such as `1200`, `12.50` or `80 USD`. */
const amountPattern = /^(\d{1,12}(?:[.,]\d{1,3})?)\s*([a-z]{3})?$/i

/** Returns the amount that a text names, in EUR if it names no currency; null if it names none. */
function amountIn(text: string): MoneyValue | null {
  const [, amount, currency = 'EUR'] = amountPattern.exec(text.trim()) ?? []
  return amount ? { amount: amount.replace(',', '.'), currency: currency.toUpperCase() } : null
}

/** Finds customers by name or address, accounts by number, payments by amount, any record by ID. */
export function useSearch(text: string): { hits: readonly Hit[]; isSearching: boolean } {
  const may = useMay()
  const byId = recordPages.find(({ prefix }) => prefix !== null && text.startsWith(prefix))
  const isAccountNumber = accountNumberPattern.test(text)
  const amount = amountIn(text)
  const payments = useQuery(SearchPaymentsDocument, {
    variables: { amount: amount ?? { amount: '0', currency: 'EUR' } },
    skip: !amount || !may('postings:read'),
  })
  const parties = useQuery(SearchPartiesDocument, {
    variables: { search: text },
    skip: !text || Boolean(byId) || isAccountNumber || Boolean(amount) || !may('parties:read'),
  })
  const accounts = useQuery(SearchAccountsDocument, {
    variables: { accountNumber: text.replaceAll(' ', '').toUpperCase() },
    skip: !isAccountNumber || !may('accounts:read'),
  })
  const hits = [
    ...(byId ? [{ title: text, description: byId.name, path: byId.path(text) }] : []),
    ...(parties.data?.parties?.nodes ?? []).map(({ partyId, displayName }) => ({
      title: displayName,
      description: 'Customer',
      path: `/customers/${partyId}`,
    })),
    ...(payments.data?.payments?.nodes ?? []).flatMap((payment) => {
      const account = payment.debtorArrangement ?? payment.creditorArrangement
      const to = payment.creditorName ?? 'an account of this bank'
      const hit = {
        title: `${formatMoney(payment.amount)} to ${to}`,
        description: `Payment, ${formatTime(payment.createdAt)}`,
        path: `/accounts/${account?.arrangementId}?tab=payments`,
      }
      return account ? [hit] : []
    }),
    ...(accounts.data?.accountArrangements?.nodes ?? []).map(
      ({ arrangementId, accountNumber }) => ({
        title: accountNumber,
        description: 'Account',
        path: `/accounts/${arrangementId}`,
      }),
    ),
  ]
  return { hits, isSearching: parties.loading || accounts.loading || payments.loading }
}
