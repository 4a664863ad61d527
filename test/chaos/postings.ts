import { randomBytes } from 'node:crypto'
import type { Asked } from './client.ts'

export const postings = '/v1/posting-instructions'

/** Accounts that every sandbox has. Few, so that the clients meet on them. */
const ofTheSandbox = ['arr_ada_current', 'arr_ada_savings', 'arr_grace_current']

/** What was promised by this run, or was asked to be; some of it is settled or released. */
const chains: string[] = []

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)]!

/** A new posting, or a batch of them; many are refused, and that too is to be remembered. Its mark, which nobody else has, says which it is. */
export function newPosting(random: () => number, accounts = ofTheSandbox): Asked {
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
    // Some are over before they are settled, whoever was killed meanwhile.
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
