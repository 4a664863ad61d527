import { setTimeout as sleep } from 'node:timers/promises'
import { random } from '../kit/random.ts'
import { seedSample, load, SandboxClient, type TestRequest } from './client.ts'
import { inNewPlace, start, type Place, type Program, type Running } from './program.ts'
import type { Verdict } from './verdict.ts'
import { replay, verify } from './verify.ts'

export interface Outcome extends Verdict {
  kills: number
  acked: number
  /** The slowest start after a kill. */
  slowestStartMs: number
}

export interface Chaos {
  seed: number
  /** Whether to run another round after this many, with this many acknowledged writes. */
  goesOn: (rounds: number, acked: number) => boolean
}

const clients = 6
const maxLoadMs = 1500

/**
 * Runs the built program in its own folder, loads it, kills it with `kill -9` at a random time, starts
 * it again, and so on; then compares what is stored with what was acknowledged. Throws when a start
 * fails.
 */
export function runChaos({ seed, goesOn }: Chaos): Promise<Outcome> {
  return inNewPlace((place, running) => rounds(place, running, random(seed), goesOn))
}

async function rounds(
  place: Place,
  running: Running,
  random: () => number,
  goesOn: Chaos['goesOn'],
): Promise<Outcome> {
  const all: TestRequest[] = []
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
  await seedSample(await SandboxClient.of(place))
  for (let round = 0; goesOn(round, outcome.acked); round++) {
    const request: TestRequest[] = []
    await loadAndKill(place, running.program, request, random)
    outcome.kills++
    running.program = null
    // Sometimes it is killed again before it is ready.
    if (random() < 0.3) {
      running.program = await start(place, 100 + random() * 1500)
      if (!running.program) outcome.kills++
    }
    running.program ??= (await start(place))!
    outcome.slowestStartMs = Math.max(outcome.slowestStartMs, running.program.readyMs)
    outcome.acked += request.filter(({ answer }) => answer !== null && answer.status < 500).length
    await replay(await SandboxClient.of(place), request, outcome)
    all.push(...request)
  }
  await verify(await SandboxClient.of(place), all, outcome)
  await running.program.stop()
  running.program = null
  return outcome
}

async function loadAndKill(
  place: Place,
  program: Program,
  request: TestRequest[],
  random: () => number,
): Promise<void> {
  const client = await SandboxClient.of(place)
  const stop = new AbortController()
  const loads = Array.from({ length: clients }, () => load(client, request, random, stop.signal))
  await sleep(100 + random() * maxLoadMs)
  await program.kill()
  stop.abort()
  await Promise.all(loads)
}
