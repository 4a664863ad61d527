/**
 * A provisioning run that dies at any commit, or that several processes share, provides for every
 * facility once: according to its items, its provisions and the ledger.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aLentLoan,
  aProvisioningBank,
  aTable,
  debitsOf,
  drain,
  expectReconciled,
  morningOf,
  step,
  type ProvisioningBank,
} from './kit.ts'

const count = 9
let bank: ProvisioningBank
beforeAll(async () => {
  bank = await aProvisioningBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  await aTable(bank)
  for (let index = 0; index < count; index++) await aLentLoan(bank)
  inPagesOf(2)
})
afterAll(() => bank.drop())
let undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

/** Small pages, so that a run has many checkpoints. */
function inPagesOf(size: number) {
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = (document, variables) =>
    queryGraph(
      document,
      'first' in (variables as object) ? { ...variables, first: size } : variables,
    )
}

/** Fails every commit after the first few, as if the process had died. */
function pullThePlug(after: number) {
  const { commits } = bank.bank
  const { commit } = commits
  let left = after
  commits.commit = (statement) => {
    if (left-- > 0) return commit.call(commits, statement)
    return Promise.reject(new Error('The plug was pulled.'))
  }
  undo.push(() => void (commits.commit = commit))
}

/** Every month is the same to these loans: the first of the next month. */
let month = 3
async function nextMonth(): Promise<string> {
  month++
  const [year, ofYear] = [2026 + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1]
  const first = `${year}-${String(ofYear).padStart(2, '0')}-01`
  await morningOf(bank, first)
  await drain(bank, 'provisioning.schedule')
  return first
}

async function expectProvidedOnce() {
  const runs = await bank.rows(
    `select provisioning_run_id as id, status, processed from provisioning.provisioning_run
     order by created_at desc, month_end desc limit 1`,
  )
  expect(runs[0]).toMatchObject({ status: 'completed', processed: count })
  const items = await bank.rows(
    `select count(*)::int as items, count(distinct provision_id)::int as facilities,
       sum(allowance_minor - before_minor)::int as change, sum(allowance_minor)::int as allowance
     from provisioning.provision_item where provisioning_run_id = $1`,
    [runs[0]!['id']],
  )
  expect(items[0]).toMatchObject({ items: count, facilities: count })
  expect(await debitsOf(bank, 'loan-loss-allowance')).toBe(-items[0]!['allowance'])
  expect(await debitsOf(bank, 'impairment-expense')).toBe(items[0]!['allowance'])
  await expectReconciled(bank)
}

const endLeases = () =>
  bank.rows('update provisioning.provisioning_run set leased_until = null, lease_id = null')

describe('A run that dies', () => {
  // The first commit starts the run; each of five pages is one commit.
  test.each([0, 1, 2, 5])('after %s commits continues from its checkpoint', async (commits) => {
    await nextMonth()
    pullThePlug(commits)
    await expect(drain(bank, 'provisioning.run')).rejects.toThrow('The plug was pulled.')
    undo.pop()!()
    await endLeases()
    await drain(bank, 'provisioning.run')
    await expectProvidedOnce()
  })
})

test('two processes share a run', async () => {
  const other = bank.another()
  other.bank.queryGraph = bank.bank.queryGraph
  other.bank.clock.now = bank.bank.clock.now
  await nextMonth()
  const work = async (process: Pick<ProvisioningBank, 'bank'>) => {
    let pages = 0
    for (let idle = 0; idle < 20;) {
      if ((await step(process)) > 0) pages++
      else {
        idle++
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    return pages
  }
  const pages = await Promise.all([work(bank), work(other)])
  expect(pages[0]! + pages[1]!).toBeGreaterThanOrEqual(5)
  await expectProvidedOnce()
})
