import { useState, type FormEvent } from 'react'
import { BankProblem, ConnectionFailure, type BankClient } from '@bankgraph/client'
import type { Account } from './bank.ts'

/** A form that pays once, however often it is sent. */
export function Pay({ bank, accounts }: { bank: BankClient; accounts: readonly Account[] }) {
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [message, setMessage] = useState('')
  const [isPaying, setIsPaying] = useState(false)

  const pay = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const input = inputFrom(new FormData(form), accounts)
    setIsPaying(true)
    try {
      await bank.graph(payMutation, { input }, { idempotencyKey: key })
      setMessage(`Paid ${input.amount.amount} ${input.amount.currency}.`)
      setKey(crypto.randomUUID())
      form.reset()
    } catch (error) {
      setMessage(textOf(error))
      // A decision of the bank is final for its key. Before there is one, only this key pays once.
      if (error instanceof BankProblem && error.status === 422) setKey(crypto.randomUUID())
    } finally {
      setIsPaying(false)
    }
  }

  return (
    <form aria-label="Pay" onSubmit={(event) => void pay(event)}>
      <h2>Pay</h2>
      <label>
        From
        <select name="debtor">
          {accounts.map(({ arrangementId, accountNumber, nickname }) => (
            <option key={arrangementId} value={arrangementId}>
              {nickname ?? accountNumber}
            </option>
          ))}
        </select>
      </label>
      <label>
        To the account (IBAN)
        <input name="iban" required />
      </label>
      <label>
        Name
        <input name="name" required />
      </label>
      <label>
        Amount
        <input name="amount" required inputMode="decimal" pattern="\d+(\.\d{1,2})?" />
      </label>
      <button disabled={isPaying}>Pay</button>
      <output>{message}</output>
    </form>
  )
}

function inputFrom(form: FormData, accounts: readonly Account[]) {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const debtor = accounts.find(({ arrangementId }) => arrangementId === text('debtor'))!
  return {
    debtorArrangementId: debtor.arrangementId,
    creditorIban: text('iban'),
    creditorName: text('name'),
    amount: { amount: text('amount'), currency: debtor.balances[0].currency },
  }
}

/** Your own texts for the codes that you expect, and the bank's for all others. */
function textOf(error: unknown): string {
  if (error instanceof ConnectionFailure) return 'The bank did not answer. Press Pay again.'
  if (!(error instanceof BankProblem)) throw error
  if (error.code === 'INSUFFICIENT_FUNDS') return 'There is not enough money in the account.'
  return error.message
}

const payMutation = `mutation Pay($input: CreateTransferInput!) {
  createTransfer(input: $input) { paymentId state }
}`
