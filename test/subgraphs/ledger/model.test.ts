/**
 * Runs random commands against the real ledger, through the graph and on two processes at once, and
 * against a small reference model. A failure prints its seed and path; `LEDGER_MODEL_SEED`,
 * `LEDGER_MODEL_PATH` and `LEDGER_MODEL_REPLAY` replay it, `LEDGER_MODEL_RUNS` sets the number of runs.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { verifyJournal } from '../../../ledger/checkpoints.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type TestBank, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount } from '../payments/kit.ts'
import { steps, type Real } from './commands.ts'
import { writeAllCheckpoints } from './kit.ts'
import { Reference, type Account } from './reference.ts'

const environment = process.env
const numRuns = Number(environment['LEDGER_MODEL_RUNS'] ?? 100)
const replay = {
  ...(environment['LEDGER_MODEL_SEED'] && { seed: Number(environment['LEDGER_MODEL_SEED']) }),
  ...(environment['LEDGER_MODEL_PATH'] && { path: environment['LEDGER_MODEL_PATH'] }),
}

let bank: RunningSubgraph
let testBanks: [TestBank, TestBank]
beforeAll(async () => {
  bank = await aSubgraph(payments)
  testBanks = [bank, bank.another()]
})
afterAll(() => bank.drop())

const empty = { committed: 0, pendingIn: 0, pendingOut: 0, isBlocked: false, isClosed: false }
const accounts: Record<string, Account> = {
  a0: { ...empty, currency: 'EUR', overdraft: 0 },
  a1: { ...empty, currency: 'EUR', overdraft: 0 },
  a2: { ...empty, currency: 'EUR', overdraft: 500 },
  usd: { ...empty, currency: 'USD', overdraft: 0 },
  jpy: { ...empty, currency: 'JPY', overdraft: 100 },
}
let runs = 0

async function begin(): Promise<{ model: Reference; real: Real }> {
  const prefix = `r${++runs}-`
  bank.clock.set('2026-03-02T09:00:00.000Z')
  const model = new Reference()
  for (const [id, account] of Object.entries(accounts)) {
    const { currency, overdraft } = account
    await anAccount(bank, prefix + id, { currency, overdraftLimitMinor: BigInt(overdraft) })
    model.accounts.set(id, account)
  }
  return { model, real: { bank, testBanks, prefix, sent: [], posted: [] } }
}

/** Compares the authorizations of a run, and checks every ledger invariant. */
async function expectSound(model: Reference, { prefix }: Real) {
  const chains = await bank.rows(
    `select client_transaction_id as name, authorized::int, settled::int, released::int, open::int,
      state = 'expired' as "isExpired" from ledger.authorization where starts_with(client_transaction_id, $1)`,
    [prefix],
  )
  const byName = Object.fromEntries(
    chains.map(({ name, ...chain }) => [name.slice(prefix.length), chain]),
  )
  for (const [name, { authorized, settled, released, open, isExpired }] of model.chains) {
    expect(byName[name]).toEqual({ authorized, settled, released, open, isExpired })
  }
  expect(chains).toHaveLength(model.chains.size)
  // While fast-check shrinks a failure, the rows of the failed runs stay in the database.
  const found = await checkLedger(bank.bank.pool)
  const own = ({ subject }: { subject: string }) =>
    subject.includes(prefix) || !/\br\d+-/.test(subject)
  expect(found.filter(own)).toEqual([])
  if (runs % 10 === 0) await expectJournalVerified()
}

async function expectJournalVerified() {
  await writeAllCheckpoints(bank)
  const [journal] = await bank.rows('select count(*)::int as n from ledger.posting_instruction')
  expect(await verifyJournal(bank.bank.pool)).toMatchObject({
    badLine: null,
    linesChecked: journal!['n'],
  })
}

test(
  'the ledger behaves like the reference model for any sequence of commands',
  { timeout: 600_000 },
  async () => {
    const replayPath = environment['LEDGER_MODEL_REPLAY']
    await fc.assert(
      fc.asyncProperty(
        fc.commands(steps, { maxCommands: 40, size: 'max', ...(replayPath && { replayPath }) }),
        async (commands) => {
          const begun = await begin()
          await fc.asyncModelRun(() => begun, commands)
          await expectSound(begun.model, begun.real)
        },
      ),
      { numRuns, ...replay },
    )
    await expectJournalVerified()
    expect(await checkLedger(bank.bank.pool)).toEqual([])
  },
)
