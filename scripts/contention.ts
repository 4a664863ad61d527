/**
 * Moves money between the same accounts from several processes concurrently while injecting faults,
 * and then checks the books. Run it with `npm run contention -- [option …]`. The options are
 * `--writers N`, `--seconds N`, `--seed S`, `--kills N`, `--terminations N`, `--connections N`,
 * `--only postings,transfers`, `--check-every SECONDS` and `--postgres URL`.
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
  fail('--writers, --connections, --seconds and --check-every must be positive numbers.')
}
const isNonNegativeInteger = (value: number) => Number.isInteger(value) && value >= 0
if (![seed, kills, terminations].every(isNonNegativeInteger)) {
  fail('--seed, --kills and --terminations must be integers of at least 0.')
}
const unknownKinds = only.filter((kind) => !movementKinds.includes(kind))
if (unknownKinds.length > 0)
  fail(`--only must list ${movementKinds.join(',')}, not ${unknownKinds.join(',')}.`)

const { tally, findings, ...result } = await run()
const { firstFindingSeconds, loadSeconds } = result
for (const finding of findings.slice(0, maxFindingsPrinted)) process.stderr.write(`${finding}\n`)
if (firstFindingSeconds !== null) {
  process.stderr.write(
    `The first finding was detected after ${firstFindingSeconds.toFixed(1)} s.\n`,
  )
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

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
