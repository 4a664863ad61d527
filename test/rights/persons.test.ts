/**
 * Decisions that need a person: a client that acts for itself makes none of them, and no person
 * decides on what the same person proposed, by whatever clients and sessions.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { theGraph } from '../kit/platform.ts'
import { documentFor, graphOperations, type GraphOperation } from './operations.ts'
import { aBankOfPersons, rulesOf } from './persons-kit.ts'

let kit: Awaited<ReturnType<typeof aBankOfPersons>>
let decisions: GraphOperation[]
beforeAll(async () => {
  kit = await aBankOfPersons()
  const { supergraph } = await theGraph()
  decisions = graphOperations(kit.bank.schema, supergraph).filter((each) => each.needsPerson)
})
afterAll(() => kit.bank.stop())

const codeOf = (body: any): string | undefined => body.errors?.[0].extensions.code

/** Calls an operation with sample values for its arguments. */
async function codeFor(operation: GraphOperation, token: string): Promise<string | undefined> {
  const { query, variables } = documentFor(operation, '__typename')
  return codeOf((await kit.bank.graph(query, variables, { token })).body)
}

test('each decision is on the security page, and the page names no other', () => {
  const page = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8')
  const [, section] = page.split('## Decisions that need a person')
  const rows = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.map((row) => /^\| `(\w+)`/.exec(row)![1]!)
  expect(named.toSorted()).toEqual(decisions.map(({ name }) => name).toSorted())
  expect(decisions.length).toBeGreaterThan(14)
})

test('a client that acts for itself makes no decision, and is told why', async () => {
  for (const clientId of ['a-machine', 'pia-program', 'choir-speaker']) {
    const token = kit.bank.token({ clientId })
    for (const decision of decisions) {
      const code = await codeFor(decision, token)
      // A sample of this input names a person, for whom the client is not registered.
      const isNamed = decision.name === 'recordCreditDecision' && code === 'CANNOT_ACT_FOR'
      if (!isNamed)
        expect([clientId, decision.name, code]).toEqual([
          clientId,
          decision.name,
          'PERSON_REQUIRED',
        ])
    }
  }
})

test('a person, and a client that speaks for exactly one, are not rejected as machines', async () => {
  for (const token of [
    kit.bank.token({ subject: 'pia' }),
    kit.bank.token({ clientId: 'pia-speaker' }),
  ]) {
    for (const decision of decisions) {
      const code = await codeFor(decision, token)
      expect([decision.name, code]).not.toEqual([decision.name, 'PERSON_REQUIRED'])
    }
  }
})

test('what a client decides for its person is recorded in the name of the person', async () => {
  const [approve] = rulesOf(kit.bank)
  const document = await approve!.propose(kit.act('olga'))
  const [, templateId] = /"(tpl_\w+)"/.exec(document)!
  await kit.act('pia-speaker')(document)
  const { notificationTemplate } = await kit.act('olga')(
    `{ notificationTemplate(templateId: "${templateId}") { approval { approvedBy } } }`,
  )
  expect(notificationTemplate.approval).toEqual({ approvedBy: 'pia' })
})

test('every rule of four eyes in the code is tried here', () => {
  const tried = new Set([...rulesOf(kit.bank).map(({ mutation }) => mutation), 'approveToolCall'])
  // An approved loss has the rule of a rejected one; an authority has no proposal.
  const others = ['approveFacilityLoss', 'grantCreditAuthority']
  const untried = decisions.filter(({ name }) => !tried.has(name) && !others.includes(name))
  expect(untried.map(({ name }) => name)).toEqual([])
})

describe.each(['pia', 'pia-program', 'pia-speaker'] as const)('what %s proposed', (proposer) => {
  test('is decided by nobody behind whom Pia is, but by another person', async () => {
    for (const { mutation, propose } of rulesOf(kit.bank)) {
      const decision = await propose(kit.act(proposer))
      const same = ['pia in another app', 'pia in another session', 'pia-speaker'] as const
      for (const actor of [...same, ...(proposer === 'pia-speaker' ? (['uma'] as const) : [])]) {
        const code = codeOf(await kit.as(actor, decision))
        expect([mutation, actor, code]).toEqual([mutation, actor, 'SEGREGATION_OF_DUTIES'])
      }
      const { errors } = await kit.as('olga', decision)
      expect([mutation, errors]).toEqual([mutation, undefined])
    }
  })
})

test('what uma proposed, her client does not decide in the name of Pia', async () => {
  for (const { mutation, propose } of rulesOf(kit.bank)) {
    const decision = await propose(kit.act('uma'))
    expect([mutation, codeOf(await kit.as('pia-speaker', decision))]).toEqual([
      mutation,
      'SEGREGATION_OF_DUTIES',
    ])
    expect([mutation, (await kit.as('olga', decision)).errors]).toEqual([mutation, undefined])
  }
})

test('nobody grants credit authority to themselves, by whatever client', async () => {
  const grant = (decider: string) =>
    `mutation { grantCreditAuthority(decider: "${decider}", limit: { amount: "1.00", currency: "EUR" })
      { decider } }`
  for (const [actor, decider] of [
    ['pia', 'pia'],
    ['pia in another app', 'pia-program'],
    ['pia-speaker', 'pia'],
    ['pia', 'pia-speaker'],
    ['uma', 'pia-speaker'],
  ] as const) {
    expect(codeOf(await kit.as(actor, grant(decider)))).toBe('SEGREGATION_OF_DUTIES')
  }
})
