import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startProgram } from './program.ts'

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops in order and exits with 0', async (signal) => {
  const program = await startProgram('stop-on-signal', 'cleanly')
  program.kill(signal)
  expect(await program.exited).toEqual({ code: 0, output: 'up\nstopped\n' })
})

test('a second signal does not wait', async () => {
  const program = await startProgram('stop-on-signal', 'never')
  program.kill('SIGTERM')
  await sleep(200)
  program.kill('SIGTERM')
  expect((await program.exited).code).toBe(1)
})

test('a stop that fails, and an error nobody caught, exit with 1', async () => {
  const program = await startProgram('stop-on-signal', 'badly')
  program.kill('SIGTERM')
  expect(await program.exited).toEqual({ code: 1, output: 'up\nThe stop failed.\n' })
  const forgotten = await startProgram('stop-on-signal', 'forgotten')
  expect((await forgotten.exited).code).toBe(1)
})

test.each([
  [{ SUBGRAPH_URLS: 'nowhere' }, /^SUBGRAPH_URLS must be a JSON object of addresses/],
  [{ PORT: 'http' }, /^PORT /],
])('a setting that cannot be read ends the start with one sentence: %j', async (settings, said) => {
  const program = await startProgram('../../../main', 'all', settings)
  const { code, output } = await program.exited
  expect(code).toBe(1)
  expect(output).toMatch(said)
  expect(output.trim().split('\n')).toHaveLength(1)
})
