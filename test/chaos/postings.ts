import { randomBytes } from 'node:crypto'
import type { TestRequest } from './client.ts'

export const postings = '/v1/posting-instructions'

/** Accounts of every sandbox. Only a few, so that clients contend for them. */
const ofTheSandbox = ['arr_ada_current', 'arr_ada_savings', 'arr_grace_current']

/** Authorizations of this run, requested or accepted; some are already settled or released. */
const chains: string[] = []

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)]!

/**
 * A new posting or a batch with a unique mark that identifies it. Many are rejected, and their
 * responses are replayed as well.
 */
export function newPosting(random: () => number, accounts = ofTheSandbox): TestRequest {
  const mark = randomBytes(12).toString('hex')
  const body =
    random() < 0.2
      ? { instructions: [1, 2, 3].map((at) => instruction(`${mark}-${at}`, random, accounts)) }
      : instruction(mark, random, accounts)
  return { key: `key-${mark}`, path: postings, body, answer: null }
}

function instruction(mark: string, random: () => number, accounts: readonly string[]): object {
  const endToEndId = mark
  const amount = { amount: (random() * 20 + 0.01).toFixed(2), currency: 'EUR' }
  const [arrangementId, other] = [pick(accounts, random), pick(accounts, random)]
  const dice = random()
  if (dice < 0.3) return { arrangementId, direction: 'in', amount, endToEndId }
  if (dice < 0.4) return { arrangementId, direction: 'out', amount, endToEndId }
  if (dice < 0.45) {
    const line = (account: string, side: string) => ({ account, side, amount })
    const entries = [line(arrangementId, 'debit'), line('fee-income/EUR', 'credit')]
    return { entries, endToEndId }
  }
  if (dice < 0.65) {
    const parties = { debtorArrangementId: arrangementId, creditorArrangementId: other }
    return { ...parties, amount, endToEndId }
  }
  if (dice < 0.8 || chains.length === 0) {
    chains.push(mark)
    const type = random() < 0.8 ? 'outbound-authorisation' : 'inbound-authorisation'
    // Some expire before they are settled, even while the program is down.
    const expiresAt = new Date(Date.now() + random() * 4000).toISOString()
    const terms = random() < 0.3 ? { expiresAt } : {}
    return { type, arrangementId, amount, clientTransactionId: mark, endToEndId, ...terms }
  }
  const clientTransactionId = pick(chains.slice(-20), random)
  if (dice < 0.84) {
    return { type: 'authorisation-adjustment', clientTransactionId, amount, endToEndId }
  }
  if (dice < 0.89) return { type: 'release', clientTransactionId, endToEndId }
  const part = random() < 0.5 ? { amount, final: random() < 0.5 } : {}
  return { type: 'settlement', clientTransactionId, endToEndId, ...part }
}
