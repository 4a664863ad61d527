/** Letters of collections that are stored or sent again after a crash or a failure. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../../subgraphs/collections/domain/problems.ts'
import {
  SendCollectionsLetterDocument,
  StoreCollectionsLetterDocument,
} from '../../../subgraphs/collections/queries.generated.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { findStepsToRetry } from '../../../subgraphs/collections/store/episode.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { intercept } from '../lending/rate-reset-letter-kit.ts'
import { aLentLoan, codeOf } from '../provisioning/kit.ts'
import {
  aCollectionsBank,
  aStrategy,
  collect,
  drain,
  episodesOf,
  night,
  officer,
  strategySteps,
  type CollectionsBank,
} from './kit.ts'

let bank: CollectionsBank
const loans: string[] = []
beforeAll(async () => {
  bank = await aCollectionsBank()
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  await aStrategy(bank, { steps: [strategySteps[0], strategySteps[1]] })
  for (let index = 0; index < 3; index++) loans.push(await aLentLoan(bank))
})
afterAll(() => bank.drop())

const stepOf = async (facilityId: string, index: number) =>
  (await episodesOf(bank, { facilityId }))[0].steps[index]
const stepsAt = (index: number) => Promise.all(loans.map((id) => stepOf(id, index)))
const retryAll = (args = '', caller = officer) =>
  bank.act(`mutation { it: retryCollectionsSteps${args} { retried hasMore } }`, {}, caller)

test('a letter is recorded with its document if the party is renamed before it is recorded', async () => {
  const restore = intercept(bank, StoreCollectionsLetterDocument, async (store) => {
    await store()
    throw new Error('killed')
  })
  await night(bank, '2026-04-17')
  restore()
  expect(await stepsAt(0)).toMatchObject(loans.map(() => ({ documentState: 'WANTED' })))
  await bank.act(
    'mutation { updateParty(input: { partyId: "pty_ada", familyName: "King" }) { partyId } }',
  )
  await drain(bank, 'collections.store-remaining-letters')
  expect(await stepsAt(0)).toMatchObject(
    loans.map(() => ({ documentState: 'STORED', failureCode: null, document: { isShared: true } })),
  )
})

test('letters that are rejected are sent again at once', async () => {
  const restore = intercept(bank, SendCollectionsLetterDocument, () =>
    Promise.reject(new Problem('TEMPLATE_NOT_FOUND')),
  )
  await night(bank, '2026-04-28')
  // A step that fails again comes after the others.
  const toRetry = async (take: number) =>
    (await findStepsToRetry(bankContext(bank.bank), null, take)).map(
      ({ collectionsStepId }) => collectionsStepId,
    )
  const [first, ...others] = await toRetry(3)
  bank.clock.advance(1000)
  await bank.act(
    'mutation ($id: ID!) { retryCollectionsStep(collectionsStepId: $id) { state } }',
    { id: first },
    officer,
  )
  await collect(bank)
  expect(await toRetry(2)).toEqual(others)
  restore()
  expect(await stepsAt(1)).toMatchObject(loans.map(() => ({ state: 'FAILED' })))
  expect(await codeOf(retryAll('', aCaller({ partyId: 'pty_ada' })))).toBe(
    'NOT_FOR_DELEGATED_USERS',
  )
  expect((await retryAll('(failureCode: "PARTY_NOT_FOUND")')).it.retried).toBe(0)
  expect((await retryAll()).it).toEqual({ retried: 3, hasMore: false })
  expect((await retryAll()).it).toEqual({ retried: 0, hasMore: false })
  const refuse = intercept(bank, StoreCollectionsLetterDocument, () =>
    Promise.reject(new Problem('RESOURCE_EXISTS')),
  )
  await collect(bank)
  refuse()
  expect(await stepsAt(1)).toMatchObject(
    loans.map(() => ({ state: 'TAKEN', documentState: 'REFUSED', failureCode: 'RESOURCE_EXISTS' })),
  )
})

test('documents that are refused are stored again, and no letter is sent again', async () => {
  const sent = async () =>
    (await bank.rows('select count(*)::int as count from notifications.notification'))[0]!['count']
  const before = await sent()
  const [{ id }] = (await bank.rows(
    "select collections_step_id as id from collections.step where document_state = 'refused' limit 1",
  )) as [{ id: string }]
  const { it } = await bank.act(
    'mutation ($id: ID!) { it: retryCollectionsStep(collectionsStepId: $id) { documentState } }',
    { id },
    officer,
  )
  expect(it.documentState).toBe('WANTED')
  expect((await retryAll('(failureCode: "RESOURCE_EXISTS")')).it.retried).toBe(2)
  await drain(bank, 'collections.store-remaining-letters')
  expect(await stepsAt(1)).toMatchObject(
    loans.map(() => ({ state: 'TAKEN', documentState: 'STORED', failureCode: null })),
  )
  expect(await sent()).toBe(before)
})
