import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'

test('the bank ends with the npm that started it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-start-'))
  const port = await freePort()
  const ports = { PORT: String(port), SANDBOX_PORT: String(await freePort()) }
  const npm = spawn('npm', ['run', 'start', '--ignore-scripts', '--silent'], {
    cwd: projectRoot,
    // Without the variables of the npm that runs this test.
    env: { PATH: process.env['PATH'], HOME: dataDir, DATA_DIR: dataDir, ...ports },
    detached: true,
  })
  let isClosed = false
  npm.on('close', () => (isClosed = true))
  try {
    let output = ''
    npm.stdout.on('data', (chunk) => (output += chunk))
    await eventually(() => output.includes('ready '), 120_000)
    npm.kill('SIGTERM')
    // The output closes when the last process that writes to it has ended.
    await eventually(() => isClosed, 60_000)
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed')
  } finally {
    try {
      process.kill(-npm.pid!, 'SIGKILL')
    } catch {
      // All of its processes have ended.
    }
    await rm(dataDir, { recursive: true, force: true })
  }
})
