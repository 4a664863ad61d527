/** The metrics of the program at its private address, and their table in the documentation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { aCompletePlatform, queryGraph, type RunningPlatform } from './kit.ts'

const metricsToken = 'a token of the test'

let broker: Broker | null
let bank: RunningPlatform
let address: string
beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}/metrics`
  broker = hasBroker ? await aBroker() : null
  bank = await aCompletePlatform({
    METRICS_PORT: String(port),
    METRICS_TOKEN: metricsToken,
    ...(broker && { NATS_URL: broker.url }),
  })
})
afterAll(async () => {
  await bank?.stop()
  await broker?.stop()
})

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const response = await fetch(address, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

interface Family {
  type: string
  labels: Set<string>
}

/** The metrics in a Prometheus text, by name. */
function familiesIn(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    expect(families.has(name!)).toBe(false)
    families.set(name!, { type: type!, labels: new Set() })
  }
  for (const [, sample, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const family =
      families.get(sample!) ?? families.get(sample!.replace(/_(bucket|sum|count)$/, ''))
    for (const [, label] of (labels ?? '').matchAll(/(\w+)="/g)) family!.labels.add(label!)
  }
  return families
}

/** The value of a sample whose labels contain all of these texts. */
function valueOf(text: string, name: string, ...labels: string[]): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  const line = lines.find((each) => labels.every((label) => each.includes(label)))
  return Number(line?.split(' ').at(-1))
}

interface DocumentedMetric {
  type: string
  labels: string[]
  isOfBroker: boolean
}

function documentedMetrics(): Map<string, DocumentedMetric> {
  const page = readFileSync(join(projectRoot, 'docs/operate/metrics.md'), 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` +\| (\w+) +\|([^|]*)\|([^|]*)\|$/gm)
  return new Map(
    [...rows].map(([, name, type, labels, meaning]) => [
      name!,
      {
        type: type!,
        labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
        isOfBroker: meaning!.includes('only with `NATS_URL`'),
      },
    ]),
  )
}

const partyOf = (at: number) =>
  `mutation NameOfTheClient${at} { createParty(input: { partyId: "pty_${at}", kind: PERSON, givenName: "Canary${at}", familyName: "B" }) { partyId } }`

test('the table of the documentation lists exactly the metrics that are served, with their labels', async () => {
  for (const url of [bank.live, bank.sandbox]) {
    const environment = url === bank.live ? 'live' : 'sandbox'
    await queryGraph(`${url}/graphql`, bank.token({ environment }), { query: partyOf(1) })
  }
  const documented = documentedMetrics()
  const served = familiesIn(await metrics())
  const own = [...served].filter(([name]) => !/^(process|nodejs)_/.test(name))
  expect(documented.size).toBeGreaterThan(20)
  const expected = [...documented].filter(([, { isOfBroker }]) => broker !== null || !isOfBroker)
  expect(own.map(([name]) => name).sort()).toEqual(expected.map(([name]) => name).sort())
  for (const [name, { type, labels }] of own) {
    const expectedLabels = [...documented.get(name)!.labels, 'environment']
    if (type === 'histogram') expectedLabels.push('le')
    expect([name, type, [...labels].sort()]).toEqual([
      name,
      documented.get(name)!.type,
      expectedLabels.sort(),
    ])
  }
  expect([...served.keys()]).toEqual(
    expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']),
  )
})

test('measures requests by route, operations, commits and open subscriptions', async () => {
  const token = bank.token()
  await queryGraph(`${bank.live}/graphql`, token, { query: partyOf(2) }, { 'idempotency-key': 'k' })
  await queryGraph(`${bank.live}/graphql`, token, { query: partyOf(2) }, { 'idempotency-key': 'k' })
  await queryGraph(`${bank.live}/agreements?partyId=pty_2`, token)
  const client = createClient({
    url: `${bank.live.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  })
  client.subscribe(
    { query: 'subscription { businessEvents { position } }' },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  )
  const live = 'environment="live"'
  const subscriptions = async () =>
    valueOf(await metrics(), 'graphql_server_subscriptions_open', live, '"websocket"')
  await eventually(async () => (await subscriptions()) === 1)
  const text = await metrics()
  const requests = 'http_server_request_duration_seconds_count'
  expect(valueOf(text, requests, live, 'http_route="/agreements"', '"GET"', '"200"')).toBe(1)
  expect(valueOf(text, requests, live, 'http_route="/graphql"', '"POST"')).toBeGreaterThan(1)
  const operations = 'graphql_server_operation_duration_seconds_count'
  expect(valueOf(text, operations, live, '"mutation"', '"ok"')).toBeGreaterThan(1)
  const named = 'graphql_server_operations_total'
  expect(valueOf(text, named, live, 'graphql_operation_name="ListAgreements"')).toBe(1)
  expect(valueOf(text, named, live, '"mutation"', '"other"')).toBeGreaterThan(1)
  expect(valueOf(text, 'database_commit_duration_seconds_count', live, '"replayed"')).toBe(1)
  expect(valueOf(text, 'readiness_ready', live)).toBe(1)
  expect(valueOf(text, 'readiness_ready', 'environment="sandbox"')).toBe(1)
  await client.dispose()
  await eventually(async () => (await subscriptions()) === 0)
})

test('has no names, paths and methods that clients choose', async () => {
  const token = bank.token()
  for (let at = 0; at < 20; at++) {
    await fetch(`${bank.live}/no-such-path-${at}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await fetch(`${bank.live}/oauth/interaction/guess-${at}`)
  }
  await fetch(`${bank.live}/agreements`, { method: 'PURGE' })
  const text = await metrics()
  expect(text).not.toMatch(/no-such-path|guess-|PURGE|NameOfTheClient|Canary|pty_|test-client/)
  expect(text.split('\n').length).toBeLessThan(4000)
})

test('the private address needs its token, and serves nothing else', async () => {
  const status = async (init: RequestInit, url = address) => (await fetch(url, init)).status
  const headers = { authorization: `Bearer ${metricsToken}` }
  expect(await status({})).toBe(401)
  expect(await status({ headers: { authorization: `Bearer ${bank.token()}` } })).toBe(401)
  expect(await status({ headers, method: 'POST' })).toBe(405)
  expect(await status({ headers }, address.replace('metrics', 'graphql'))).toBe(404)
})

test('the address of an environment serves only its own metrics', async () => {
  const ofLive = async (scope: string) =>
    fetch(`${bank.live}/metrics`, { headers: { authorization: `Bearer ${bank.token({ scope })}` } })
  expect((await fetch(`${bank.live}/metrics`)).status).toBe(401)
  expect((await ofLive('parties:read')).status).toBe(403)
  const live = await (await ofLive('operations:read')).text()
  expect(live).toContain('environment="live"')
  expect(live).not.toContain('environment="sandbox"')
  const sandbox = await (await fetch(`${bank.sandbox}/metrics`)).text()
  expect(sandbox).not.toContain('environment="live"')
})
