import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  mutate,
  attaching,
  ada,
  bank,
  caseFields,
  caseIn,
  does,
  tryMutation,
  grace,
  openBank,
  opening,
  readCase,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Cases for a delegated user', () => {
  const asAda = { caller: ada }

  test('permits opening cases for their own party, with the types and members for customers', async () => {
    expect((await opening('partyId: "pty_ada"', asAda)).errors).toEqual([])
    for (const more of ['partyId: "pty_grace"', '']) {
      expect((await opening(more, asAda)).code).toBe('PARTY_NOT_FOUND')
    }
    for (const more of [
      'caseType: FRAUD, partyId: "pty_ada"',
      'caseType: CREDIT_REVIEW, partyId: "pty_ada"',
      'partyId: "pty_ada", routingProfileId: "rtp_retail"',
      'partyId: "pty_ada", priority: URGENT',
    ]) {
      expect((await opening(more, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
  })

  test('permits withdrawing and reopening, and denies all other actions', async () => {
    const open = await caseIn('open')
    for (const name of [
      'startCase',
      'waitForCustomer',
      'resumeCase',
      'resolveCase',
      'closeCase',
    ] as const) {
      expect((await does(name, open, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    expect((await does('withdrawCase', open, { caller: grace })).code).toBe('CASE_NOT_FOUND')
    expect((await does('withdrawCase', open, asAda)).errors).toEqual([])
    const resolved = await caseIn('resolved')
    expect((await does('reopenCase', resolved, { caller: grace })).code).toBe('CASE_NOT_FOUND')
    expect((await does('reopenCase', resolved, asAda)).errors).toEqual([])
    const assign = 'assignCase(caseId: $id, agentId: "agt_mary") { caseId }'
    expect((await tryMutation(assign, { id: resolved }, asAda)).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const link = 'linkCase(caseId: $id, subject: "loan/1") { caseId }'
    expect((await tryMutation(link, { id: resolved }, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
  })

  test('resumes a case that waits for them when they add a note', async () => {
    const id = await caseIn('waiting-for-customer')
    const note = (text: string, options = {}) =>
      tryMutation(`addCaseNote(caseId: $id, text: "${text}") { ${caseFields} }`, { id }, options)
    expect((await note('We asked.')).data.act.status).toBe('WAITING_FOR_CUSTOMER')
    const answered = (await note('On Monday.', asAda)).data.act
    expect(answered).toMatchObject({ status: 'IN_PROGRESS', clock: { isRunning: true } })
    expect((await eventsOf(`case/${id}`)).slice(-2)).toEqual([
      'casework.case.note-added',
      'casework.case.resumed',
    ])
    expect((await note('Again.', asAda)).data.act.status).toBe('IN_PROGRESS')
    expect((await note('Mine.', { caller: grace })).code).toBe('CASE_NOT_FOUND')
  })

  test('shows only shared timeline entries, with an author only where it is the party itself', async () => {
    const id = await caseIn('in-progress')
    await mutate('addCaseNote(caseId: $id, text: "Between us.") { caseId }', { id })
    await mutate('addCaseNote(caseId: $id, text: "For both.", isShared: true) { caseId }', { id })
    await mutate('addCaseNote(caseId: $id, text: "From me.") { caseId }', { id }, asAda)
    const nodesFor = async (options = {}) =>
      (await readCase(id, options)).data.case.timeline.nodes.map(({ text, kind, by }: any) => [
        kind,
        text,
        by,
      ])
    expect(await nodesFor()).toHaveLength(5)
    expect(await nodesFor(asAda)).toEqual([
      ['OPENED', null, null],
      ['STARTED', null, null],
      ['NOTE', 'For both.', null],
      ['NOTE', 'From me.', 'pty_ada'],
    ])
  })

  test('sends the events of internal notes and documents to the bank only', async () => {
    const id = await caseIn('in-progress')
    for (const isShared of [false, true]) {
      await mutate(`addCaseNote(caseId: $id, text: "A note.", isShared: ${isShared}) { caseId }`, {
        id,
      })
      expect((await attaching(`caseId: "${id}", isShared: ${isShared}`)).errors).toEqual([])
    }
    const events = (await bank.events()).filter(({ subject }) => subject === `case/${id}`)
    expect(events.slice(-4).map(({ type, parties }) => [type, parties])).toEqual([
      ['casework.case.note-added', []],
      ['casework.case.document-attached', []],
      ['casework.case.note-added', ['pty_ada']],
      ['casework.case.document-attached', ['pty_ada']],
    ])
  })

  test('shows only their own cases that are not confidential, by id, in lists and as entities', async () => {
    const mine = await caseIn('open')
    const secret = (await opening('caseType: FRAUD, partyId: "pty_ada"')).data.act.caseId
    expect((await readCase(mine, asAda)).errors).toEqual([])
    expectAbsent(await readCase(mine, { caller: grace }))
    expectAbsent(await readCase(secret, asAda))
    expect((await does('withdrawCase', secret, asAda)).code).toBe('CASE_NOT_FOUND')
    const list =
      'query ($partyId: ID) { cases(partyId: $partyId, first: 200) { nodes { caseId partyId } } }'
    const ids = async (options: object, partyId?: string) =>
      (await bank.execute(list, { partyId }, options)).data.cases.nodes.map(
        ({ caseId }: any) => caseId,
      )
    expect(await ids(asAda)).toContain(mine)
    expect(await ids(asAda)).not.toContain(secret)
    expect(await ids({}, 'pty_ada')).toContain(secret)
    expect(await ids({ caller: grace })).toEqual([])
    expect(await ids({ caller: grace }, 'pty_ada')).toEqual([])
    const entities = `query ($keys: [_Any!]!) { _entities(representations: $keys) {
      ... on Case { status } ... on Party { cases { nodes { caseId } } } } }`
    const keys = [
      { __typename: 'Case', caseId: mine },
      { __typename: 'Case', caseId: secret },
      { __typename: 'Party', partyId: 'pty_ada' },
    ]
    const seen = async (caller: typeof ada) =>
      (await bank.execute(entities, { keys }, { caller })).data._entities
    expect(await seen(grace)).toEqual([null, null, { cases: { nodes: [] } }])
    expect((await seen(ada)).slice(0, 2)).toEqual([{ status: 'OPEN' }, null])
    expect((await seen(aCaller())).slice(0, 2)).toEqual([{ status: 'OPEN' }, { status: 'OPEN' }])
    const events = (await bank.events()).filter(({ subject }) => subject === `case/${secret}`)
    expect(events.map(({ parties }) => parties)).toEqual([[]])
    const caller = aCaller({ scopes: ['parties:read'] })
    const refused = await bank.execute(entities, { keys }, { caller })
    expect(refused.errors.map(({ extensions }) => extensions!['code'])).toEqual(
      Array(3).fill('INSUFFICIENT_SCOPE'),
    )
  })
})

test('denies a delegated user to withdraw or reopen a case type that only staff may open', async () => {
  const asAda = { caller: ada }
  for (const caseType of ['KYC_REVIEW', 'CREDIT_REVIEW']) {
    const { caseId } = (await opening(`caseType: ${caseType}, partyId: "pty_ada"`)).data.act
    expect((await readCase(caseId, asAda)).errors).toEqual([])
    expect((await does('withdrawCase', caseId, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    for (const name of ['startCase', 'resolveCase'] as const) await does(name, caseId)
    expect((await does('reopenCase', caseId, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await does('reopenCase', caseId)).errors).toEqual([])
  }
})

test('updates the published fact of a waiting case when a document answers it', async () => {
  const id = await caseIn('waiting-for-customer')
  expect(await bank.fact(`case/${id}`)).toMatchObject({ status: 'waiting-for-customer' })
  await attaching(`caseId: "${id}"`, { caller: ada })
  expect(await bank.fact(`case/${id}`)).toMatchObject({ status: 'in-progress' })
})
