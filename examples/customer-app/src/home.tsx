import { useEffect, useState } from 'react'
import type { BankClient, TypedDocument } from '@bankgraph/client'
import type { Account } from './bank.ts'
import { Pay } from './pay.tsx'

interface Customer {
  displayName: string
  accounts: Account[]
}

/** The customer's accounts, which change while the customer looks at them. */
export function Home({ bank }: { bank: BankClient }) {
  const { customer, problem } = useCustomer(bank)
  if (problem) return <p role="alert">{problem}</p>
  if (!customer) return <p>Loading…</p>
  return (
    <main>
      <h1>{customer.displayName}</h1>
      <ul aria-label="Accounts">
        {customer.accounts.map(({ arrangementId, accountNumber, nickname, balances }) => (
          <li key={arrangementId}>
            <span>{nickname ?? accountNumber}</span>
            <output>
              {balances[0].available} {balances[0].currency}
            </output>
          </li>
        ))}
      </ul>
      <Pay bank={bank} accounts={customer.accounts} />
    </main>
  )
}

/** Loads the customer, and again after each event that may have changed a balance. */
function useCustomer(bank: BankClient) {
  const [customer, setCustomer] = useState<Customer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => setCustomer((await bank.graph(customerQuery)).me)
    const follow = async () => {
      await load()
      // From the position of the query: what happened meanwhile is an event as well.
      const options = { types: ['payments.*', 'accounts.*'], after: bank.position! }
      for await (const _ of bank.events({ ...options, signal: stop.signal })) await load()
    }
    follow().catch((error: Error) => {
      if (!stop.signal.aborted) setProblem(error.message)
    })
    return () => stop.abort()
  }, [bank])
  return { customer, problem }
}

const customerQuery = `query Home {
  me {
    displayName
    accounts { arrangementId accountNumber nickname balances { currency available } }
  }
}` as string & TypedDocument<{ me: Customer }, Record<string, never>>
