// The guides, run as they are printed: their code is this test's code.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Kind, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeFixtures } from '../../host/fixtures.ts'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'
import { ada, aPlatform, eventually, theGraph, type Platform } from '../kit/platform.ts'
import { ABrowser } from '../oauth/browser.ts'

/** What is written in a language in a guide, at this platform's address. */
function blocksOf(guide: string, language: string, bank: Platform): string[] {
  const text = readFileSync(join(projectRoot, 'docs', guide), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
  const { host } = new URL(bank.url)
  return blocks
    .filter(([, named]) => named === language)
    .map(([, , block]) => block!.replaceAll(/127\.0\.0\.1:400[01]/g, host))
}

interface Step {
  query: string
  operationName: string
}

/** The operations of a guide, by name and in their order. */
function stepsOf(guide: string, bank: Platform): Step[] {
  return blocksOf(guide, 'graphql', bank).flatMap((query) =>
    parse(query).definitions.map((definition) => {
      const name = definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : null
      if (!name) throw new Error(`${guide} has an operation without a name.`)
      return { query, operationName: name }
    }),
  )
}

describe('from an empty bank to its first loan', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aPlatform('live')
  })
  afterAll(() => bank.stop())

  async function run({ query, operationName }: Step) {
    const token = bank.token(operationName === 'Decide' ? { subject: 'olga' } : {})
    const answer = await fetch(`${bank.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName, variables: { now: new Date().toISOString() } }),
    })
    const { data, errors } = (await answer.json()) as any
    if (errors) throw new Error(`${operationName}: ${JSON.stringify(errors)}`)
    return data
  }

  test('every step does what it says', async () => {
    const steps = stepsOf('open-a-bank.md', bank)
    const isDone: Record<string, (data: any) => boolean> = {
      Recommended: ({ loanApplication }) => loanApplication.status === 'IN_REVIEW',
      Lent: ({ loanApplication }) => loanApplication.facility?.state === 'ACTIVE',
    }
    const said: Record<string, any> = {}
    for (const step of steps) {
      const { operationName } = step
      said[operationName] = await eventually(async () => {
        const data = await run(step)
        return (isDone[operationName]?.(data) ?? true) && data
      })
    }
    expect(said['Recommended'].loanApplication.recommendation.outcome).toBe('APPROVE')
    expect(said['Decide'].recordCreditDecision.approvedTerms).toEqual({
      ratePct: '6.9',
      termMonths: 12,
    })
    const { loanApplication, accountArrangement, trialBalance } = said['Lent']
    expect(loanApplication).toMatchObject({ status: 'BOOKED', loanId: expect.any(String) })
    expect(loanApplication.facility.outstandingPrincipal.amount).toBe('6000.00')
    expect(loanApplication.facility.schedule).toHaveLength(12)
    expect(accountArrangement.balances[0].available).toBe('7200.00')
    expect(trialBalance.difference).toBe('0.00')
  })
})

describe('an integration over REST', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aPlatform('sandbox')
    await makeFixtures(await theGraph(), bank.bank)
  })
  afterAll(() => bank.stop())

  test('every command does what it says', async () => {
    const [register] = stepsOf('integrate-over-rest.md', bank)
    const { body } = await bank.graph(register!.query)
    const { secret: CLIENT_SECRET, client } = body.data.registerOAuthClient
    const { clientId: CLIENT_ID } = client
    const run = async (command: string, TOKEN = '') => {
      const env = { ...process.env, CLIENT_ID, CLIENT_SECRET, TOKEN }
      return (await promisify(execFile)('bash', ['-c', command], { env })).stdout
    }
    const [token, notify, fault, list] = blocksOf('integrate-over-rest.md', 'sh', bank) as string[]
    const { access_token: good, expires_in: seconds } = JSON.parse(await run(token!))
    expect(seconds).toBe(600)
    const first = await run(notify!, good)
    expect(first).toMatch(/^HTTP\/1.1 201/)
    const again = await run(notify!, good)
    expect(again).toMatch(/idempotent-replayed: true/i)
    expect(again.split('\r\n\r\n')[1]).toBe(first.split('\r\n\r\n')[1])
    expect(JSON.parse(await run(fault!, good))).toMatchObject({
      code: 'VALIDATION_FAILED',
      retryable: false,
      requestId: expect.any(String),
      errors: [{ pointer: '/channel' }],
    })
    const reused = fault!.replace('order-4712', 'order-4711').replace('"fax"', '"email"')
    expect(JSON.parse(await run(reused, good))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      status: 422,
    })
    const { items, pagination } = JSON.parse(await run(list!, good))
    expect(items).toHaveLength(2)
    const next = list!.replace('pageSize=2', `pageSize=2&pageToken=${pagination.nextPageToken}`)
    expect(JSON.parse(await run(next, good)).items).toHaveLength(2)
  })
})

describe('a web app on the graph', () => {
  let bank: Platform
  let app: any
  const file = join(projectRoot, '.cache', `guide-${process.pid}.mjs`)
  beforeAll(async () => {
    bank = await aPlatform('sandbox')
    await makeFixtures(await theGraph(), bank.bank)
    await mkdir(join(projectRoot, '.cache'), { recursive: true })
    await writeFile(file, blocksOf('build-a-web-app.md', 'js', bank).join('\n'))
    // Browsers have one; this runtime has it from its next version on.
    Object.assign(globalThis, { WebSocket })
    app = await import(/* @vite-ignore */ pathToFileURL(file).href)
  })
  afterAll(async () => {
    await bank.stop()
    await rm(file, { force: true })
  })

  async function loggedIn() {
    const verifier = 'a-verifier-of-forty-three-characters-or-more-0'
    const { username, password } = ada
    const login = await app.loginAddress(verifier)
    const pages: Record<string, string>[] = [{ username, password }, { decision: 'allow' }]
    const back = await new ABrowser().through(login, pages)
    return app.tokensFrom(back, verifier)
  }
  const step = (name: string) =>
    stepsOf('build-a-web-app.md', bank).find(({ operationName }) => operationName === name)!.query

  test('people log in, see what is theirs, and stay', async () => {
    const first = await loggedIn()
    const { access_token: token } = await app.renewed(first.refresh_token)
    const { me: party } = await app.ask(token, step('Home'))
    expect(party.displayName).toBe('Ada Lovelace')
    expect(party.accounts.map(({ arrangementId }: any) => arrangementId)).toEqual([
      'arr_ada_current',
      'arr_ada_savings',
    ])
    expect(party.accounts[0].transactions.nodes).toHaveLength(5)
    const others = await app.ask(token, '{ party(partyId: "pty_grace") { displayName } }')
    expect(others).toEqual({ party: null })
    await expect(app.renewed(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('money is sent once, and what is not there is not', async () => {
    const { access_token: token } = await loggedIn()
    const send = (amount: string, key: string) => app.ask(token, step('Send'), { amount }, key)
    const sent = await send('12.00', 'once')
    expect(sent.createTransfer.paymentId).toMatch(/^pay_/)
    expect(await send('12.00', 'once')).toEqual(sent)
    await expect(send('120000.00', 'never')).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      retryable: false,
    })
  })

  test('a listener misses nothing while the network is away', async () => {
    const { access_token: token } = await loggedIn()
    const heard: { type: string; position: string; subject: any }[] = []
    let asked = 0
    const freshToken = () => Promise.resolve((asked++, token))
    const socket = app.listen(freshToken, (event: any) => heard.push(event))
    const isHeard = (paymentId: string) =>
      eventually(() => heard.some(({ subject }) => subject?.paymentId === paymentId))
    const pay = async (key: string) =>
      (await app.ask(token, step('Send'), { amount: '1.00' }, key)).createTransfer.paymentId
    // What was told before it listened is not for it.
    let tries = 0
    await eventually(async () => {
      await pay(`try-${++tries}`)
      return heard.length > 0
    })
    socket.terminate()
    const away = await pay('away')
    await isHeard(away)
    expect(asked).toBe(2)
    const positions = heard.map(({ position }) => Number(position))
    expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other))
    await socket.dispose()
  })

  test('a page that loads and then listens hears of what it does not show', async () => {
    const { access_token: token } = await loggedIn()
    const socket = app.listen(
      () => Promise.resolve(token),
      () => undefined,
    )
    const changed: { type: string; subjectId: string }[] = []
    const listening = app.loadThenListen(token, step('Home'), {}, socket, (event: any) =>
      changed.push(event),
    )
    const { data, errors, stop } = await listening
    expect([data.me.displayName, errors]).toEqual(['Ada Lovelace', undefined])
    const sent = await app.ask(token, step('Send'), { amount: '1.00' }, 'after-the-page')
    const subjectId = `payment/${sent.createTransfer.paymentId}`
    await eventually(() => changed.some((event) => event.subjectId === subjectId))
    stop()
    await socket.dispose()
  })
})
