import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../kit/free-port.ts'
import { random } from '../kit/random.ts'
import { furnish, load, SandboxClient, type Asked } from './client.ts'
import { build, endOrphans, start, type Place, type Program } from './program.ts'
import type { Verdict } from './verdict.ts'
import { replay, verify } from './verify.ts'

export interface Outcome extends Verdict {
  kills: number
  acked: number
  /** The slowest of the starts after a kill. */
  slowestStartMs: number
}

export interface Chaos {
  seed: number
  /** Whether there is another round after so many. */
  goesOn: (rounds: number) => boolean
}

const clients = 6
const longestLoadMs = 1500

/**
 * Runs the built program on a folder of its own, loads it, kills it with `kill -9` at a time that
 * nobody chose, starts it again, and so on; then holds what is there against what was answered.
 * Throws when a start fails.
 */
export async function runChaos({ seed, goesOn }: Chaos): Promise<Outcome> {
  build()
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-chaos-'))
  const place = { dataDir, port: await freePort(), sandboxPort: await freePort() }
  const running: { program: Program | null } = { program: null }
  try {
    return await rounds(place, running, random(seed), goesOn)
  } finally {
    await running.program?.kill()
    await endOrphans(dataDir)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

async function rounds(
  place: Place,
  running: { program: Program | null },
  random: () => number,
  goesOn: Chaos['goesOn'],
): Promise<Outcome> {
  const all: Asked[] = []
  const outcome: Outcome = {
    kills: 0,
    acked: 0,
    lost: 0,
    doubled: 0,
    disordered: 0,
    faults: [],
    slowestStartMs: 0,
  }
  running.program = (await start(place))!
  await furnish(await SandboxClient.of(place))
  for (let round = 0; goesOn(round); round++) {
    const asked: Asked[] = []
    await loadAndKill(place, running.program, asked, random)
    outcome.kills++
    running.program = null
    // Now and then it is killed again before it is up.
    if (random() < 0.3) {
      running.program = await start(place, 100 + random() * 1500)
      if (!running.program) outcome.kills++
    }
    running.program ??= (await start(place))!
    outcome.slowestStartMs = Math.max(outcome.slowestStartMs, running.program.readyMs)
    outcome.acked += asked.filter(({ answer }) => answer !== null && answer.status < 500).length
    await replay(await SandboxClient.of(place), asked, outcome)
    all.push(...asked)
  }
  await verify(await SandboxClient.of(place), all, outcome)
  await running.program.stop()
  running.program = null
  return outcome
}

async function loadAndKill(
  place: Place,
  program: Program,
  asked: Asked[],
  random: () => number,
): Promise<void> {
  const client = await SandboxClient.of(place)
  const stop = new AbortController()
  const loads = Array.from({ length: clients }, () => load(client, asked, random, stop.signal))
  await sleep(100 + random() * longestLoadMs)
  await program.kill()
  stop.abort()
  await Promise.all(loads)
}
