/** The benchmark works. Its figures are not judged here: a machine that tests is busy. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

test('runs parts of the benchmark and prints their figures', async () => {
  const { code, output } = await runBench('schedules', 'federation')
  expect(code, output).toBe(0)
  expect(output).toContain('schedule of 360 installments')
  expect(output).toMatch(/pages a second: [\d,]+ \/s, stock @apollo\/gateway.*ratio \d/)
})

test('rejects a part that does not exist', async () => {
  const { code, output } = await runBench('posting')
  expect(code).toBe(1)
  expect(output).toContain('There is no part posting. Parts: notifications, federation, ')
})

async function runBench(...parts: string[]): Promise<{ code: number; output: string }> {
  const script = join(projectRoot, 'test/bench/run.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...parts], {
    cwd: projectRoot,
    env: { ...process.env, BENCH_SMOKE: 'on' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()))
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}
