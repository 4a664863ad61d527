import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxClient } from './client.ts'
import { inNewPlace, start, type Place, type Running } from './program.ts'

/** The result when the nightly runs of all days have finished. */
export interface NightlyOutcome {
  /** The jobs that had work left at each kill that interrupted the runs. */
  interrupted: string[][]
  /** The balance of each ledger account, by currency and code. */
  balances: Record<string, string>
  findings: unknown[]
  /** The last business date that was closed. */
  businessDate: string
}

const maxNightsMs = 240_000

/**
 * Moves the clock of a new sandbox of the built program to `to`, kills the program with `kill -9` up
 * to `kills` times while the nightly runs of these days are in progress, and lets them finish.
 */
export function runNights(to: Date, kills: number): Promise<NightlyOutcome> {
  return inNewPlace(async (place, running) => {
    running.program = (await start(place))!
    const client = await SandboxClient.of(place)
    await client.graph(
      'mutation ($to: DateTime!) { advanceClock(to: $to) { clockAdvance { status } } }',
      { to },
    )
    const interrupted: string[][] = []
    for (let kill = 0; kill < kills; kill++) {
      const jobs = await killSoon(place, running)
      if (jobs.length === 0) break
      interrupted.push(jobs)
    }
    return { interrupted, ...(await resultOf(place)) }
  })
}

/** Kills the program and starts it again. Returns the jobs that had work left. */
async function killSoon(place: Place, running: Running): Promise<string[]> {
  await sleep(Math.random() * 600)
  const { waitingFor } = await advanceOf(await SandboxClient.of(place))
  await running.program!.kill()
  running.program = null
  running.program = (await start(place))!
  return waitingFor
}

interface Advance {
  status: string
  waitingFor: string[]
}

async function advanceOf(client: SandboxClient): Promise<Advance> {
  const { environment } = await client.graph(
    '{ environment { clockAdvance { status waitingFor } } }',
  )
  return environment.clockAdvance
}

async function runOf(client: SandboxClient): Promise<{ businessDate: string; status: string }> {
  const { nightlyRun } = await client.graph(
    '{ nightlyRun { businessDate status steps { status job { name lastError { detail } } } } }',
  )
  return nightlyRun
}

async function resultOf(place: Place): Promise<Omit<NightlyOutcome, 'interrupted'>> {
  const client = await SandboxClient.of(place)
  const until = Date.now() + maxNightsMs
  const isDone = async () =>
    (await advanceOf(client)).status === 'COMPLETED' && (await runOf(client)).status === 'COMPLETED'
  while (!(await isDone())) {
    if (Date.now() > until) {
      throw new Error(`The nights did not end: ${JSON.stringify(await runOf(client))}`)
    }
    await sleep(200)
  }
  const data = await client.graph(`{
    trialBalances { currency accounts { code debit credit } }
    ledgerFindings { invariant subject detail }
    lendingFindings { invariant subject detail }
    generalLedgerFindings { __typename }
    provisioningFindings { __typename }
  }`)
  const balances = data.trialBalances.flatMap(({ currency, accounts }: any) =>
    accounts.map(({ code, debit, credit }: any) => [
      `${currency} ${code}`,
      (Number(debit) - Number(credit)).toFixed(2),
    ]),
  )
  const { businessDate } = await runOf(client)
  return {
    balances: Object.fromEntries(balances),
    findings: [
      ...data.ledgerFindings,
      ...data.lendingFindings,
      ...data.generalLedgerFindings,
      ...data.provisioningFindings,
    ],
    businessDate,
  }
}
