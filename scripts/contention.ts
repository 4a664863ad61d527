/**
 * Moves money between the same accounts from several processes at once, with faults, and checks
 * the books: `npm run contention -- [--writers N] [--seconds N] [--seed S] [--kills N]
 * [--terminations N] [--only postings,transfers] [--connections N] [--check-every SECONDS]
 * [--postgres URL]`.
 */
import { parseArgs } from 'node:util'
import {
  contentionDefaults,
  ContentionTest,
  type ContentionResult,
} from '../test/chaos/contention.ts'
import { movementKinds, type MovementKind } from '../test/chaos/contention-movement.ts'

const maxContentionPct = 1
const maxFindingsPrinted = 30

const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: String(contentionDefaults.kills) },
    terminations: { type: 'string' },
    connections: { type: 'string', default: String(contentionDefaults.connections) },
    'check-every': { type: 'string', default: String(contentionDefaults.checkEverySeconds) },
    only: { type: 'string', default: movementKinds.join(',') },
    postgres: { type: 'string' },
  },
})
const [writers, seconds, connections, checkEverySeconds] = [
  values.writers,
  values.seconds,
  values.connections,
  values['check-every'],
].map(Number) as [number, number, number, number]
const [seed, kills] = [Number(values.seed), Number(values.kills)]
const terminations = Number(values.terminations ?? kills)
const only = values.only.split(',') as MovementKind[]
const isCount = (value: number) => Number.isInteger(value) && value > 0
if (!isCount(writers) || !isCount(connections) || !(seconds > 0) || !(checkEverySeconds > 0)) {
  refuse('--writers, --connections, --seconds and --check-every are positive numbers.')
}
const isWhole = (value: number) => Number.isInteger(value) && value >= 0
if (![seed, kills, terminations].every(isWhole)) {
  refuse('--seed, --kills and --terminations are whole numbers.')
}
const unknown = only.filter((kind) => !movementKinds.includes(kind))
if (unknown.length > 0) refuse(`--only takes ${movementKinds.join(',')}, not ${unknown.join(',')}.`)

const { tally, findings, ...result } = await run()
const { firstFindingSeconds, loadSeconds } = result
for (const finding of findings.slice(0, maxFindingsPrinted)) process.stderr.write(`${finding}\n`)
if (firstFindingSeconds !== null) {
  process.stderr.write(`The books were wrong after ${firstFindingSeconds.toFixed(1)} s.\n`)
}
for (const [code, count] of [...tally.codes].toSorted(([, a], [, b]) => b - a)) {
  process.stderr.write(`${String(count).padStart(8)} ${code}\n`)
}
const rate = Math.round(tally.movements / loadSeconds)
process.stderr.write(`${rate} movements/s, ${result.terminations} database sessions terminated\n`)
process.stdout.write(`${tally.lines().join('\n')}\n`)
process.stdout.write('writers movements kills findings contention%\n')
const contentionPct = tally.contentionPct.toFixed(2)
process.stdout.write(
  `${[writers, tally.movements, result.kills, findings.length, contentionPct].join(' ')}\n`,
)
if (findings.length > 0 || tally.contentionPct > maxContentionPct) process.exitCode = 1

async function run(): Promise<ContentionResult> {
  const contention = await ContentionTest.open(values.postgres)
  try {
    const load = { writers, connections, seconds, checkEverySeconds, only }
    return await contention.run({ ...load, seed, kills, terminations })
  } finally {
    await contention.close()
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
