/** The pursuit of overdrafts, by processes that stop at any commit or work at the same time. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { anAccount } from '../fees/fee-kit.ts'
import { eur } from '../interest/kit.ts'
import { aLentLoan } from '../provisioning/kit.ts'
import {
  aCollectionsBank,
  aStrategy,
  codesOf,
  collect,
  connect,
  dayClosed,
  drain,
  episodesOf,
  night,
  strategySteps,
  type CollectionsBank,
} from './kit.ts'

/** The first day at whose end the account is beyond its limit. */
const breach = '2026-03-12'
let bank: CollectionsBank
let arrangementId: string
const loans: string[] = []
beforeAll(async () => {
  bank = await aCollectionsBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  const productId = 'prd_overdraft'
  const input = {
    productId,
    name: 'Current account',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    overdraft: { annualRatePct: '0', unarrangedRatePct: '0' },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
  arrangementId = await anAccount(bank, productId, { overdraftLimit: eur('100.00') })
  await aStrategy(bank)
  await aStrategy(bank, {
    productId,
    steps: [{ ...strategySteps[0], fromDaysPastDue: 3 }, strategySteps[2]],
  })
  for (let index = 0; index < 5; index++) loans.push(await aLentLoan(bank))
})
afterAll(() => bank.drop())

const move = (direction: string, amount: string) =>
  bank.act(
    'mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) { status } }',
    { input: { arrangementId, direction, amount: eur(amount), advice: true } },
  )
const episode = async () => (await episodesOf(bank, { arrangementId }))[0]

test('an overdraft beyond its limit is pursued by the strategy of its product', async () => {
  bank.clock.set(`${breach}T10:00:00Z`)
  await move('OUT', '350.00')
  await night(bank, addDays(breach, 2))
  expect(await episode()).toBe(undefined)
  await night(bank, addDays(breach, 3))
  const found = await episode()
  expect(found).toMatchObject({
    daysPastDue: 3,
    arrears: { amount: '250.00' },
    pastDueSince: breach,
    facility: null,
    arrangement: { arrangementId },
  })
  expect(codesOf(found)).toEqual(['reminder'])
  expect(found.steps[0].notification.renderedBody).toContain(`250.00 EUR for ${arrangementId}`)
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { collectionsEpisode { daysPastDue } } }`,
    { id: arrangementId },
  )
  expect(accountArrangement.collectionsEpisode).toEqual({ daysPastDue: 3 })
})

test('an overdraft within its limit closes the episode', async () => {
  await move('IN', '300.00')
  await night(bank, addDays(breach, 4))
  expect(await episode()).toMatchObject({ status: 'CLOSED', closeReason: 'CURED' })
})

/**
 * Fails all commits after the first few while `run` runs, as if the process had died. Returns whether
 * a commit failed.
 */
async function killedAfter(count: number, run: () => Promise<unknown>): Promise<boolean> {
  const { commits } = bank.bank
  const { commit } = commits
  let left = count
  commits.commit = (statement) =>
    left-- > 0 ? commit.call(commits, statement) : Promise.reject(new Error('The plug was pulled.'))
  try {
    await run()
  } catch (error) {
    // The graph hides the error of a request that it carries out.
    expect((error as Error).message).toMatch(/The plug was pulled|internal error/)
  } finally {
    commits.commit = commit
  }
  return left < 0
}

const notificationCount = async (): Promise<number> => {
  const [row] = await bank.rows('select count(*)::int as count from notifications.notification')
  return row!['count']
}

/** The letters and the cases of the loans, each once. */
async function expectOnce(codes: string[]) {
  for (const facilityId of loans) {
    const episodes = await episodesOf(bank, { facilityId })
    expect(episodes).toHaveLength(1)
    expect(codesOf(episodes[0])).toEqual(codes)
    const letters = episodes[0].steps.filter(({ action }: any) => action === 'SEND_LETTER')
    expect(letters.map(({ documentState }: any) => documentState)).toEqual(
      letters.map(() => 'STORED'),
    )
  }
  const [row] = await bank.rows(
    `select (select count(*)::int from casework.document) as documents,
      (select count(*)::int from casework.case_file) as cases`,
  )
  const letters = codes.filter((code) => code !== 'case').length * loans.length
  // One letter was about the overdraft.
  expect(await notificationCount()).toBe(letters + 1)
  expect(row).toEqual({
    documents: letters + 1,
    cases: codes.includes('case') ? loans.length : 0,
  })
}

const due = '2026-04-10'

describe('A process that stops', () => {
  test('at any commit of a night sends each letter once when it continues', async () => {
    await dayClosed(bank, addDays(due, 5))
    // The run is a start and four pages; each letter is a notification, its record, its delivery,
    // its document and the record of that.
    let killed = 0
    for (let commits = 0; commits < 12; commits++) {
      if (!(await killedAfter(commits, () => collect(bank)))) break
      killed++
      // The leases of a process that stopped expire by the clock of the database.
      await bank.rows('update notifications.notification set lease_until = null')
    }
    // The start, the four pages and at least one commit of a letter failed once.
    expect(killed).toBeGreaterThan(5)
    await collect(bank)
    await expectOnce(['reminder'])
  })

  test('between a request and its record repeats it with the same result', async () => {
    await dayClosed(bank, addDays(due, 15))
    await drain(bank, 'collections.decide-steps')
    const before = await notificationCount()
    // The request of the first letter is committed, and its record is not.
    expect(await killedAfter(1, () => drain(bank, 'collections.take-steps'))).toBe(true)
    const recorded = await bank.rows(
      "select from collections.step where decided_on = $1::date and state = 'taken'",
      [addDays(due, 15)],
    )
    expect((await notificationCount()) - before).toBe(recorded.length + 1)
    await collect(bank)
    await expectOnce(['reminder', 'second-reminder'])
  })
})

test('two processes at once take each step once', async () => {
  const other = bank.another()
  await connect(other.bank)
  other.bank.log.level = 'silent'
  await dayClosed(bank, addDays(due, 30))
  const both = { ...bank, ...other }
  const work = async (process: CollectionsBank): Promise<boolean> => {
    // The worker tries again after it has lost a race.
    for (let tries = 0; tries < 10; tries++) {
      const isDone = await collect(process).then(
        () => true,
        () => false,
      )
      if (isDone) return true
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }
  expect(await Promise.all([work(bank), work(both)])).toEqual([true, true])
  await collect(bank)
  await expectOnce(['reminder', 'second-reminder', 'case'])
  const runs = await bank.rows(
    'select status, processed, steps from collections.run order by business_date desc limit 1',
  )
  expect(runs).toEqual([{ status: 'completed', processed: loans.length, steps: loans.length }])
})
