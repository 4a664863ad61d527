import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxClient } from './client.ts'
import { inNewPlace, start, type Place, type Running } from './program.ts'

const accounts = 200
const feeCodes = ['one', 'two', 'three', 'four', 'five', 'six']

/** The result when all fee runs have finished. */
export interface ChargedOutcome {
  /** How many kills interrupted unfinished runs. */
  kills: number
  runs: string[]
  charged: number
  /** In cents, from the books. Each charge is one cent. */
  incomeMinor: number
  findings: unknown[]
}

export const expected = { charged: accounts * feeCodes.length, runs: feeCodes.length }

/**
 * Starts fee runs on the built program, kills it with `kill -9` while they run, `kills` times, and
 * then lets them finish.
 */
export function killFeeRuns(kills: number): Promise<ChargedOutcome> {
  return inNewPlace((place, running) => chargeUnderKills(place, running, kills))
}

async function chargeUnderKills(
  place: Place,
  running: Running,
  kills: number,
): Promise<ChargedOutcome> {
  running.program = (await start(place))!
  let client = await SandboxClient.of(place)
  await openAccounts(client)
  await finish(client)
  const before = await incomeOf(client)
  for (const feeCode of feeCodes) {
    await client.graph(
      `mutation ($feeCode: Label!) { startFeeRun(input: { feeCode: $feeCode, productId: "prd_chaos" }) {
        feeRunId } }`,
      { feeCode },
    )
  }
  let met = 0
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * 60)
    await running.program.kill()
    running.program = null
    running.program = (await start(place))!
    client = await SandboxClient.of(place)
    // The interrupted run stays leased by the killed process until the lease expires.
    if ((await unfinished(client)) > 0) met++
  }
  await finish(client)
  const runs = (await runsOf(client)).filter(({ productId }) => productId === 'prd_chaos')
  const { ledgerFindings } = await client.graph('{ ledgerFindings { invariant subject detail } }')
  return {
    kills: met,
    runs: runs.map(({ status }) => status),
    charged: runs.reduce((sum, { counts }) => sum + counts.charged, 0),
    incomeMinor: (await incomeOf(client)) - before,
    findings: ledgerFindings,
  }
}

async function openAccounts(client: SandboxClient): Promise<void> {
  const fees = feeCodes.map((code) => ({
    code,
    frequency: 'MONTHLY',
    amount: { amount: '0.01', currency: 'EUR' },
  }))
  await client.graph(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    {
      input: {
        productId: 'prd_chaos',
        name: 'Charged',
        productClass: 'current-account',
        status: 'active',
        version: '2026.1',
        fees,
      },
    },
  )
  const input = {
    customerId: 'cus_ada',
    productId: 'prd_chaos',
    overdraftLimit: { amount: '1.00', currency: 'EUR' },
  }
  const open = () =>
    client.graph(
      `mutation ($input: OpenAccountArrangementInput!) { openAccountArrangement(input: $input) {
        arrangementId } }`,
      { input },
    )
  for (let opened = 0; opened < accounts; opened += 25) {
    await Promise.all(Array.from({ length: 25 }, open))
  }
}

interface Run {
  productId: string
  status: string
  counts: { charged: number }
}

async function runsOf(client: SandboxClient): Promise<Run[]> {
  const { feeRuns } = await client.graph(
    '{ feeRuns(first: 200) { nodes { productId status counts { charged } } } }',
  )
  return feeRuns.nodes
}

async function unfinished(client: SandboxClient): Promise<number> {
  return (await runsOf(client)).filter(({ status }) => /SCHEDULED|RUNNING/.test(status)).length
}

async function finish(client: SandboxClient): Promise<void> {
  const until = Date.now() + 60_000
  while ((await unfinished(client)) > 0) {
    if (Date.now() > until) throw new Error('The fee runs did not finish in time.')
    await sleep(100)
  }
}

/** Fee income in cents, from the books. */
async function incomeOf(client: SandboxClient): Promise<number> {
  const { trialBalance } = await client.graph(
    '{ trialBalance(currency: "EUR") { accounts { code credit debit } } }',
  )
  const own = trialBalance.accounts.find(({ code }: { code: string }) => code === 'fee-income')
  return own ? Math.round((Number(own.credit) - Number(own.debit)) * 100) : 0
}
