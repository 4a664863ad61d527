// Runs the tour of the README exactly as printed and checks what it promises.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')

/** The `curl` commands below a heading, at this platform's address. */
function commandsOf(heading: string): string[] {
  const section = readme.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
  return blocks
    .flatMap((block) => block.split(/\n(?=curl )/))
    .filter((command) => command.includes('curl '))
    .map((command) => command.slice(command.indexOf('curl ')))
    .map((command) => command.replaceAll('http://127.0.0.1:4001', bank.url))
}

/** Runs a command of the README in a shell; `described` collects its output while it runs. */
function run(command: string) {
  const child = spawn('bash', ['-c', command], { env: { ...process.env, TOKEN: bank.token() } })
  const running = { described: '', child, ended: Promise.resolve('') }
  child.stdout.on('data', (chunk: Buffer) => (running.described += chunk.toString()))
  running.ended = new Promise((resolve) => child.on('close', () => resolve(running.described)))
  return running
}

test('first REST call: creates a record, and repeating it replays the same bytes', async () => {
  const [post] = commandsOf('A first REST call')
  const first = await run(post!).ended
  expect(first).toMatch(/^HTTP\/1.1 201/)
  const again = await run(post!).ended
  expect(again).toMatch(/idempotent-replayed: true/i)
  const body = (answer: string) => answer.split('\r\n\r\n').at(-1)
  expect(body(again)).toBe(body(first))
})

test('list: following the page tokens returns every agreement', async () => {
  const [, list] = commandsOf('A first REST call')
  const seen: string[] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const command: string = list!.replace(
      'pageSize=1',
      `pageSize=1${token && `&pageToken=${token}`}`,
    )
    const { items, pagination } = JSON.parse(await run(command).ended)
    seen.push(...items.map(({ agreementId }: { agreementId: string }) => agreementId))
    token = pagination.nextPageToken
  }
  expect(seen).toEqual(['agr_ada_1', 'agr_ada_2', 'agr_ada_3', 'agr_grace_1'])
})

test('transfer: is booked as balanced entries and replayed when repeated', async () => {
  const [transfer, books] = commandsOf('Money moves')
  const updated = JSON.parse(await run(transfer!).ended)
  expect(updated).toMatchObject({ type: 'transfer', status: 'accepted' })
  expect(JSON.parse(await run(transfer!).ended)).toEqual(updated)
  const { data, errors } = JSON.parse(await run(books!).ended)
  expect(errors).toBeUndefined()
  const [latest] = data.accountArrangement.entries.nodes
  expect(latest).toMatchObject({ side: 'DEBIT', amount: '25.00' })
  expect(data.accountArrangement.balances[0].committed).toBe(latest.balanceAfter)
  expect(data.trialBalance.difference).toBe('0.00')
})

test('interest: shows what a year earned, paid month by month', async () => {
  const [query] = commandsOf('Interest, day by day')
  const { data, errors } = JSON.parse(await run(query!).ended)
  expect(errors).toBeUndefined()
  const { paidThisYear, capitalizations, accruals } = data.accountArrangement.interest
  expect(Number(paidThisYear.amount)).toBeGreaterThanOrEqual(0)
  expect(capitalizations.nodes).toHaveLength(3)
  for (const { gross } of capitalizations.nodes) expect(Number(gross.amount)).toBeGreaterThan(21)
  expect(accruals.nodes).toHaveLength(3)
})

test('interest: shows a running deposit for a term, and a loan whose rate was reset', async () => {
  const [, query] = commandsOf('Interest, day by day')
  const { data, errors } = JSON.parse(await run(query!).ended)
  expect(errors).toBeUndefined()
  const { termDeposits, interest } = data.accountArrangement
  expect(termDeposits).toMatchObject([
    { state: 'ACTIVE', principal: { amount: '5000.00' }, annualRatePct: '2.75' },
  ])
  // 5,000 EUR at 2.75 % for two months.
  expect(Number(interest.accrued.amount)).toBeCloseTo(23, 0)
  expect(data.loan).toMatchObject({
    currentRatePct: '5.45',
    rateResets: [{ fixingPct: '2.45', previousRatePct: '5.1', ratePct: '5.45' }],
    floatingRate: { marginPct: '3', referenceRate: { latestFixing: { ratePct: '2.45' } } },
  })
})

test('first query: joins three subgraphs and shows the delivered letter in the mailbox', async () => {
  const [query] = commandsOf('A first query')
  await eventually(async () => {
    const { data, errors } = JSON.parse(await run(query!).ended)
    expect(errors).toBeUndefined()
    expect(data.party).toMatchObject({
      displayName: 'Ada Lovelace',
      accounts: [
        { arrangementId: 'arr_ada_current', product: { version: '2026.2' } },
        { arrangementId: 'arr_ada_savings' },
      ],
    })
    return /Hello Ada/.test(data.mailbox.nodes[0]?.body)
  })
})

test('first subscription: receives each status of a notification', async () => {
  const [subscribe] = commandsOf('A first subscription')
  const listening = run(subscribe!)
  // The first bytes of the stream show that the subscription is active.
  await eventually(() => listening.described.length > 0)
  const [post] = commandsOf('A first REST call')
  const posted = await run(post!.replace('welcome-ada-1', 'welcome-ada-2')).ended
  const { notificationId } = JSON.parse(posted.split('\r\n\r\n').at(-1)!)
  // What is still to come for an earlier notification does not belong to this one.
  const steps = () =>
    listening.described
      .split('\n')
      .filter((line) => line.includes(notificationId))
      .flatMap((line) => /notifications\.notification\.(\w+)/.exec(line)?.[1] ?? [])
  await eventually(() => steps().includes('delivered'))
  expect(steps()).toEqual(['queued', 'accepted', 'sent', 'delivered'])
  expect(listening.described).toContain('"displayName":"Ada Lovelace"')
  listening.child.kill()
  await listening.ended
})

test('assistant: answers in a session of its own, and says when the session ended', async () => {
  const [open, ask] = commandsOf('An assistant with human approval')
  expect(JSON.parse(await run(open!).ended)).toMatchObject({
    sessionId: 'ses_balance',
    status: 'active',
  })
  const answer = JSON.parse(await run(ask!).ended)
  expect(answer).toMatchObject({ sessionId: 'ses_balance', role: 'assistant' })
  expect(answer.content).toContain('arr_ada_current has')
})

test("Ada's loan and credit line match the README", async () => {
  const { body } = await bank.graph(`{
    loan(loanId: "loan_ada") { state delinquency { stage } schedule { status } }
    facility(facilityId: "fac_ada") { limit { amount } available { amount } }
    lendingFindings { subject detail } }`)
  const { loan, facility, lendingFindings } = body.data
  expect(loan).toMatchObject({ state: 'ACTIVE', delinquency: { stage: 'CURRENT' } })
  const paid = loan.schedule.filter(({ status }: any) => status === 'PAID')
  expect([paid.length, loan.schedule.length]).toEqual([3, 12])
  expect([facility.limit.amount, facility.available.amount]).toEqual(['10000.00', '5000.00'])
  expect(lendingFindings).toEqual([])
})

test('assistant: a new session works after the clock moved, as the README says', async () => {
  const to = new Date(bank.bank.now().getTime() + 3 * 86_400_000)
  const { body } = await bank.graph('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', {
    to: to.toISOString(),
  })
  expect(body.errors).toBeUndefined()
  const [open, ask] = commandsOf('An assistant with human approval')
  const ended = JSON.parse(await run(ask!).ended)
  expect(ended.code).toBe('SESSION_NOT_ACTIVE')
  await run(open!.replace('ses_balance', 'ses_again')).ended
  const answer = JSON.parse(await run(ask!.replace('ses_balance', 'ses_again')).ended)
  expect(answer.content).toContain('arr_ada_current has')
})
