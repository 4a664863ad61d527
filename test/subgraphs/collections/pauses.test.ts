/** What holds the steps of an episode, how it ends, and steps that are rejected. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { aCustomer } from '../fees/fee-kit.ts'
import { aLentLoan, codeOf, drain as drainLending } from '../provisioning/kit.ts'
import {
  aCollectionsBank,
  aStrategy,
  aTemplate,
  codesOf,
  collect,
  episodesOf,
  night,
  officer,
  strategySteps,
  type CollectionsBank,
} from './kit.ts'

const due = '2026-04-10'
let bank: CollectionsBank
let facilityId: string
beforeAll(async () => {
  bank = await aCollectionsBank()
  await aStrategy(bank)
  facilityId = await aLentLoan(bank)
})
afterAll(() => bank.drop())

const episode = async () => (await episodesOf(bank, { facilityId }))[0]
const pausedFor = async () => {
  const { pauseReason, pausedUntil, nextStep } = await episode()
  return [pauseReason, pausedUntil, nextStep.on]
}

test('a promise to pay holds the steps through its last day', async () => {
  await night(bank, addDays(due, 5))
  const payBy = addDays(due, 16)
  await bank.act(
    `mutation ($input: CreatePromiseToPayInput!) { createPromiseToPay(input: $input) { status } }`,
    { input: { facilityId, amount: '50.00', payBy } },
  )
  await night(bank, addDays(due, 16))
  expect(await pausedFor()).toEqual(['PROMISE_TO_PAY', payBy, null])
  expect(codesOf(await episode())).toEqual(['reminder'])
  await night(bank, addDays(due, 17))
  await drainLending(bank, 'lending.settle-promises-to-pay')
  expect((await episode()).pauseReason).toBe(null)
  expect(codesOf(await episode())).toEqual(['reminder', 'second-reminder'])
})

test('a hardship request holds the steps until it is decided', async () => {
  const { createHardshipRequest } = await bank.act(
    `mutation ($input: CreateHardshipRequestInput!) { createHardshipRequest(input: $input) {
      hardshipRequestId } }`,
    { input: { loanId: facilityId, type: 'TERM_EXTENSION', reason: 'Unemployed' } },
  )
  await night(bank, addDays(due, 30))
  expect(await pausedFor()).toEqual(['HARDSHIP_REQUEST', null, null])
  await bank.act(
    `mutation ($id: ID!) { cancelHardshipRequest(hardshipRequestId: $id) { status } }`,
    { id: createHardshipRequest.hardshipRequestId },
  )
})

const dispute = async (partyId: string): Promise<string> => {
  const { openCase } = await bank.act(
    `mutation ($input: OpenCaseInput!) { openCase(input: $input) { caseId } }`,
    {
      input: {
        caseType: 'DISPUTE',
        title: 'Not my debt',
        partyId,
        subjects: [`facility/${facilityId}`],
      },
    },
    aCaller({ partyId }),
  )
  return openCase.caseId
}
const withdraw = (id: string) =>
  bank.act(`mutation ($id: ID!) { withdrawCase(caseId: $id) { status } }`, { id })

test('a dispute about the contract holds the steps until its case is resolved', async () => {
  for (let count = 0; count < 50; count++) await withdraw(await dispute('pty_ada'))
  const caseId = await dispute('pty_ada')
  await night(bank, addDays(due, 31))
  expect(await pausedFor()).toEqual(['DISPUTE', null, null])
  await withdraw(caseId)
  // The case of another customer that names the contract holds nothing.
  await aCustomer(bank, 'grace')
  await dispute('pty_grace')
  await night(bank, addDays(due, 32))
  expect(codesOf(await episode())).toEqual(['reminder', 'second-reminder', 'case'])
  const types = (await bank.events())
    .map(({ type }) => type)
    .filter((type) => /^collections\.episode\.(paused|resumed)$/.test(type))
    .map((type) => type.replace('collections.episode.', ''))
  expect(types).toEqual(['paused', 'resumed', 'paused', 'paused', 'resumed'])
})

test('a step that is rejected can be repeated once its cause is removed', async () => {
  const other = await aLentLoan(bank)
  const steps = [{ ...strategySteps[0], templateCode: 'arrears_none', fromDaysPastDue: 1 }]
  await aStrategy(bank, { effectiveFrom: '2026-06-01', steps })
  // Its first installment was due on 12 June.
  await night(bank, '2026-06-20')
  const [found] = await episodesOf(bank, { facilityId: other })
  const [step] = found.steps
  expect(step).toMatchObject({ code: 'reminder', state: 'FAILED', notification: null })
  expect(step.failureCode).toBe('TEMPLATE_NOT_FOUND')
  const retry = (id: string) =>
    bank.act(
      `mutation ($id: ID!) { it: retryCollectionsStep(collectionsStepId: $id) { state } }`,
      { id },
      officer,
    )
  const [row] = await bank.rows(
    "select collections_step_id as id from collections.step where state = 'failed'",
  )
  expect((await retry(row!['id'])).it.state).toBe('DUE')
  await collect(bank)
  expect((await episodesOf(bank, { facilityId: other }))[0].steps[0].state).toBe('FAILED')
  await aTemplate(bank, 'arrears_none')
  await night(bank, '2026-06-22')
  await retry(row!['id'])
  await collect(bank)
  expect((await episodesOf(bank, { facilityId: other }))[0].steps).toMatchObject([
    { state: 'TAKEN', failureCode: null, daysPastDue: 10, decidedOn: '2026-06-22' },
  ])
  expect(await codeOf(retry('csp_none'))).toBe('COLLECTIONS_STEP_NOT_FOUND')
  const [taken] = await bank.rows(
    "select collections_step_id as id from collections.step where state = 'taken'",
  )
  expect(await codeOf(retry(taken!['id']))).toBe('STATE_CONFLICT')
})

test('a case is escalated to a routing profile, and a step without a case fails', async () => {
  await bank.act(
    'mutation { createRoutingProfile(input: { routingProfileId: "rtp_legal", name: "Legal" }) { status } }',
  )
  const escalated = await aLentLoan(bank)
  const escalation = {
    code: 'escalation',
    fromDaysPastDue: 2,
    action: 'ESCALATE',
    routingProfileId: 'rtp_legal',
  }
  const openCase = { code: 'case', fromDaysPastDue: 1, action: 'OPEN_CASE' }
  await aStrategy(bank, { effectiveFrom: '2026-07-01', steps: [openCase, escalation] })
  await night(bank, '2026-07-25')
  const [found] = await episodesOf(bank, { facilityId: escalated })
  expect(codesOf(found)).toEqual(['case', 'escalation'])
  const { timeline } = (
    await bank.act('query ($id: ID!) { case(caseId: $id) { timeline { nodes { kind text } } } }', {
      id: found.case.caseId,
    })
  ).case
  expect(timeline.nodes).toContainEqual({ kind: 'SENT_TO_ROUTING', text: 'rtp_legal' })

  // The code of the letter is not taken again, so that no case is opened.
  const uncased = await aLentLoan(bank)
  const reminder = { ...strategySteps[0], fromDaysPastDue: 1 }
  await aStrategy(bank, { effectiveFrom: '2026-08-01', steps: [reminder] })
  await night(bank, '2026-08-26')
  const steps = [{ ...openCase, code: 'reminder' }, escalation]
  await aStrategy(bank, { effectiveFrom: '2026-08-27', steps })
  await night(bank, '2026-08-28')
  const [other] = await episodesOf(bank, { facilityId: uncased })
  expect(
    other.steps.map(({ code, state, failureCode }: any) => [code, state, failureCode]),
  ).toEqual([
    ['reminder', 'TAKEN', null],
    ['escalation', 'FAILED', 'COLLECTIONS_CASE_MISSING'],
  ])
})
