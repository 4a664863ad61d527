/** Collections strategies: proposals, decisions, rights and the preview of a run. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aLentLoan, codeOf } from '../provisioning/kit.ts'
import {
  aCollectionsBank,
  approve,
  aStrategy,
  collect,
  dayClosed,
  episodesOf,
  night,
  officer,
  propose,
  strategySteps,
  type CollectionsBank,
} from './kit.ts'

let bank: CollectionsBank
beforeAll(async () => {
  bank = await aCollectionsBank()
})
afterAll(() => bank.drop())

const ada = aCaller({ subject: 'ada', partyId: 'pty_ada' })

test('a strategy is approved by another person, once', async () => {
  const { strategy } = await propose(bank, { segment: 'MORTGAGE', effectiveFrom: undefined })
  expect(strategy.status).toBe('PROPOSED')
  const id = strategy.collectionsStrategyId
  expect(await codeOf(approve(bank, id, officer))).toBe('SEGREGATION_OF_DUTIES')
  expect((await approve(bank, id)).strategy).toEqual({
    status: 'APPROVED',
    proposedBy: 'officer',
    decidedBy: 'manager',
  })
  expect(await codeOf(approve(bank, id))).toBe('INVALID_STATE_TRANSITION')
  expect(await codeOf(approve(bank, 'cst_none'))).toBe('COLLECTIONS_STRATEGY_NOT_FOUND')
  const { collectionsStrategy } = await bank.act(
    `query ($id: ID!) { collectionsStrategy(collectionsStrategyId: $id) { effectiveFrom segment productId
      daysBetweenLetters minimumAmounts { amount } steps { code fromDaysPastDue action templateCode
      channel priority routingProfileId } } }`,
    { id },
  )
  expect(collectionsStrategy).toMatchObject({
    effectiveFrom: '2026-03-10',
    segment: 'MORTGAGE',
    productId: null,
  })
  expect(collectionsStrategy.steps[2]).toEqual({
    code: 'case',
    fromDaysPastDue: 30,
    action: 'OPEN_CASE',
    templateCode: null,
    channel: null,
    priority: 'HIGH',
    routingProfileId: null,
  })
})

test('a strategy that is not valid or refers to unknown records is rejected', async () => {
  expect(await codeOf(propose(bank, { daysBetweenLetters: 0 }))).toBe(
    'COLLECTIONS_STRATEGY_INVALID',
  )
  expect(await codeOf(propose(bank, { productId: 'prd_none' }))).toBe('PRODUCT_NOT_FOUND')
  const steps = [{ ...strategySteps[2], routingProfileId: 'rtp_none' }]
  expect(await codeOf(propose(bank, { steps }))).toBe('ROUTING_PROFILE_NOT_FOUND')
})

test('the preview shows what the run of tonight then does', async () => {
  const facilityId = await aLentLoan(bank)
  await aLentLoan(bank)
  await dayClosed(bank, '2026-04-16')
  const { strategy } = await propose(bank)
  const preview = (id: string | null, caller = officer) =>
    bank.act(
      `query ($id: ID) { collectionsPreview(collectionsStrategyId: $id) { businessDate isComplete
        contracts steps { code action count strategy { collectionsStrategyId } } pauses { reason count }
        items { facility { facilityId } arrangement { arrangementId } party { partyId } daysPastDue
        isNew steps pauseReason nextStep { code on } strategy { collectionsStrategyId } } } }`,
      { id },
      caller,
    )
  const id = strategy.collectionsStrategyId
  // Without an approved strategy, nothing is done.
  expect((await preview(null)).collectionsPreview).toMatchObject({ contracts: 0, items: [] })
  const { collectionsPreview } = await preview(id)
  expect(collectionsPreview).toMatchObject({
    businessDate: '2026-04-16',
    isComplete: true,
    contracts: 2,
    steps: [{ code: 'reminder', action: 'SEND_LETTER', count: 2 }],
    pauses: [],
  })
  expect(collectionsPreview.items[0]).toEqual({
    facility: { facilityId },
    arrangement: null,
    party: { partyId: 'pty_ada' },
    daysPastDue: 6,
    isNew: true,
    steps: ['reminder'],
    pauseReason: null,
    nextStep: { code: 'second-reminder', on: '2026-04-25' },
    strategy: { collectionsStrategyId: id },
  })
  expect(await codeOf(preview('cst_none'))).toBe('COLLECTIONS_STRATEGY_NOT_FOUND')
  expect(await codeOf(preview(id, ada))).toBe('NOT_FOR_DELEGATED_USERS')
  expect(await episodesOf(bank, { facilityId })).toEqual([])

  await approve(bank, id)
  await collect(bank)
  const [episode] = await episodesOf(bank, { facilityId })
  expect(episode.nextStep).toEqual({ code: 'second-reminder', on: '2026-04-25' })
  // The run of today is completed, so that the next one is of tomorrow.
  expect((await preview(null)).collectionsPreview).toMatchObject({
    businessDate: '2026-04-17',
    contracts: 2,
    steps: [],
  })
})

test('a new version applies to open episodes, and does not repeat a step', async () => {
  const steps = [{ ...strategySteps[0], fromDaysPastDue: 1 }, strategySteps[2]]
  await aStrategy(bank, { effectiveFrom: '2026-04-17', steps })
  await night(bank, '2026-04-17')
  const [episode] = await episodesOf(bank, { partyId: 'pty_ada' })
  expect(episode.steps).toHaveLength(1)
  expect(episode.nextStep).toEqual({ code: 'case', on: '2026-05-10' })
})

test('a borrower sees the letter, and nothing of the pursuit', async () => {
  const [episode] = await episodesOf(bank, { partyId: 'pty_ada' })
  await night(bank, '2026-05-10')
  const seen = await bank.act(
    `{ notifications { nodes { templateCode renderedBody } } cases { nodes { caseId } }
      facilities { nodes { collectionsEpisode { status } } } }`,
    {},
    ada,
  )
  expect(seen.notifications.nodes).toHaveLength(2)
  expect(seen.cases.nodes).toEqual([])
  expect(seen.facilities.nodes).toEqual([
    { collectionsEpisode: null },
    { collectionsEpisode: null },
  ])
  const { documents } = await bank.act('{ documents { nodes { title documentType } } }', {}, ada)
  expect(documents.nodes).toHaveLength(2)
  expect(documents.nodes[0].documentType).toBe('collections-letter')
  const hidden = [
    '{ collectionsEpisodes { nodes { status } } }',
    '{ collectionsStrategies { nodes { status } } }',
    `{ collectionsEpisode(collectionsEpisodeId: "${episode.collectionsEpisodeId}") { status } }`,
    `mutation { retryCollectionsStep(collectionsStepId: "csp_none") { state } }`,
  ]
  for (const document of hidden) {
    expect(await codeOf(bank.act(document, {}, ada))).toBe('NOT_FOR_DELEGATED_USERS')
  }
  const events = (await bank.events()).filter(({ type }) => type.startsWith('collections.'))
  expect(events.length).toBeGreaterThan(5)
  expect(events.flatMap(({ parties }) => parties)).toEqual([])
})

test('without a strategy for a contract, its episode takes no steps', async () => {
  await aStrategy(bank, { effectiveFrom: '2026-05-11', segment: 'CONSUMER_LOAN', steps: [] })
  await night(bank, '2026-05-11')
  const episodes = await episodesOf(bank, { partyId: 'pty_ada' })
  expect(episodes.map(({ status, nextStep }) => [status, nextStep])).toEqual([
    ['OPEN', null],
    ['OPEN', null],
  ])
})
