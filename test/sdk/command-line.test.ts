/** The command `bankgraph`, as a person or a script runs it. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import type { Platform } from '../kit/platform.ts'

let bank: Platform
let folder: string
beforeAll(async () => {
  bank = await aSeededPlatform()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-command-'))
  await writeFile(join(folder, 'credentials.json'), JSON.stringify({ sandbox: bank.credentials }))
})
afterAll(async () => {
  await bank.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Ran {
  code: number
  out: string
  notes: string
}

/** Runs the command with the credentials of the folder, and with an own folder of saved log-ins. */
function run(
  args: string[],
  { input = '', env = {} as Record<string, string> } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'sdk/cli/bankgraph.ts', ...args],
      {
        cwd: projectRoot,
        env: { PATH: process.env['PATH'], DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...env },
      },
      (error, out, notes) => resolve({ code: Number(error?.code ?? 0), out, notes }),
    )
    child.stdin!.end(input)
  })
}

test('sends documented requests, and explains a rejection', async () => {
  const got = await run(['get', '/agreements', '-q', 'pageSize=1', '--json'])
  expect([got.code, JSON.parse(got.out).items]).toMatchObject([0, [{ agreementId: 'agr_ada_1' }]])
  const members = [
    'partyId=pty_ada',
    'channel=sms',
    'templateCode=tpl_welcome',
    'personalization.name=Ada',
  ]
  const body = members.flatMap((each) => ['-s', each])
  const posts = await Promise.all(
    [1, 2].map(() => run(['post', '/notifications', ...body, '-k', 'cli-1', '--json'])),
  )
  const ids = posts.map(({ out }) => JSON.parse(out).notificationId)
  expect(ids[0]).toBe(ids[1])
  const rejected = await run(['post', '/notifications', '-d', '-'], {
    input: '{"partyId":"pty_ada","channel":"fax"}',
  })
  expect(rejected.code).toBe(1)
  expect(rejected.notes).toContain('400 VALIDATION_FAILED')
  expect(rejected.notes).toMatch(/\/channel .*Allowed: email, sms/)
  const asJson = await run(['post', '/notifications', '-s', 'channel=fax', '--json'])
  expect(JSON.parse(asJson.notes.trim().split('\n').at(-1)!)).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
})

test('sends documents from arguments, files and standard input', async () => {
  const document = 'query ($id: ID!) { party(partyId: $id) { displayName } }'
  const file = join(folder, 'party.graphql')
  await writeFile(file, document)
  for (const [given, input] of [
    [document, ''],
    [file, ''],
    ['-', document],
  ] as const) {
    const { code, out } = await run(['query', given, '-s', 'id=pty_ada', '--json'], { input })
    expect([code, JSON.parse(out)]).toEqual([0, { party: { displayName: 'Ada Lovelace' } }])
  }
  const missing = await run(['query', 'nowhere.graphql'])
  expect([missing.code, missing.notes]).toEqual([1, expect.stringContaining('cannot be read')])
})

test('a trigger takes data, and says which it knows', async () => {
  const { code, out } = await run([
    'events',
    'trigger',
    'parties.party.created',
    '--set',
    'givenName=Zoe',
    '--set',
    'id=pty_zoe',
  ])
  expect([code, JSON.parse(out)]).toEqual([0, { createParty: { partyId: 'pty_zoe' } }])
  const { body } = await bank.graph('{ party(partyId: "pty_zoe") { displayName } }')
  expect(body.data.party.displayName).toBe('Zoe Test')
  const unknown = await run(['events', 'trigger', 'parties.party.created', '--set', 'age=3'])
  expect([unknown.code, unknown.notes]).toEqual([1, expect.stringContaining('givenName')])
})

test('moves the clock and waits for the work that is due', async () => {
  const now = async () =>
    Date.parse((await bank.graph('{ environment { now } }')).body.data.environment.now)
  const before = await now()
  const { code, out } = await run(['clock', 'advance', '2d'])
  expect([code, out]).toEqual([0, expect.stringContaining('all work that was due is done')])
  expect((await now()) - before).toBeGreaterThanOrEqual(2 * 86_400_000)
  const dayAfter = (days: number) =>
    new Date(bank.bank.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const dates = [['date'], ['date', '9d'], ['date', '--ago', '9d']]
  const printed = await Promise.all(dates.map((each) => run(['clock', ...each])))
  expect(printed.map(({ out: date }) => date)).toEqual(
    [0, 9, -9].map((days) => `${dayAfter(days)}\n`),
  )
  const time = Date.parse((await run(['clock', 'now'])).out.trim())
  expect(Math.abs(time - bank.bank.now().getTime())).toBeLessThan(60_000)
})

describe('A saved log-in', () => {
  test('is used until it is forgotten, and only its owner can read it', async () => {
    const { clientId, clientSecret } = bank.credentials
    const options = ['--url', `${bank.url}/v1`, '--client-id', clientId, '--env', 'shop']
    const saved = await run(['login', ...options], { input: `${clientSecret}\n` })
    expect([saved.code, saved.out]).toEqual([0, ''])
    expect(saved.notes).not.toContain(clientSecret)
    const path = join(folder, 'bankgraph', 'profiles.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toContain(clientSecret)
    const nowhere = { DATA_DIR: join(folder, 'nowhere') }
    const token = await run(['token', '--env', 'shop'], { env: nowhere })
    expect(token.out).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect((await run(['logout', '--env', 'shop'])).code).toBe(0)
    const gone = await run(['token', '--env', 'shop'], { env: nowhere })
    expect([gone.code, gone.notes]).toEqual([1, expect.stringContaining('bankgraph login')])
  })

  test('comes from the folder of a bank on this machine, and is printed for an .env file', async () => {
    const bankFolder = join(folder, 'bank')
    await mkdir(join(bankFolder, '.data'), { recursive: true })
    const credentials = JSON.stringify({ sandbox: bank.credentials })
    await writeFile(join(bankFolder, '.data/credentials.json'), credentials)
    const env = { DATA_DIR: join(folder, 'nowhere'), XDG_CONFIG_HOME: join(folder, 'other') }
    expect((await run(['login', '--bank', bankFolder], { env })).code).toBe(0)
    const { clientId, clientSecret } = bank.credentials
    expect((await run(['credentials'], { env })).out).toBe(
      `BANK_URL=${bank.url}/v1\nCLIENT_ID=${clientId}\nCLIENT_SECRET=${clientSecret}\n`,
    )
    const empty = await run(['login', '--bank', folder], { env })
    expect([empty.code, empty.notes]).toEqual([1, expect.stringContaining('npm start')])
  })

  test.each([
    ['without options', [], 'Give --bank'],
    ['to no bank', ['--url', 'http://127.0.0.1:2/v1', '--client-id', 'a'], 'ECONNREFUSED'],
  ])('%s is explained', async (_, options, text) => {
    const { code, notes } = await run(['login', ...options], { input: 'secret' })
    expect([code, notes]).toEqual([1, expect.stringContaining(text)])
    expect(notes).not.toContain('    at ')
  })

  test('whose URL lacks /v1 is explained', async () => {
    const { clientId, clientSecret } = bank.credentials
    const options = ['--url', bank.url, '--client-id', clientId]
    const { code, notes } = await run(['login', ...options], { input: clientSecret })
    expect([code, notes]).toEqual([1, expect.stringContaining('ends with /v1')])
  })

  test('with a wrong secret is refused, and nothing is saved', async () => {
    const options = ['--url', `${bank.url}/v1`, '--client-id', 'nobody']
    const { code, notes } = await run(['login', ...options], { input: 'wrong' })
    expect(code).toBe(1)
    expect(notes).not.toContain('    at ')
    await expect(stat(join(folder, 'bankgraph', 'profiles.json'))).rejects.toThrow('ENOENT')
  })
})

test('prints the requests of the program, with masked bodies', async () => {
  const body = [
    '-s',
    'partyId=pty_ada',
    '-s',
    'channel=fax',
    '-s',
    'templateCode=tpl_welcome',
    '-s',
    'personalization.name=Secret',
  ]
  await run(['post', '/notifications', ...body])
  const { code, out } = await run(['logs', 'tail', '--rejected', '--bodies', '--count', '1'])
  expect(code).toBe(0)
  expect(out).toMatch(
    /400 VALIDATION_FAILED POST \/v1\/notifications createNotification \d+ ms \S+\n/,
  )
  expect(out).toContain('"channel":"fax"')
  expect(out).not.toContain('Secret')
  // More requests than one page has, between two looks: none is missing, and each comes once.
  const token = bank.token({ clientId: 'burst' })
  const ids = Array.from({ length: 120 }, (_, index) => `request-${index}`)
  const looks = async () => {
    const look = "select from kernel.request_log where operation = 'LoggedRequests'"
    return (await bank.bank.pool.query(look)).rowCount!
  }
  // The look of the command above is logged a moment after its response.
  await eventually(async () => (await looks()) > 0)
  const before = await looks()
  const tail = run(['logs', 'tail', '--client', 'burst', '--count', '120', '--json'])
  await eventually(async () => (await looks()) > before)
  for (const id of ids) {
    const headers = { 'x-request-id': id }
    await bank.rest('GET', '/v1/agreements?pageSize=1', undefined, { token, headers })
  }
  const lines = (await tail).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).requestId)
  expect(lines).toEqual(ids)
})

test('prints the logged requests that there are and stops, also if there are fewer', async () => {
  const token = bank.token({ clientId: 'quiet' })
  const headers = { 'x-request-id': 'request-of-quiet' }
  await bank.rest('GET', '/v1/agreements?pageSize=1', undefined, { token, headers })
  const tail = ['logs', 'tail', '--client', 'quiet', '--no-follow', '--count', '9', '--json']
  const found = await eventually(async () => (await run(tail)).out)
  expect(JSON.parse(found).requestId).toBe('request-of-quiet')
  const { code, notes } = await run(['logs', 'tail', '--count', 'many'])
  expect([code, notes]).toEqual([1, expect.stringContaining('--count must be a number')])
})

test('doctor finds what is wrong, and says what to do', async () => {
  const good = await run(['doctor', '--json'])
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject([
    { check: 'Node', isGood: true },
    { check: 'credentials', isGood: true },
    { check: 'bank', isGood: true },
    { check: 'clock', isGood: true },
    { check: 'token', isGood: true },
    { check: 'operations', isGood: true },
  ])
  const { clientId, clientSecret } = bank.credentials
  const atRoot = await run(['doctor'], {
    env: {
      BANKGRAPH_URL: bank.url,
      BANKGRAPH_CLIENT_ID: clientId,
      BANKGRAPH_CLIENT_SECRET: clientSecret,
    },
  })
  expect([atRoot.code, atRoot.out]).toEqual([1, expect.stringContaining('ends with /v1')])
  const closed = { BANKGRAPH_URL: 'http://127.0.0.1:1/v1', BANKGRAPH_TOKEN: 'none' }
  const dead = await run(['doctor'], { env: closed })
  expect([dead.code, dead.out]).toEqual([1, expect.stringContaining('does not answer')])
  const wrong = {
    BANKGRAPH_URL: `${bank.url}/v1`,
    BANKGRAPH_CLIENT_ID: 'nobody',
    BANKGRAPH_CLIENT_SECRET: 'x',
  }
  const refused = await run(['doctor'], { env: wrong })
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('bankgraph login')])
})

test('completes commands in bash', async () => {
  const { out } = await run(['completion', 'bash'])
  const script = `${out}\nCOMP_WORDS=(bankgraph events t); COMP_CWORD=2; _bankgraph; echo "\${COMPREPLY[@]}"`
  const shell = spawn('bash', ['-c', script])
  let words = ''
  shell.stdout.on('data', (chunk: Buffer) => (words += String(chunk)))
  await new Promise((resolve) => shell.on('close', resolve))
  expect(words.trim()).toBe('tail trigger')
})
