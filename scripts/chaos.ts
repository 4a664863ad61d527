/**
 * Kills the program repeatedly under load and checks that no acknowledged request is lost:
 * `npm run chaos -- [--seconds N] [--seed S]`.
 */
import { parseArgs } from 'node:util'
import { runChaos } from '../test/chaos/chaos.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
if (!(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write('--seconds must be a positive number and --seed an integer.\n')
  process.exit(2)
}
const deadline = Date.now() + seconds * 1000
const outcome = await runChaos({ seed, goesOn: (rounds) => rounds === 0 || Date.now() < deadline })
const { kills, acked, lost, doubled, disordered, slowestStartMs, faults } = outcome
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stderr.write(`slowest start ${Math.round(slowestStartMs)} ms\n`)
process.stdout.write('kills acknowledged lost duplicated out-of-order\n')
process.stdout.write(`${[kills, acked, lost, doubled, disordered].join(' ')}\n`)
if (faults.length > 0) process.exitCode = 1
