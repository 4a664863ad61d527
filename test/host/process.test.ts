import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startMain, startProgram } from './program.ts'

test.each(['SIGTERM', 'SIGINT'] as const)(
  'stops cleanly and exits with 0 on %s',
  async (signal) => {
    const program = await startProgram('stop-on-signal', 'cleanly')
    program.kill(signal)
    expect(await program.exited).toEqual({ code: 0, output: 'up\nstopped\n' })
  },
)

test('exits without waiting for the shutdown on a second signal', async () => {
  const program = await startProgram('stop-on-signal', 'never')
  program.kill('SIGTERM')
  await sleep(200)
  program.kill('SIGTERM')
  expect((await program.exited).code).toBe(1)
})

test('exits with 1 after a failing shutdown and after an unhandled rejection', async () => {
  const program = await startProgram('stop-on-signal', 'badly')
  program.kill('SIGTERM')
  expect(await program.exited).toEqual({ code: 1, output: 'up\nThe shutdown failed.\n' })
  const forgotten = await startProgram('stop-on-signal', 'forgotten')
  expect((await forgotten.exited).code).toBe(1)
})

test('checks the settings without starting anything', async () => {
  const valid = await startMain({ DATABSE_URL: 'postgresql://db.example/live' }, ['--check-config'])
  expect(await valid.exited).toEqual({
    code: 0,
    output: 'DATABSE_URL is no setting. Did you mean DATABASE_URL?\nThe settings are valid.\n',
  })
  const invalid = await startMain({ PORT: 'http', LOG_LEVEL: 'loud' }, ['--check-config'])
  const { code, output } = await invalid.exited
  expect([code, output.trim().split('\n').length]).toEqual([1, 2])
})

test.each([
  [{ SUBGRAPH_URLS: 'nowhere' }, /^SUBGRAPH_URLS must be a JSON object that maps/],
  [{ PORT: 'http' }, /^PORT /],
])('exits with a one-line message for an invalid setting: %j', async (settings, described) => {
  const program = await startMain(settings)
  const { code, output } = await program.exited
  expect(code).toBe(1)
  expect(output).toMatch(described)
  expect(output.trim().split('\n')).toHaveLength(1)
})
