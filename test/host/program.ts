import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Starts one of `programs/` and waits for its first line. `exited` gives its code and all it printed. */
export async function startProgram(name: string, argument: string, settings = {}) {
  const file = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, ['--import', tsx, file, argument], { env })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  child.stdout.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  await Promise.race([once(child.stdout, 'data'), exited])
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    firstLine: output.split('\n')[0]!,
  }
}
