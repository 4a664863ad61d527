import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { projectRoot } from '../../kernel/environment/root.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/**
 * Starts one of `programs/` and waits for its first output. `exited` resolves with its exit code
 * and its output.
 */
export function startProgram(name: string, argument: string) {
  const file = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  return startNode(['--import', tsx, file, argument])
}

/** Starts the built program with these settings, as `startProgram` does. */
export function startMain(settings: Record<string, string>, args: readonly string[] = ['all']) {
  return startNode([join(projectRoot, 'dist/main.js'), ...args], settings)
}

async function startNode(args: readonly string[], settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...settings } })
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
