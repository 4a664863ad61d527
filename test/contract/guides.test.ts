// Runs the code of the guides exactly as printed.
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { projectRoot } from '../../kernel/environment/root.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { dateCommittedPostings } from '../../subgraphs/general-ledger/commands/date-postings.ts'
import { ada, aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { ABrowser } from '../oauth/browser.ts'
import { blocksOf, staffToken, stepsOf, type Step } from './guide-kit.ts'

describe('close-a-month.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each operation has the result that the guide describes', async () => {
    const now = bank.bank.now()
    const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0))
    const day = lastDay.toISOString().slice(0, 10)
    const month = day.slice(0, 7)
    const variables = { day, firstDay: `${month}-01`, month, year: lastDay.getUTCFullYear() }
    const results: Record<string, any> = {}
    await dateCommittedPostings(bankContext(bank.bank))
    for (const { query, operationName } of stepsOf('close-a-month.md', bank)) {
      const subject = ['Approve', 'Reopen'].includes(operationName) ? 'anna' : 'nora'
      const token = staffToken(bank, subject)
      const { body } = await bank.graph(query, variables, { token })
      results[operationName] = body.data ?? body.errors
    }
    // The loss allowance depends on the day of the month.
    const [sheet] = results['BalanceSheet'].balanceSheets
    const amountOf = (name: string) =>
      Number(sheet.lines.find((line: any) => line.name === name)?.amount)
    // What Grace owes depends on the lengths of months, and so does what is left for her roof.
    const { rows } = await bank.bank.pool.query(
      `select sum(committed_debit - committed_credit) filter (where account_id like 'loan@%')::int as owed,
         sum(committed_credit - committed_debit) filter (where account_id like 'arr%')::int as roof
       from ledger.balance
       where account_id in ('loan@loan_grace', 'loan@loan_grace_roof', 'arr_grace_roof')`,
    )
    const [loans, roof] = [14_076.27 + rows[0].owed / 100, rows[0].roof / 100]
    expect(roof).toBeGreaterThan(5000)
    expect(amountOf('Payments in transit')).toBe(12_157.5)
    expect(amountOf('Loans')).toBeCloseTo(loans, 2)
    const allowance = amountOf('Loan loss allowance')
    expect(allowance).toBeLessThan(0)
    // So does the interest on savings and on an overdraft.
    const [receivable, payable, tax] = [
      'Accrued interest receivable',
      'Accrued interest payable',
      'Withholding tax payable',
    ].map((name) => amountOf(name) || 0) as [number, number, number]
    expect(tax).toBeGreaterThan(60)
    const charged = 35_051.75 + roof + 3 * tax - amountOf('Customer deposits')
    expect(charged).toBeGreaterThan(0)
    expect(charged).toBeLessThan(8)
    expect(sheet.equity).toBe('0.00')
    expect(Number(sheet.liabilities)).toBeCloseTo(amountOf('Customer deposits') + payable + tax, 2)
    expect(Number(sheet.assets)).toBeCloseTo(12_157.5 + loans + allowance + receivable, 2)
    expect(Number(sheet.result)).toBeCloseTo(Number(sheet.assets) - Number(sheet.liabilities), 2)
    expect(results['Deposits'].generalLedgerEntries.nodes.length).toBeGreaterThan(10)
    const months = results['Months'].accountingPeriods
    expect(months.find((each: any) => each.accountingPeriodId === variables.month).state).toBe(
      'SOFT_CLOSED',
    )
    const { translatedTrialBalance, translatedProfitAndLoss } = results['TranslatedMonth']
    expect(translatedTrialBalance.debit).toBe(translatedTrialBalance.credit)
    expect(Number(translatedProfitAndLoss.income)).toBeGreaterThan(0)
    expect(results['Approve'].postJournalEntry.state).toBe('POSTED')
    const { ledgerReconciliation, generalLedgerFindings } = results['Check']
    expect(generalLedgerFindings).toEqual([])
    for (const { difference } of ledgerReconciliation) expect(Number(difference)).toBe(0)
    expect(results['Close'].closeAccountingPeriod).toMatchObject({
      state: 'CLOSED',
      closedBy: 'nora',
    })
    expect(results['Journal'].accountingExport.content).toMatch(
      /,5900,Other expenses,gl\+5900\+EUR,pin_\w+,1,120\.00,,EUR\r\n/,
    )
    const { url, manifestUrl, totals } = results['JournalFile'].journalFile
    const [file, manifest] = await Promise.all([fetch(url), fetch(manifestUrl)])
    expect(file.headers.get('content-type')).toBe('application/vnd.apache.parquet')
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(await manifest.json()).toMatchObject({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      totals,
    })
    const entries = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
    expect(entries.map(({ account_number: number }) => number)).toContain('5900')
    const forged = await fetch(url.replace(/.{4}$/, 'AAAA'))
    expect([forged.status, ((await forged.json()) as any).code]).toEqual([
      404,
      'JOURNAL_FILE_NOT_FOUND',
    ])
    expect(results['Reopen'].reopenAccountingPeriod.state).toBe('OPEN')
  })
})

describe('open-a-bank.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aPlatform('live')
  })
  afterAll(() => bank.stop())

  async function run({ query, operationName }: Step) {
    const subject = { Authorize: 'paul', Decide: 'olga' }[operationName]
    const token = bank.token(subject ? { subject } : {})
    const answer = await fetch(`${bank.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName, variables: { now: new Date().toISOString() } }),
    })
    const { data, errors } = (await answer.json()) as any
    if (errors) throw new Error(`${operationName}: ${JSON.stringify(errors)}`)
    return data
  }

  test('each operation succeeds, up to a booked and paid-out loan', async () => {
    const steps = stepsOf('open-a-bank.md', bank)
    const isDone: Record<string, (data: any) => boolean> = {
      Recommended: ({ loanApplication }) => loanApplication.status === 'IN_REVIEW',
      Lent: ({ loanApplication }) => loanApplication.facility?.state === 'ACTIVE',
    }
    const described: Record<string, any> = {}
    for (const step of steps) {
      const { operationName } = step
      described[operationName] = await eventually(async () => {
        const data = await run(step)
        return (isDone[operationName]?.(data) ?? true) && data
      })
    }
    expect(described['Recommended'].loanApplication.recommendation.outcome).toBe('APPROVE')
    expect(described['Decide'].recordCreditDecision.approvedTerms).toEqual({
      ratePct: '6.9',
      termMonths: 12,
    })
    const { loanApplication, accountArrangement, trialBalance } = described['Lent']
    expect(loanApplication).toMatchObject({ status: 'BOOKED', loanId: expect.any(String) })
    expect(loanApplication.facility.outstandingPrincipal.amount).toBe('6000.00')
    expect(loanApplication.facility.schedule).toHaveLength(12)
    expect(accountArrangement.balances[0].available).toBe('7200.00')
    expect(trialBalance.difference).toBe('0.00')
  })
})

describe('build-a-web-app.md', () => {
  let bank: Platform
  let app: any
  const file = join(projectRoot, '.cache', `guide-${process.pid}.mjs`)
  beforeAll(async () => {
    bank = await aSeededPlatform()
    await mkdir(join(projectRoot, '.cache'), { recursive: true })
    await writeFile(file, blocksOf('build-a-web-app.md', 'js', bank).join('\n'))
    // Browsers have WebSocket; Node.js has it from version 22 on.
    vi.stubGlobal('WebSocket', WebSocket)
    app = await import(/* @vite-ignore */ pathToFileURL(file).href)
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    await bank.stop()
    await rm(file, { force: true })
  })

  async function loggedIn() {
    const verifier = 'a-verifier-of-forty-three-characters-or-more-0'
    const { username, password } = ada
    const login = await app.createLoginUrl(verifier)
    const pages: Record<string, string>[] = [{ username, password }, { decision: 'allow' }]
    const back = await new ABrowser().through(login, pages)
    return app.exchangeCode(back, verifier)
  }
  const step = (name: string) =>
    stepsOf('build-a-web-app.md', bank).find(({ operationName }) => operationName === name)!.query

  test('logs a user in, shows only their own data, and refreshes the token once per refresh token', async () => {
    const first = await loggedIn()
    const { access_token: token } = await app.refresh(first.refresh_token)
    const { me: party } = await app.execute(token, step('Home'))
    expect(party.displayName).toBe('Ada Lovelace')
    expect(party.accounts.map(({ arrangementId }: any) => arrangementId)).toEqual([
      'arr_ada_current',
      'arr_ada_savings',
    ])
    expect(party.accounts[0].transactions.nodes).toHaveLength(5)
    const others = await app.execute(token, '{ party(partyId: "pty_grace") { displayName } }')
    expect(others).toEqual({ party: null })
    await expect(app.refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('replays a payment with the same key and rejects one that exceeds the available funds', async () => {
    const { access_token: token } = await loggedIn()
    const send = (amount: string, key: string) => app.execute(token, step('Send'), { amount }, key)
    const sent = await send('12.00', 'once')
    expect(sent.createTransfer.paymentId).toMatch(/^pay_/)
    expect(await send('12.00', 'once')).toEqual(sent)
    await expect(send('120000.00', 'never')).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      retryable: false,
    })
  })

  test('receives events that were published while the connection was down', async () => {
    const { access_token: token } = await loggedIn()
    const received: { type: string; position: string; subject: any }[] = []
    let request = 0
    const freshToken = () => Promise.resolve((request++, token))
    const socket = app.listen(freshToken, (event: any) => received.push(event))
    const isEmitted = (paymentId: string) =>
      eventually(() => received.some(({ subject }) => subject?.paymentId === paymentId))
    const pay = async (key: string) =>
      (await app.execute(token, step('Send'), { amount: '1.00' }, key)).createTransfer.paymentId
    // Events published before it subscribed are not delivered.
    let tries = 0
    await eventually(async () => {
      await pay(`try-${++tries}`)
      return received.length > 0
    })
    socket.terminate()
    const away = await pay('away')
    await isEmitted(away)
    expect(request).toBe(2)
    const positions = received.map(({ position }) => Number(position))
    expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other))
    await socket.dispose()
  })

  test('a page that loads and then listens receives every event after what it shows', async () => {
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
    const sent = await app.execute(token, step('Send'), { amount: '1.00' }, 'after-the-page')
    const subjectId = `payment/${sent.createTransfer.paymentId}`
    await eventually(() => changed.some((event) => event.subjectId === subjectId))
    stop()
    await socket.dispose()
  })
})
