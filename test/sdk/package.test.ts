/** The package as a program gets it: packed, installed without the repository, and compiled strictly. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

const run = promisify(execFile)
const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-package-'))
  await run(process.execPath, ['scripts/build-sdk.mjs'], { cwd: projectRoot })
  const sdk = join(projectRoot, 'sdk')
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: sdk,
  })
  const installed = join(folder, 'node_modules/@bankgraph/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', installed, '--strip-components=1'])
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Compiles the programs with the strictest settings, and with the declarations of the package.
 * Returns the errors.
 */
async function compile(programs: readonly string[]): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: [],
  }
  const files = programs.map((_, index) => `program${index}.ts`)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  for (const [index, program] of programs.entries()) {
    await writeFile(join(folder, files[index]!), client + program)
  }
  const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout.split('\n').filter((line) => line !== '')
}

const client = `
import { createBankClient, clientCredentials, BankProblem, verifyWebhook } from '@bankgraph/client'
const bank = createBankClient({
  url: 'https://bank.example',
  tokens: clientCredentials({ issuer: 'https://bank.example', clientId: 'shop', clientSecret: 'x' }),
})
`

const program = `
const amount = { amount: '12.50', currency: 'EUR' }
const posting = await bank.createPostingInstruction(
  { debtorArrangementId: 'a', creditorArrangementId: 'b', amount },
  { idempotencyKey: 'order-4711' },
)
const id: string = posting.postingInstructionId
for await (const agreement of bank.listAgreements({ partyId: 'pty_ada' })) console.log(agreement.agreementId)
for await (const event of bank.events({ types: ['lending.*'] })) console.log(event.position, id)
const { party } = await bank.graph<{ party: { displayName: string } | null }, { id: string }>(
  'query ($id: ID!) { party(partyId: $id) { displayName } }', { id: 'pty_ada' })
console.log(party?.displayName)
const event = await verifyWebhook({ body: '', headers: {}, secret: '' })
console.log(event.type)
const privateKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd', kid: 'k' }
const bound = { issuer: 'https://bank.example', clientId: 'shop', privateKey, dpop: true } as const
void createBankClient({ url: 'https://bank.example', tokens: clientCredentials(bound) })
try { await bank.openAccount({ customerId: 'c', productId: 'p' }) }
catch (error) { if (error instanceof BankProblem && error.code === 'KYC_INCOMPLETE') console.log(error.errors[0]?.pointer) }
declare const console: { log(...values: unknown[]): void }
`

const mistakes = [
  [
    'a misspelled member',
    `bank.createNotification({ partyID: 'p', channel: 'email', templateCode: 't' })`,
  ],
  ['a missing member', `bank.createNotification({ channel: 'email', templateCode: 't' })`],
  [
    'an unknown value',
    `bank.createNotification({ partyId: 'p', channel: 'fax', templateCode: 't' })`,
  ],
  [
    'a misspelled operation',
    `bank.createNotificaton({ partyId: 'p', channel: 'email', templateCode: 't' })`,
  ],
  ['a misspelled filter', `bank.listAgreements({ party: 'p' })`],
  ['an amount that is a number', `bank.createDrawdown('fac_ada', { amount: 12.5 })`],
]

test('a program compiles strictly without further packages, and one with a mistake does not', async () => {
  const errors = await compile([program, ...mistakes.map(([, call]) => `void ${call}`)])
  const files = errors.map(
    (error) => /^program(\d+)\.ts\(\d+,\d+\): error TS2\d+: /.exec(error)?.[1],
  )
  // Each mistake is found, and nothing else; a message may have more lines.
  const found = [...new Set(files.filter((file) => file !== undefined))].map(Number)
  expect(found, errors.join('\n')).toEqual(mistakes.map((_, index) => index + 1))
  expect(errors.filter((error) => !/^(program[1-9]|\s)/.test(error))).toEqual([])
}, 120_000)

describe('The code of the guides', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  /** Runs the JavaScript of a guide as printed, block by block. Returns what each block prints. */
  async function outputs(guide: string): Promise<string[]> {
    const text = await readFile(join(projectRoot, 'docs', guide), 'utf8')
    const host = new URL(bank.url).host
    const blocks = [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) =>
      block!.replaceAll('127.0.0.1:4001', host),
    )
    const { clientId, clientSecret } = bank.credentials
    const env = {
      PATH: process.env['PATH'],
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    }
    const printed: string[] = []
    for (const [index, block] of blocks.entries()) {
      const name = index === 0 ? 'bank.js' : `block${index}.mjs`
      await writeFile(join(folder, name), block)
      // A server runs until it is ended.
      if (block.includes('.listen(')) continue
      const { stdout } = await run(process.execPath, [name], { cwd: folder, env, timeout: 30_000 })
      printed.push(stdout.trim())
    }
    return printed
  }

  test('five minutes with the SDK', async () => {
    const [client, call, errors, lists, graph, events] = await outputs(
      'five-minutes-with-the-sdk.md',
    )
    expect(client).toBe('')
    expect(call).toMatch(/^accepted \S+$/)
    // The key names what the call intends: nothing moves again.
    expect((await outputs('five-minutes-with-the-sdk.md'))[1]).toBe(call)
    expect(errors).toMatch(/^400 VALIDATION_FAILED \/channel \S+$/)
    expect(lists!.split('\n')).toEqual([
      '2 true',
      'agr_ada_1 active',
      expect.any(String),
      expect.any(String),
    ])
    expect(graph).toBe('Ada Lovelace 2')
    expect(events).toMatch(/^\d+ notifications\.\S+ \S+\/\S+$/)
  })

  test('from cURL to production', async () => {
    const [first, attempts, bound] = await outputs('from-curl-to-production.md')
    expect(first).toMatch(/^\S+$/)
    expect(attempts).toContain('status: 401')
    expect(attempts).toMatch(/TOKEN_INVALID$/)
    expect(bound).toBe('bound 1')
    const [again] = await outputs('from-curl-to-production.md')
    expect(again).toBe(first)
  })

  test('errors you will meet', async () => {
    const [refusal] = await outputs('errors-you-will-meet.md')
    expect(refusal).toMatch(/^not enough money \S+$/)
  })
})

test('the modules and the command run without further packages', async () => {
  const program = `import { createBankClient, fixedToken } from '@bankgraph/client'
import { fileKeyStore } from '@bankgraph/client/node'
console.log(typeof createBankClient, typeof fixedToken, typeof fileKeyStore)`
  await writeFile(join(folder, 'program.mjs'), program)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder })
  expect(stdout.trim()).toBe('function function function')
  const bin = join(folder, 'node_modules/@bankgraph/client/dist/bankgraph.js')
  const licenses = join(folder, 'node_modules/@bankgraph/client/dist/LICENSES.txt')
  for (const name of ['commander', 'eventsource-parser', 'graphql', 'graphql-ws', 'oauth4webapi']) {
    expect(await readFile(licenses, 'utf8')).toMatch(new RegExp(`^${name}$`, 'm'))
  }
  const help = await run(process.execPath, [bin, '--help'], { cwd: folder })
  expect(help.stdout).toContain('doctor')
})
