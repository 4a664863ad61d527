import { execFile } from 'node:child_process'
import { sign, verify, createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signingJwksOf } from '../../host/live-keys.ts'
import { rotateKey } from '../../host/rotate-key.ts'
import { loadSecrets, writeCredentials } from '../../host/secrets.ts'
import { sandboxStaff } from '../../host/staff.ts'
import { StaffRole } from '../../subgraphs/staff/model/employee.ts'

let home: string
let dataDir: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'bankgraph-host-'))
  dataDir = join(home, 'data')
})

afterEach(() => rm(home, { recursive: true }))

test('creates secrets once, separate for live and sandbox, readable by their owner only', async () => {
  const made = await loadSecrets(dataDir)
  expect(await loadSecrets(dataDir)).toEqual(made)
  expect(made.live.clientSecret).not.toBe(made.sandbox.clientSecret)
  expect(made.live.signingJwk.d).not.toBe(made.sandbox.signingJwk.d)
  expect(made.live.pageKeys.keys[made.live.pageKeys.current]).toHaveLength(32)
  const key = createPrivateKey({ key: made.live.signingJwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from('x'), key)
  expect(verify('sha256', Buffer.from('x'), createPublicKey(key), signature)).toBe(true)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('writes credentials with the current URLs, readable by their owner only', async () => {
  const secrets = await loadSecrets(dataDir)
  const path = join(dataDir, 'credentials.json')
  const urls = { liveUrl: 'http://127.0.0.1:4000', sandboxUrl: 'http://127.0.0.1:5001' }
  await writeCredentials(dataDir, secrets, urls, ['https://app.example'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const { clientId, clientSecret, parties } = secrets.sandbox
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    live: {
      clientId: 'bankgraph-live',
      clientSecret: secrets.live.clientSecret,
      tokenEndpoint: 'http://127.0.0.1:4000/oauth/token',
    },
    sandbox: {
      clientId,
      clientSecret,
      parties,
      tokenEndpoint: 'http://127.0.0.1:5001/oauth/token',
      webClient: {
        client_id: 'bankgraph-web',
        redirect_uris: ['https://app.example/callback'],
      },
      commandLineClient: {
        client_id: 'bankgraph-command-line',
        redirect_uris: ['http://127.0.0.1/callback'],
      },
      staff: sandboxStaff(secrets.sandbox.cookieKey),
    },
  })
  await writeCredentials(dataDir, secrets, { ...urls, sandboxUrl: null }, [])
  expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual(['live'])
})

test('the sandbox has one employee for each role, with a password of the installation', () => {
  const staff = sandboxStaff('one secret')
  expect(staff.flatMap(({ roles }) => roles).toSorted()).toEqual(StaffRole.values.toSorted())
  expect(new Set(staff.map(({ password }) => password)).size).toBe(staff.length)
  expect(staff.every(({ password }) => password.length === 16)).toBe(true)
  expect(sandboxStaff('one secret')).toEqual(staff)
  expect(sandboxStaff('another secret')[0]!.password).not.toBe(staff[0]!.password)
})

test.each([
  ['truncated', (text: string) => text.slice(0, 100)],
  ['empty', () => ''],
  ['an object without the expected members', () => '{"live":{}}'],
  [
    'without its current page key',
    (text: string) => text.replace('"current": "p1"', '"current": "p2"'),
  ],
])('rejects a secrets file that is %s and leaves it as it is', async (_, damage) => {
  await loadSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  const damaged = damage(await readFile(path, 'utf8'))
  await writeFile(path, damaged)
  await expect(loadSecrets(dataDir)).rejects.toThrow(path)
  expect(await readFile(path, 'utf8')).toBe(damaged)
})

test('rotations at the same moment lose no key, and a lock of an ended process is no obstacle', async () => {
  const before = await loadSecrets(dataDir)
  await writeFile(join(dataDir, 'secrets.json.lock'), JSON.stringify([1, 'an earlier process']))
  const rotations = Array.from({ length: 8 }, () => rotateKey(dataDir, 'live', 'root'))
  await Promise.all([...rotations, rotateKey(dataDir, 'live', 'client')])
  const { live } = await loadSecrets(dataDir)
  const former = live.formerCookieKeys!.map(({ key }) => key)
  expect(new Set([live.cookieKey, ...former]).size).toBe(9)
  expect(former.at(-1)).toBe(before.live.cookieKey)
  expect(live.formerClientSecret!.secret).toBe(before.live.clientSecret)
  await expect(stat(join(dataDir, 'secrets.json.lock'))).rejects.toThrow('ENOENT')
})

test('programs that rotate at the same moment lose no key', async () => {
  const before = await loadSecrets(dataDir)
  await Promise.all(
    ['root', 'root', 'root', 'signing'].map((key) =>
      promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', 'scripts/rotate-keys.ts', '--env', 'live', '--key', key],
        { env: { ...process.env, DATA_DIR: dataDir } },
      ),
    ),
  )
  const { live } = await loadSecrets(dataDir)
  const former = live.formerCookieKeys!.map(({ key }) => key)
  expect(new Set([live.cookieKey, ...former]).size).toBe(4)
  expect(former.at(-1)).toBe(before.live.cookieKey)
  expect(live.formerJwks!.map(({ kid }) => kid)).toEqual([before.live.signingJwk.kid])
}, 30_000)

test('signs with the new key after a rotation, keeps the last three, and changes nothing else', async () => {
  const before = await loadSecrets(dataDir)
  const made: string[] = [before.live.signingJwk.kid]
  for (let turn = 0; turn < 4; turn++) {
    await rotateKey(dataDir, 'live', 'signing')
    made.unshift((await loadSecrets(dataDir)).live.signingJwk.kid)
  }
  const after = await loadSecrets(dataDir)
  const inTwoMinutes = new Date(Date.now() + 120_000)
  expect(signingJwksOf(after.live, inTwoMinutes).map(({ kid }) => kid)).toEqual(made.slice(0, 4))
  expect(after.sandbox).toEqual(before.sandbox)
  expect({ ...after.live, signingJwk: null, formerJwks: null }).toEqual({
    ...before.live,
    signingJwk: null,
    formerJwks: null,
  })
})
