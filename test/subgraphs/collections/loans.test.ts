/** The pursuit of the arrears of loans on a bank with the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { LateFacilitiesDocument } from '../../../subgraphs/collections/queries.generated.ts'
import { aLentLoan } from '../provisioning/kit.ts'
import {
  aCollectionsBank,
  aStrategy,
  codesOf,
  collect,
  dayClosed,
  episodesOf,
  night,
  payBack,
  type CollectionsBank,
} from './kit.ts'

/** The due date of the first installment, which is not paid. */
const due = '2026-04-10'
let bank: CollectionsBank
let facilityId: string
beforeAll(async () => {
  bank = await aCollectionsBank()
  await aStrategy(bank, { minimumAmounts: [{ amount: '50.00', currency: 'EUR' }] })
  facilityId = await aLentLoan(bank)
})
afterAll(() => bank.drop())

const only = async () => {
  const episodes = await episodesOf(bank, { facilityId })
  expect(episodes).toHaveLength(1)
  return episodes[0]
}

test('nothing is pursued before the first step is due', async () => {
  await night(bank, addDays(due, 4))
  expect(await episodesOf(bank, { facilityId })).toEqual([])
})

test('the first step opens an episode and sends a letter with the amounts, once', async () => {
  await night(bank, addDays(due, 5))
  const episode = await only()
  expect(episode).toMatchObject({
    status: 'OPEN',
    openedOn: addDays(due, 5),
    daysPastDue: 5,
    pastDueSince: due,
    pauseReason: null,
    nextStep: { code: 'second-reminder', on: addDays(due, 15) },
    facility: { facilityId },
    arrangement: null,
    party: { partyId: 'pty_ada' },
    case: null,
  })
  const [step] = episode.steps
  expect(episode.steps).toHaveLength(1)
  expect(step).toMatchObject({ code: 'reminder', state: 'TAKEN', daysPastDue: 5 })
  expect(step.notification.renderedBody).toBe(
    `Dear Test Person, ${episode.arrears.amount} EUR for ${facilityId} is past due since ` +
      `${due}, for 5 days.`,
  )
  expect(step.documentState).toBe('STORED')
  expect(step.document).toMatchObject({
    title: `Letter about arrears of ${addDays(due, 5)}`,
    retentionClass: 'CONTRACT',
    isShared: true,
    versions: [{ mediaType: 'application/pdf' }],
  })
  await collect(bank)
  await night(bank, addDays(due, 6))
  expect(codesOf(await only())).toEqual(['reminder'])
})

test('the next steps follow on their days, and the case concerns the facility and the episode', async () => {
  await night(bank, addDays(due, 15))
  expect(codesOf(await only())).toEqual(['reminder', 'second-reminder'])
  await night(bank, addDays(due, 30))
  const episode = await only()
  expect(codesOf(episode)).toEqual(['reminder', 'second-reminder', 'case'])
  expect(episode.nextStep).toBe(null)
  expect(episode.case).toMatchObject({
    caseType: 'COLLECTIONS',
    status: 'OPEN',
    priority: 'HIGH',
    subjects: [`facility/${facilityId}`, `collections-episode/${episode.collectionsEpisodeId}`],
  })
})

test('a payment of the arrears closes the episode and its case', async () => {
  const { facility } = await bank.act(
    'query ($id: ID!) { facility(facilityId: $id) { amountDue { amount } collectionsEpisode { status } } }',
    { id: facilityId },
  )
  expect(facility.collectionsEpisode).toEqual({ status: 'OPEN' })
  await payBack(bank, facilityId, facility.amountDue.amount)
  await dayClosed(bank, addDays(due, 30))
  const cured = await only()
  expect(cured).toMatchObject({ status: 'CLOSED', closeReason: 'CURED', nextStep: null })
  await collect(bank)
  expect((await only()).case.status).toBe('CLOSED')
  const events = (await bank.events())
    .filter(({ subject }) => subject === `collections-episode/${cured.collectionsEpisodeId}`)
    .map(({ type }) => type.replace('collections.episode.', ''))
  expect(events).toEqual(
    expect.arrayContaining(['opened', 'step-taken', 'step-taken', 'step-taken', 'closed']),
  )
  expect(events.filter((type) => type === 'step-taken')).toHaveLength(3)
})

test('later arrears begin another episode', async () => {
  await night(bank, '2026-05-16')
  const [first, second, ...others] = await episodesOf(bank, { facilityId })
  expect(others).toEqual([])
  expect(first.status).toBe('CLOSED')
  expect(second).toMatchObject({ status: 'OPEN', pastDueSince: '2026-05-10', case: null })
  expect(codesOf(second)).toEqual(['reminder'])
})

/** A loan on the morning after its first installment was due six days ago, and what pays it once. */
async function aLateLoan() {
  const id = await aLentLoan(bank)
  const { facility } = await bank.act(
    'query ($id: ID!) { facility(facilityId: $id) { schedule { dueDate } } }',
    { id },
  )
  await dayClosed(bank, addDays(facility.schedule[0].dueDate, 6))
  let isPaid = false
  const pay = async () => {
    if (isPaid) return
    isPaid = true
    const due = await bank.act(
      'query ($id: ID!) { facility(facilityId: $id) { state amountDue { amount } } }',
      { id },
    )
    expect(due.facility.state).toBe('IN_ARREARS')
    await payBack(bank, id, due.facility.amountDue.amount)
  }
  return { id, pay, isPaid: () => isPaid }
}

test('a loan that is paid after its page was read gets neither an episode nor a letter', async () => {
  const { id, pay, isPaid } = await aLateLoan()
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = async (document, variables, request) => {
    const answer = await queryGraph(document, variables, request)
    if (Object.is(document, LateFacilitiesDocument)) await pay()
    return answer
  }
  await collect(bank)
  bank.bank.queryGraph = queryGraph
  expect(isPaid()).toBe(true)
  expect(await episodesOf(bank, { facilityId: id })).toEqual([])
})

test('a loan that is paid before its page is committed gets neither', async () => {
  const { id, pay, isPaid } = await aLateLoan()
  const { commits } = bank.bank
  const { commit } = commits
  commits.commit = async (prepared) => {
    if (prepared.statement.text.includes('collections.episode')) await pay()
    return commit.call(commits, prepared)
  }
  await collect(bank)
  commits.commit = commit
  expect(isPaid()).toBe(true)
  expect(await episodesOf(bank, { facilityId: id })).toEqual([])
})

test('a loan whose end of day fails holds up only itself', async () => {
  const [failing, other] = [await aLentLoan(bank), await aLentLoan(bank)]
  const { facility } = await bank.act(
    'query ($id: ID!) { facility(facilityId: $id) { schedule { dueDate } } }',
    { id: failing },
  )
  const { dueDate } = facility.schedule[0]
  await dayClosed(bank, addDays(dueDate, 4))
  const block = (isClosed: boolean) =>
    bank.rows(
      'update ledger.balance set is_closed = $1, stamp = gen_random_uuid() where account_id = $2',
      [isClosed, `loan@${failing}`],
    )
  await block(true)
  await dayClosed(bank, addDays(dueDate, 5))
  await collect(bank)
  expect(await episodesOf(bank, { facilityId: failing })).toEqual([])
  expect((await episodesOf(bank, { facilityId: other })).map(codesOf)).toEqual([['reminder']])
  await block(false)
  await night(bank, addDays(dueDate, 6))
  expect((await episodesOf(bank, { facilityId: failing })).map(codesOf)).toEqual([['reminder']])
})
