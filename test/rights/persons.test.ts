/**
 * Machine clients stay machines: what a person must answer for rejects them, unless their owner has
 * registered them to act for the owner. And nobody decides on what the same person proposed, by
 * whatever clients and sessions.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { everyScope, isDelegable } from '../../kernel/domain/scopes.ts'
import { routes } from '../../rest-facade/routes.ts'
import { unique } from '../contract/kit.ts'
import { theGraph } from '../kit/platform.ts'
import { machineMutations } from './machine-mutations.ts'
import { onePersonMutations } from './one-person.ts'
import { documentFor, graphOperations, type GraphOperation } from './operations.ts'
import { actorsOf, aBankOfPersons, type Actor, type PersonsBank } from './persons-kit.ts'
import { secondPersonDecisions } from './second-person.ts'

const { apiSchema, supergraph } = await theGraph()
const mutations = graphOperations(apiSchema, supergraph).filter(({ type }) => type === 'mutation')
const personMutations = mutations.filter(({ needsPerson }) => needsPerson)
const namesOf = (operations: readonly { name: string }[]) =>
  operations.map(({ name }) => name).toSorted()

let kit: PersonsBank
beforeAll(async () => {
  kit = await aBankOfPersons()
})
afterAll(() => kit.bank.stop())

describe('the classification', () => {
  test('has every mutation once: either a machine may call it or a person must', () => {
    const machines = Object.values(machineMutations).join(' ').trim().split(/\s+/)
    const declared = mutations.filter(({ needsPerson }) => !needsPerson)
    expect(machines.toSorted()).toEqual(namesOf(declared))
    expect(personMutations.length).toBeGreaterThan(40)
  })

  test('requires a person for no documented operation', () => {
    const documented = routes.map(({ operation }) => {
      const [definition] = operation.definitions as OperationDefinitionNode[]
      const [field] = definition!.selectionSet.selections
      if (field?.kind !== Kind.FIELD) throw new Error('The operation has no field.')
      return (field as FieldNode).name.value
    })
    expect(documented).toHaveLength(21)
    expect(personMutations.filter(({ name }) => documented.includes(name))).toEqual([])
  })

  test('is tried here completely', () => {
    const tried = [...onePersonMutations(kit.bank), ...secondPersonDecisions(kit.bank)]
    const names = tried.map(({ mutation }) => mutation)
    // Whoever decides on credit may be a client; the four-eyes rule applies to it all the same.
    const expected = [...namesOf(personMutations), 'recordCreditDecision']
    expect(names.toSorted()).toEqual(expected.toSorted())
  })

  test('is on the security page', () => {
    const page = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8')
    const section = page.split('## What needs a person')[1]!.split('\n## ')[0]!
    const named = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
    expect(named.toSorted()).toEqual(namesOf(personMutations))
  })
})

/** Calls an operation with sample values for its arguments. */
const sample = (operation: GraphOperation) => documentFor(operation, '__typename')

describe('a client that acts for itself', () => {
  const machines = [
    'a-machine',
    'pia-program',
    'choir-program',
    'uma-program',
    'leaver-speaker',
  ] as const

  test.each(machines)(
    '%s gets an error that says what to do where a person is required',
    async (actor) => {
      for (const operation of personMutations) {
        const { query, variables } = sample(operation)
        const { code, detail } = await kit.send(actor, query, variables)
        expect([operation.name, code]).toEqual([operation.name, 'PERSON_REQUIRED'])
        expect(detail).toMatch(/Repeat the request with the token of a person who logged in/)
      }
    },
  )

  test.each([
    ['Auth0', { sub: 'shop@clients' }],
    ['Keycloak', { sub: '0f0fd0a4-3c1d-4b5e', preferred_username: 'service-account-shop' }],
  ])('is no person either with a token in the form of %s', async (_, claims) => {
    const token = kit.bank.forge({ client_id: 'shop', jti: unique('jti'), ...claims })
    const query = 'mutation { setAssistKillSwitch(scope: "model:x", isOn: true) { isOn } }'
    const { body } = await kit.bank.graph(query, {}, { token })
    expect(body.errors[0].extensions.code).toBe('PERSON_REQUIRED')
  })

  test('is never rejected for want of a person elsewhere, with all scopes or with the one', async () => {
    for (const operation of mutations.filter(({ needsPerson }) => !needsPerson)) {
      const { query, variables } = sample(operation)
      for (const scopes of [everyScope, operation.scope ? [operation.scope] : []]) {
        const token = kit.bank.token({ clientId: 'a-machine', scopes })
        const { body } = await kit.bank.graph(query, variables, { token })
        const code = body.errors?.[0].extensions.code
        const isWrong = ['PERSON_REQUIRED', 'INSUFFICIENT_SCOPE', 'INTERNAL'].includes(code)
        expect([operation.name, code, isWrong]).toEqual([operation.name, code, false])
      }
    }
  })

  test('is rejected for its scope first, so that it learns nothing about people', async () => {
    for (const operation of personMutations) {
      const { query, variables } = sample(operation)
      const scopes = everyScope.filter((scope) => scope !== operation.scope)
      const token = kit.bank.token({ clientId: 'pia-speaker', scopes })
      const { body } = await kit.bank.graph(query, variables, { token })
      const { code, scope } = body.errors[0].extensions
      expect([operation.name, code, scope]).toEqual([
        operation.name,
        'INSUFFICIENT_SCOPE',
        operation.scope,
      ])
    }
  })

  test('records a documented credit decision, in its own name or of a person for whom it acts', async () => {
    const { prepare } = secondPersonDecisions(kit.bank).find(
      ({ mutation }) => mutation === 'recordCreditDecision',
    )!
    const own = await kit.send('a-machine', await prepare(kit.act('olga')))
    expect(own.code).toBeUndefined()
    expect(await actorsOf(kit.bank, own.requestId, 'recordCreditDecision')).toEqual(['a-machine'])
    const document = await prepare(kit.act('olga'))
    const named = document.replace('outcome:', 'decidedBy: "hans", outcome:')
    expect((await kit.send('a-machine', named)).code).toBe('CANNOT_ACT_FOR')
    expect((await kit.send('choir-program', named)).code).toBeUndefined()
  })
})

test('what needs a person is not for customers either', async () => {
  const token = kit.bank.token({ partyId: 'pty_ada' })
  for (const operation of personMutations) {
    const { query, variables } = sample(operation)
    const { body } = await kit.bank.graph(query, variables, { token })
    const { code } = body.errors[0].extensions
    const expected = isDelegable(operation.scope!)
      ? 'NOT_FOR_DELEGATED_USERS'
      : 'INSUFFICIENT_SCOPE'
    expect([operation.name, code]).toEqual([operation.name, expected])
  }
})

describe('what needs a person', () => {
  test.each(namesOf(personMutations))(
    '%s is done and recorded in the name of a person',
    async (name) => {
      const one = onePersonMutations(kit.bank).find(({ mutation }) => mutation === name)
      const two = secondPersonDecisions(kit.bank).find(({ mutation }) => mutation === name)
      const { prepare } = (one ?? two)!
      for (const [actor, person] of [
        ['hans', 'hans'],
        ['pia-speaker', 'pia'],
      ] as const) {
        await expectDone(name, actor, await prepare(kit.act(one ? person : 'olga')), person)
      }
    },
  )
})

/** Sends a mutation, and expects that it succeeds and that its events name the person. */
async function expectDone(mutation: string, actor: Actor, document: string, person: string) {
  const { code, detail, requestId } = await kit.send(actor, document)
  expect([mutation, code, detail]).toEqual([mutation, undefined, undefined])
  const actors = await actorsOf(kit.bank, requestId, mutation)
  expect([mutation, actors]).toEqual([mutation, [person]])
}

/** The decisions whose proposal needs a person as well. */
const needPersonTwice = [
  'approveEmployee',
  'approveOAuthClient',
  'issueEmployeeLogInCode',
  'publishAssistantVersion',
  'reopenAccountingPeriod',
]

describe.each(['pia', 'pia-program', 'pia-speaker'] as const)('what %s proposed', (proposer) => {
  test('is decided by nobody behind whom Pia is, but by another person', async () => {
    for (const { mutation, prepare } of secondPersonDecisions(kit.bank)) {
      if (proposer === 'pia-program' && needPersonTwice.includes(mutation)) {
        await expect(prepare(kit.act(proposer)), mutation).rejects.toThrow(/PERSON_REQUIRED/)
        continue
      }
      const decision = await prepare(kit.act(proposer))
      for (const actor of [
        'pia',
        'pia in another app',
        'pia in another session',
        'pia-speaker',
      ] as const) {
        const { code } = await kit.send(actor, decision)
        expect([mutation, actor, code]).toEqual([mutation, actor, 'SEGREGATION_OF_DUTIES'])
      }
      const { code, detail } = await kit.send('olga', decision)
      expect([mutation, code, detail]).toEqual([mutation, undefined, undefined])
    }
  })
})

test('a credit decision is refused to the person who submitted, whatever client records it', async () => {
  const { prepare } = secondPersonDecisions(kit.bank).find(
    ({ mutation }) => mutation === 'recordCreditDecision',
  )!
  for (const submitter of ['pia', 'pia-program', 'pia-speaker'] as const) {
    const decision = await prepare(kit.act(submitter))
    const named = decision.replace('outcome:', 'decidedBy: "pia", outcome:')
    for (const [actor, document] of [
      ['pia-program', decision],
      ['pia-speaker', decision],
      ['pia-speaker', named],
      ['choir-program', decision],
      ['choir-program', named],
      ['uma-program', named],
    ] as const) {
      const { code } = await kit.send(actor, document)
      expect([submitter, actor, code]).toEqual([submitter, actor, 'SEGREGATION_OF_DUTIES'])
    }
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
    ['pia-speaker', 'pia-program'],
    ['pia', 'pia-speaker'],
    ['uma', 'uma-program'],
  ] as const) {
    const { code } = await kit.send(actor, grant(decider))
    expect([actor, decider, code]).toEqual([actor, decider, 'SEGREGATION_OF_DUTIES'])
  }
})

test('nobody else can make a client speak for a person, nor get the secret of one that does', async () => {
  const change = 'changeOAuthClient(input: { clientId: "pia-program", actsFor: ["uma"] })'
  await kit.act('uma')(`mutation { ${change} { clientId } }`)
  await kit.act('olga')('mutation { approveOAuthClient(clientId: "pia-program") { clientId } }')
  const suspended = 'mutation { setAssistKillSwitch(scope: "model:x", isOn: true) { isOn } }'
  expect((await kit.send('pia-program', suspended)).code).toBe('PERSON_REQUIRED')
  for (const actor of ['uma', 'pia-program', 'uma-program'] as const) {
    const rotate = 'mutation { rotateOAuthClientSecret(clientId: "pia-speaker") { secret } }'
    const code = actor === 'uma' ? 'SEGREGATION_OF_DUTIES' : 'PERSON_REQUIRED'
    expect((await kit.send(actor, rotate)).code).toBe(code)
  }
})
