/** Sixteen concurrent clients post to six accounts over HTTP with every type of posting. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check.ts'
import { readTrialBalance } from '../../ledger/trial-balance.ts'
import { newPosting } from '../chaos/postings.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { random } from '../kit/random.ts'
import { anAccount } from '../subgraphs/payments/kit.ts'

const clients = 16
const requestsEach = Number(process.env['HAMMER_REQUESTS'] ?? 30)
const accounts = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `arr_${name}`)
/** The overdraft limit, which half of the accounts have. */
const limitOf = (id: string) => (accounts.indexOf(id) % 2 === 0 ? 3_000n : 0n)

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform()
  for (const id of accounts) await anAccount(bank, id, { overdraftLimitMinor: limitOf(id) })
})
afterAll(() => bank.stop())

async function hammer(seed: number, statuses: Map<number, number>): Promise<void> {
  const dice = random(seed)
  const send = async (body: object, key: string) => {
    const answer = await bank.rest('POST', '/posting-instructions', body, { key })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer
  }
  for (let at = 0; at < requestsEach; at++) {
    const { body, key } = newPosting(dice, accounts)
    const answer = await send(body, key)
    if (dice() < 0.1) {
      const again = await send(body, key)
      expect(again.status).toBe(answer.status)
      expect(again.body.postingInstructionId).toBe(answer.body.postingInstructionId)
    }
    const { postingInstructionId: reversesId } = answer.body
    if (dice() < 0.1) await send({ reversesId }, `${key}-back`)
  }
}

test(
  'concurrent postings keep the books balanced and every balance within its limit at each entry',
  { timeout: 60_000 },
  async () => {
    const statuses = new Map<number, number>()
    await Promise.all(Array.from({ length: clients }, (_, at) => hammer(at + 1, statuses)))
    for (const status of statuses.keys()) expect([200, 201, 409, 422]).toContain(status)
    const { pool } = bank.bank
    const { rows: types } = await pool.query(
      "select distinct type from ledger.posting_instruction where status = 'accepted'",
    )
    expect(types.map(({ type }) => type).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'authorisation-adjustment',
      'custom',
      'inbound-authorisation',
      'inbound-hard-settlement',
      'outbound-authorisation',
      'outbound-hard-settlement',
      'release',
      'reversal',
      'settlement',
      'transfer',
    ])
    const { rows: entries } = await pool.query(
      `select account_id, posting_instruction_id, phase, side, amount from ledger.entry
      where account_id = any($1) order by account_id, sequence`,
      [accounts],
    )
    expect(entries.length).toBeGreaterThan(300)
    const free = new Map(accounts.map((id) => [id, 0n]))
    entries.forEach(
      ({ account_id: id, posting_instruction_id: posting, phase, side, amount }, at) => {
        if (phase !== 'pending-in') {
          free.set(id, free.get(id)! + (side === 'credit' ? BigInt(amount) : -BigInt(amount)))
        }
        const next = entries[at + 1]
        if (next?.account_id === id && next.posting_instruction_id === posting) return
        expect(free.get(id)! + limitOf(id)).toBeGreaterThanOrEqual(0n)
      },
    )
    for (const { debitMinor, creditMinor } of await readTrialBalance(pool, null, null)) {
      expect(debitMinor).toBe(creditMinor)
    }
    expect(await checkLedger(pool)).toEqual([])
  },
)
