/** The pursuit of overdrafts, by processes that stop at any commit or work at the same time. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { anAccount } from '../fees/fee-kit.ts'
import { killedAfter } from '../interest/crash-kit.ts'
import { eur, type InterestBank } from '../interest/kit.ts'
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
    `select (select count(*)::int from notifications.notification
        where personalization ->> 'contractId' like 'loan%') as notifications,
      (select count(*)::int from casework.document) as documents,
      (select count(*)::int from casework.case_file) as cases`,
  )
  const letters = codes.filter((code) => code !== 'case').length * loans.length
  expect(row).toEqual({
    notifications: letters,
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
    for (let commits = 0; commits < 12; commits++) {
      await killedAfter(bank as unknown as InterestBank, commits, () => collect(bank))
      await bank.rows(
        'update notifications.notification set due_at = created_at where due_at > now()',
      )
    }
    await collect(bank)
    await expectOnce(['reminder'])
  })

  test('between a request and its record repeats it with the same result', async () => {
    await dayClosed(bank, addDays(due, 15))
    await drain(bank, 'collections.decide-steps')
    // The request of the first letter is committed, and its record is not.
    await killedAfter(bank as unknown as InterestBank, 1, () =>
      drain(bank, 'collections.take-steps'),
    )
    const count = async () => {
      const [row] = await bank.rows(
        `select (select count(*)::int from notifications.notification
            where personalization ->> 'letterDate' = $1) as sent,
          (select count(*)::int from collections.step
            where decided_on = $1::date and state = 'taken') as recorded`,
        [addDays(due, 15)],
      )
      return row
    }
    expect((await count())!['sent']).toBeGreaterThan((await count())!['recorded'])
    await collect(bank)
    expect(await count()).toEqual({ sent: loans.length, recorded: loans.length })
    await expectOnce(['reminder', 'second-reminder'])
  })
})

test('two processes at once take each step once', async () => {
  const other = bank.another()
  await connect(other.bank)
  other.bank.log.level = 'silent'
  await dayClosed(bank, addDays(due, 30))
  const both = { ...bank, ...other }
  const work = async (process: CollectionsBank) => {
    // The worker tries again after it has lost a race.
    for (let tries = 0; tries < 10; tries++) {
      const isDone = await collect(process).then(
        () => true,
        () => false,
      )
      if (isDone) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await Promise.all([work(bank), work(both)])
  await collect(bank)
  await expectOnce(['reminder', 'second-reminder', 'case'])
  const runs = await bank.rows(
    'select status, processed, steps from collections.run order by business_date desc limit 1',
  )
  expect(runs).toEqual([{ status: 'completed', processed: loans.length, steps: loans.length }])
})
