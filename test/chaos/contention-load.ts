import { setTimeout as sleep } from 'node:timers/promises'
import { catalog, type ProblemCode } from '../../kernel/domain/problem.ts'
import '../../subgraphs/index.ts'
import { outcomeOf, type BankClient, type BankResponse, type Outcome } from './contention-client.ts'
import type { FaultLog } from './contention-faults.ts'
import type { LedgerModel } from './contention-model.ts'
import {
  movementShares,
  type Movement,
  type MovementKind,
  type Producer,
} from './contention-movement.ts'
import type { Tally } from './contention-tally.ts'
import type { WriterGroup } from './contention-writers.ts'

/** What the clients of a run share. */
export interface Load {
  client: BankClient
  writers: WriterGroup
  producers: Readonly<Record<MovementKind, Producer>>
  hotAccounts: readonly string[]
  connections: number
  /** The kinds that each client sends; clients take turns over the groups. */
  groups: readonly (readonly MovementKind[])[]
  model: LedgerModel
  faults: FaultLog
  tally: Tally
  /** Violations that clients observed. */
  findings: string[]
  /** Movements that were rejected after a request without a final outcome: suspects when balances differ. */
  doubtful: { movement: Movement; refusal: string | null }[]
}

/** How long a client repeats a request whose outcome is not final. */
const resolveWithinMs = 60_000
/** The shares of requests that are sent twice at once, and that are repeated after acknowledgment. */
const duplicateShare = 0.02
const replayShare = 0.02
/** The share of clients of each group that are active in each wave. */
const waves = [
  [1, 0.25],
  [0.25, 0.25],
  [1, 1],
  [0.5, 0.25],
] as const
const waveMs = 500
const minActive = 3

/**
 * One client: sends movements one after the other, each until its outcome is known, until `signal`
 * aborts. It prefers one of the processes and uses another while that one is down.
 */
export async function runClient(
  load: Load,
  at: number,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  const { groups, writers } = load
  const kinds = groups[at % groups.length]!
  const preferred = Math.floor(at / groups.length) % writers.count
  let next: Movement | undefined
  const startedAt = performance.now()
  while (!signal.aborted || next) {
    if (!next && !isActive(load, at, performance.now() - startedAt)) {
      await sleep(10 + 10 * random())
      continue
    }
    const movement: Movement = next ?? nextMovement(load, kinds, random)
    next = (await perform(load, movement, preferred, random)) ?? undefined
  }
}

/**
 * Whether a client is active in this wave. Waves differ in size, because some races need small groups
 * of movements and others large ones, and each wave has different clients.
 */
function isActive({ groups, connections }: Load, at: number, elapsedMs: number): boolean {
  const group = at % groups.length
  const size = connections / groups.length
  const wave = Math.floor(elapsedMs / waveMs)
  const active = Math.max(minActive, size * waves[wave % waves.length]![group]!)
  return (Math.floor(at / groups.length) + wave * 7) % size < active
}

/** A movement of the mix, or a fallback when the chosen kind has nothing to work on. */
function nextMovement(
  { producers }: Load,
  kinds: readonly MovementKind[],
  random: () => number,
): Movement {
  const total = kinds.reduce((sum, kind) => sum + movementShares[kind], 0)
  let left = random() * total
  const kind = kinds.find((each) => (left -= movementShares[each]) < 0) ?? kinds[0]!
  return (producers[kind](random) ?? producers[fallback(kinds)](random))!
}

/** A kind that is always possible; settlements and reversals need a posting to refer to. */
function fallback(kinds: readonly MovementKind[]): MovementKind {
  const always: MovementKind[] = ['postings', 'authorizations', 'transfers']
  return always.find((kind) => kinds.includes(kind)) ?? 'postings'
}

async function perform(
  load: Load,
  movement: Movement,
  preferred: number,
  random: () => number,
): Promise<Movement | void> {
  const { faults, tally, model } = load
  const sentAt = performance.now()
  let response = await sendFirst(load, movement, preferred, random)
  let outcome = outcomeOf(response)
  const latencyMs = performance.now() - sentAt
  const isAfterFault = faults.isNear(sentAt, sentAt + latencyMs)
  tally.count(movement.kind, outcome, response?.code ?? null, { latencyMs, isAfterFault })
  if (outcome === 'contention' || outcome === 'unknown') {
    ;({ response, outcome } = await resolve(load, movement, random))
    if (outcome !== 'done') load.doubtful.push({ movement, refusal: response?.code ?? null })
  }
  if (outcome !== 'done') {
    requireExpected(load, movement, response)
    return movement.onRefused?.()
  }
  model.accept(movement, response!.body)
  if (random() < replayShare) {
    requireSame(load, movement, response, await sendAnywhere(load, movement, random))
  }
  return movement.onDone?.(response!.body)
}

/** Sends a movement to a process, and sometimes to another one at the same time. */
async function sendFirst(
  load: Load,
  movement: Movement,
  preferred: number,
  random: () => number,
): Promise<BankResponse | null> {
  const first = load.client.send(await load.writers.address(preferred), movement.request)
  if (random() >= duplicateShare) return first
  const [one, other] = await Promise.all([first, sendAnywhere(load, movement, random)])
  requireSame(load, movement, one, other)
  // The second request may fail because the first is still in progress.
  return outcomeOf(one) === 'done' ? one : other
}

async function sendAnywhere(
  { client, writers }: Load,
  { request }: Movement,
  random: () => number,
): Promise<BankResponse | null> {
  return client.send(await writers.address(Math.floor(random() * writers.count)), request)
}

/** A movement may be rejected by a rule of the bank, but is never malformed or forbidden. */
function requireExpected(
  { findings }: Load,
  { kind }: Movement,
  response: BankResponse | null,
): void {
  const status = catalog[response?.code as ProblemCode]?.status ?? 409
  if (status < 409) findings.push(`${kind} was rejected: ${response!.text}`)
}

/** Two acknowledgments of one request must be identical. */
function requireSame(
  { findings }: Load,
  { kind, request: { key } }: Movement,
  one: BankResponse | null,
  other: BankResponse | null,
): void {
  if (outcomeOf(one) !== 'done' || outcomeOf(other) !== 'done' || one!.text === other!.text) return
  findings.push(`${kind} ${key} was answered ${one!.text} and ${other!.text}`)
}

/** Repeats a request with its key, at any process, until its outcome is final. */
async function resolve(
  load: Load,
  movement: Movement,
  random: () => number,
): Promise<{ response: BankResponse | null; outcome: Outcome }> {
  const until = performance.now() + resolveWithinMs
  for (let tries = 1; ; tries++) {
    await sleep(20 + random() * Math.min(50 * tries, 500))
    const response = await sendAnywhere(load, movement, random)
    const outcome = outcomeOf(response)
    if (outcome === 'done' || outcome === 'refused') return { response, outcome }
    if (performance.now() < until) continue
    const { kind, request } = movement
    load.findings.push(`${kind} ${request.key} has no outcome: ${response?.text}`)
    return { response, outcome: 'refused' }
  }
}
