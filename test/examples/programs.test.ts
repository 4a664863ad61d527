/** The examples that run without a browser, and what they do in the bank. */
import { randomUUID } from 'node:crypto'
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signWebhook } from '../../sdk/src/index.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { crashAt, examplesFor, type Examples } from './kit.ts'

let bank: Platform
let examples: Examples
beforeAll(async () => {
  bank = await aSeededPlatform()
  examples = await examplesFor(bank)
}, 120_000)
afterAll(async () => {
  await examples.stop()
  await bank.stop()
})

async function read(query: string): Promise<any> {
  const { body } = await bank.graph(query)
  expect(body.errors).toBeUndefined()
  return body.data
}

test('an unknown example is answered with the names of all', async () => {
  const example = examples.start('shop')
  expect(await example.ended).toBe(1)
  expect(example.output().trim()).toBe(
    'Name an example: cells, credit-bot, customer-app, ledger-export, web-shop, webhook-receiver.',
  )
})

describe('The webhook receiver', () => {
  test('stores each event once, whatever is delivered, and goes on after a crash', async () => {
    const port = await freePort()
    const inbox = join(examples.folder, 'inbox')
    const env = { PORT: String(port), INBOX_FOLDER: inbox }
    // A crash at the first start leaves nothing half registered.
    const first = examples.start('webhook-receiver', { ...env, ...crashAt('parties.*') })
    expect(await first.ended).not.toBe(0)
    const receiver = examples.start('webhook-receiver', env)
    await receiver.prints('Receiving')
    await bank.rest('POST', '/v1/posting-instructions', {
      debtorArrangementId: 'arr_ada_current',
      creditorArrangementId: 'arr_ada_savings',
      amount: '1.00',
    })
    await receiver.prints('payments.posting-instruction.accepted')

    const { secret } = JSON.parse(await readFile(join(inbox, 'endpoint.json'), 'utf8'))
    const send = async (key: string, id: string, subject = 'party/pty_x') => {
      const event = { specversion: '1.0', id, type: 'parties.x', subject, position: '999' }
      const body = JSON.stringify(event)
      const headers = await signWebhook({ id, body, secret: key })
      return (await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body, headers }))
        .status
    }
    expect(await send(`whsec_${Buffer.alloc(24).toString('base64')}`, 'evt_forged')).toBe(400)
    expect(await Promise.all(['evt_1', 'evt_1', '../evt_2'].map((id) => send(secret, id)))).toEqual(
      [204, 204, 204],
    )
    await receiver.prints('parties.x')
    await eventually(async () => (await readdir(join(inbox, 'new'))).length === 0)
    const processed = await readdir(join(inbox, 'processed'))
    expect(processed).toEqual(expect.arrayContaining(['evt_1.json', '..%2Fevt_2.json']))
    expect(processed).not.toContain('evt_forged.json')
    expect(receiver.output().match(/parties\.x/g)).toHaveLength(2)

    // An event that was stored and not processed, as after a crash.
    await receiver.stop('SIGKILL')
    const event = { id: 'evt_3', type: 'parties.y', subject: 'party/pty_y', position: '1000' }
    await writeFile(join(inbox, 'new', 'evt_3.json'), JSON.stringify(event))
    const again = examples.start('webhook-receiver', env)
    await again.prints('parties.y')
    expect(await send(secret, 'evt_1')).toBe(204)
    expect(again.output()).not.toContain('parties.x')
  })
})

describe('The ledger export', () => {
  /** A day of the sample data on which money moved. */
  async function aDay(): Promise<{ day: string; entries: any[] }> {
    const { accountArrangement } = await read(
      '{ accountArrangement(arrangementId: "arr_ada_current") { entries(first: 1) { nodes { bookedAt } } } }',
    )
    const day = accountArrangement.entries.nodes[0].bookedAt.slice(0, 10)
    const { accountArrangements } = await read(`{ accountArrangements(first: 100) { nodes {
      statement(from: "${day}", to: "${day}") { entries { entryId amount side } } } } }`)
    const entries = accountArrangements.nodes.flatMap(({ statement }: any) => statement.entries)
    return { day, entries }
  }

  test('has every entry of a day once, also if it was interrupted', async () => {
    const { day, entries } = await aDay()
    expect(entries.length).toBeGreaterThan(0)
    const env = { EXPORT_FOLDER: examples.folder }
    const path = join(examples.folder, `ledger-${day}.csv`)
    const run = async (variables: Record<string, string> = env) => {
      const example = examples.start('ledger-export', variables, day)
      return { code: await example.ended, output: example.output() }
    }

    // Killed when the second of three pages has arrived, and again before the comparison.
    const pages = { ...env, PAGE_SIZE: '1' }
    expect((await run({ ...pages, ...crashAt('AccountsOfDay:2') })).code).not.toBe(0)
    const checkpoint = JSON.parse(await readFile(`${path}.checkpoint`, 'utf8'))
    expect(checkpoint).toMatchObject({ isComplete: false, cursor: expect.any(String) })
    await appendFile(`${path}.part`, 'half a r')
    expect((await run({ ...pages, ...crashAt('Turnover') })).code).not.toBe(0)

    const done = await run()
    expect(done, done.output).toMatchObject({ code: 0 })
    expect(done.output).toContain(`has ${entries.length} entries`)
    const text = await readFile(path, 'utf8')
    const rows = text.trimEnd().split('\r\n').slice(1)
    const idOf = (row: string) => row.split(',')[3]!
    expect(rows).toHaveLength(entries.length)
    expect(new Set(rows.map(idOf))).toEqual(new Set(entries.map(({ entryId }) => entryId)))
    expect(await readdir(examples.folder)).not.toContain(`ledger-${day}.csv.part`)

    expect(await run()).toMatchObject({
      code: 0,
      output: expect.stringContaining('exists already'),
    })
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('does not export a day that is not over', async () => {
    const example = examples.start('ledger-export', {}, new Date().toISOString().slice(0, 10))
    expect(await example.ended).toBe(1)
    expect(example.output()).toContain('is not over yet')
  })
})

describe('The credit bot', () => {
  test('adds one note to the case of an application, and decides nothing', async () => {
    const { body } = await bank.graph(
      'mutation { startCreditReview(applicationId: "app_submitted") { status } }',
      {},
      { key: randomUUID() },
    )
    expect(body.data).toEqual({ startCreditReview: { status: 'IN_REVIEW' } })
    const application = () =>
      read(`{ loanApplication(applicationId: "app_submitted") {
        status decisions { decisionId } case { timeline { nodes { kind text isShared } } } } }`)
    const notes = async () => {
      const { loanApplication } = await application()
      const entries = loanApplication.case?.timeline.nodes ?? []
      return entries.filter(({ text }: any) => text?.includes('Prepared by a program'))
    }
    const position = join(examples.folder, 'position')
    const bot = examples.start('credit-bot', { POSITION_FILE: position })
    await bot.prints('Prepared by a program')
    expect(await notes()).toMatchObject([
      { isShared: false, text: expect.stringContaining('Requested: 12000.00 EUR over 12 months.') },
    ])
    await eventually(() => readFile(position, 'utf8').catch(() => null))

    // The bot dies after the note and before it stores the position.
    await bot.stop('SIGKILL')
    await rm(position)
    const dying = examples.start('credit-bot', {
      POSITION_FILE: position,
      ...crashAt('addCaseNote'),
    })
    expect(await dying.ended).not.toBe(0)
    const again = examples.start('credit-bot', { POSITION_FILE: position })
    await again.prints('Prepared by a program')
    expect(await notes()).toHaveLength(1)
    const { loanApplication } = await application()
    expect(loanApplication).toMatchObject({ status: 'IN_REVIEW', decisions: [] })
  })
})

// The last one, because it moves the clock of the bank.
test('The ledger export exports yesterday by the clock of the bank', async () => {
  const to = new Date(bank.bank.now().getTime() + 40 * 86_400_000)
  const { body } = await bank.graph('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', {
    to: to.toISOString(),
  })
  expect(body.errors).toBeUndefined()
  const example = examples.start('ledger-export', { EXPORT_FOLDER: examples.folder })
  expect(await example.ended, example.output()).toBe(0)
  const yesterday = new Date(bank.bank.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  expect(example.output()).toContain(`ledger-${yesterday}.csv has `)
})
