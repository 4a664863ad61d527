// The check of the contracts (`npm run drift`): what breaks a client of the released copies fails it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contractVersions } from '../../kernel/domain/contract-versions.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import type { Change, Exemption } from '../../scripts/contracts/change.ts'
import { changesBetween, versionsOf, type Contracts } from '../../scripts/contracts/contracts.ts'
import { faultsOf, section, unchangedVersions } from '../../scripts/contracts/report.ts'

const read = (name: string) => readFileSync(join(projectRoot, 'contracts/released', name), 'utf8')
const released: Contracts = {
  graph: read('schema.graphql'),
  rest: JSON.parse(read('openapi.json')),
  events: JSON.parse(read('asyncapi.json')),
}
const versions = versionsOf(released)

/** Returns the changes after one text of the schema was replaced. */
async function graphWith(text: string | RegExp, replacement: string): Promise<Change[]> {
  const graph = released.graph.replace(text, replacement)
  expect(graph).not.toBe(released.graph)
  return changesBetween(released, { ...released, graph })
}

/** Returns the changes after a JSON contract was changed. */
async function jsonWith(name: 'rest' | 'events', change: (document: any) => void) {
  const document = structuredClone(released[name])
  change(document)
  return changesBetween(released, { ...released, [name]: document })
}
const restWith = (change: (document: any) => void) => jsonWith('rest', change)
const eventsWith = (change: (document: any) => void) => jsonWith('events', change)

const faults = (changes: Change[], exemptions: Exemption[] = [], current = versions) =>
  faultsOf(changes, exemptions, versions, current)

const openAccount = (document: any) => document.components.schemas.OpenAccountRequest
const account = (document: any) => document.components.schemas.Account
const accountsGet = (document: any) => document.paths['/accounts'].get
const firstEvent = (document: any) =>
  document.components.messages['parties.party.created'].payload.allOf[1].properties.data

const breaking: [string, () => Promise<Change[]>, string][] = [
  [
    'a removed field',
    () => graphWith('  displayName: String', '  otherName: String'),
    'displayName',
  ],
  [
    'a newly required argument',
    () => graphWith(/^( {2}party)\(([^)]*)\): Party$/m, '$1($2, because: String!): Party'),
    'because',
  ],
  [
    'a removed value of an enumeration',
    () => graphWith(/^ {2}ORGANIZATION$/m, '  COMPANY'),
    'ORGANIZATION',
  ],
  [
    'a field of another type',
    () => graphWith('  displayName: String', '  displayName: Int'),
    'displayName',
  ],
  [
    'a removed operation',
    () => restWith(({ paths }) => delete paths['/fee-runs']),
    'GET /fee-runs',
  ],
  [
    'a removed member of a response',
    () => restWith((document) => delete account(document).properties.productId),
    '`productId` of the response of `POST /accounts`',
  ],
  [
    'a member of a response that can now be omitted',
    () => restWith((document) => account(document)['x-never-omitted'].pop()),
    'can now be omitted',
  ],
  [
    'a member of a response that has another type',
    () => restWith((document) => (account(document).properties.productId.type = 'integer')),
    'changed from `string` to `integer`',
  ],
  [
    'a newly required member of a request',
    () => restWith((document) => openAccount(document).required.push('nickname')),
    'is now required',
  ],
  [
    'a removed member of a request',
    () => restWith((document) => delete openAccount(document).properties.productId),
    '`productId` of the request of `POST /accounts`',
  ],
  [
    'a shorter text in a request',
    () => restWith((document) => (openAccount(document).properties.productId.maxLength = 8)),
    '`maxLength`',
  ],
  [
    'a removed value in a request',
    () =>
      restWith(({ components }) =>
        components.schemas.CreateNotificationRequest.properties.channel.enum.pop(),
      ),
    'secure-message',
  ],
  [
    'a newly required parameter',
    () => restWith((document) => (accountsGet(document).parameters[0].required = true)),
    '`customerId` of `GET /accounts` is now required',
  ],
  [
    'a removed parameter',
    () => restWith((document) => accountsGet(document).parameters.shift()),
    '`customerId` of `GET /accounts` was removed',
  ],
  [
    'another scope',
    () => restWith((document) => (accountsGet(document).security[1].oauth2 = ['parties:read'])),
    'scope',
  ],
  [
    'a problem with another status',
    () =>
      restWith(({ components }) => {
        components.schemas.Problem['x-problem-codes'].LIMIT_EXCEEDED = 400
      }),
    'LIMIT_EXCEEDED',
  ],
  [
    'a removed event type',
    () => eventsWith(({ channels }) => delete channels['parties.party.created']),
    '`parties.party.created` was removed',
  ],
  [
    'a removed member of an event',
    () => eventsWith((document) => delete firstEvent(document).properties.partyId),
    '`data/partyId` of the event `parties.party.created` was removed',
  ],
  [
    'a removed member of all events',
    () => eventsWith(({ components }) => delete components.schemas.CloudEvent.properties.position),
    '`position` of the schema `CloudEvent`',
  ],
]

describe('The check fails for', () => {
  test.each(breaking)('%s', async (_name, change, expected) => {
    const changes = await change()
    const found = faults(changes)
    expect(found.join('\n')).toContain(expected)
    expect(found.join('\n')).toContain('breaks clients of 1.0.0')
  })

  test('an exemption that has no change or no reason', async () => {
    const exemption: Exemption = { contract: 'rest', change: 'Nothing.', reason: '' }
    expect(faults([], [exemption])).toEqual([
      expect.stringContaining('has no change'),
      expect.stringContaining('has no reason'),
    ])
  })
})

const compatible: [string, () => Promise<Change[]>][] = [
  [
    'a new field',
    () => graphWith('  displayName: String', '  nick: String\n  displayName: String'),
  ],
  [
    'a new member of a response',
    () => restWith((d) => (account(d).properties.nick = { type: 'string' })),
  ],
  [
    'a new member of a request',
    () => restWith((d) => (openAccount(d).properties.nick = { type: 'string' })),
  ],
  [
    'a longer text in a request',
    () => restWith((d) => delete openAccount(d).properties.productId.maxLength),
  ],
  [
    'a new problem',
    () => restWith((d) => (d.components.schemas.Problem['x-problem-codes'].NEW = 409)),
  ],
  [
    'a new event type',
    () =>
      eventsWith(
        (d) => (d.channels['parties.party.renamed'] = d.channels['parties.party.created']),
      ),
  ],
]

describe('The check accepts', () => {
  test.each(compatible)('%s, and the changelog lists it', async (_name, change) => {
    const changes = await change()
    expect(changes.length).toBeGreaterThan(0)
    expect(faults(changes)).toEqual([])
    const text = section('Unreleased', changes, [], versions, versions)
    expect(text).toContain(changes[0]!.message)
    expect(text).not.toContain('Breaking')
    expect(unchangedVersions(changes, versions, versions)).toEqual([changes[0]!.contract])
  })

  test('a breaking change with a new major version or with an explanation', async () => {
    const changes = await restWith(({ paths }) => delete paths['/fee-runs'])
    const next = { ...versions, rest: '2.0.0' }
    expect(faults(changes, [], next)).toEqual([])
    expect(faults(changes, [], { ...versions, rest: '1.1.0' })).toHaveLength(1)
    expect(faults(changes, [], { ...versions, graph: '2.0.0' })).toHaveLength(1)
    const reason = 'No client uses it.'
    const exemptions: Exemption[] = [{ contract: 'rest', change: changes[0]!.message, reason }]
    expect(faults(changes, exemptions)).toEqual([])
    const text = section('Unreleased', changes, exemptions, versions, next)
    expect(text).toContain('### REST 1.0.0 → 2.0.0')
    expect(text).toContain(`- **Breaking.** ${changes[0]!.message} Accepted: ${reason}`)
  })

  test('other descriptions, without a change', async () => {
    const rest = (await restWith((document) => (account(document).description = 'x'))).length
    expect(rest).toBe(0)
    expect(await graphWith('"""The ID of the customer."""', '"""The ID."""')).toEqual([])
  })
})

test('the contracts carry their versions, and the committed changelog fits', () => {
  const current: Contracts = {
    ...released,
    graph: readFileSync(join(projectRoot, 'gateway/schema.graphql'), 'utf8'),
    rest: JSON.parse(readFileSync(join(projectRoot, 'sdk/openapi.json'), 'utf8')),
  }
  const { graph, rest } = versionsOf(current)
  expect({ graph, rest }).toEqual({ graph: contractVersions.graph, rest: contractVersions.rest })
  const tsx = join(projectRoot, 'node_modules/.bin/tsx')
  execFileSync(tsx, ['scripts/write-contracts.ts', '--check'], { cwd: projectRoot })
}, 60_000)
