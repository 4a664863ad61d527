import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../../kernel/environment/root.ts'
import { oncePerRun } from './once-per-run.ts'

/** Builds the console, before the tests of a project that open it in a browser. */
export default async function buildConsole(): Promise<() => Promise<void>> {
  const { release } = await oncePerRun('console', build)
  return release
}

/** Throws with the builder's words. */
async function build(): Promise<object> {
  return promisify(execFile)('npm', ['run', '--silent', 'build:console'], { cwd: projectRoot })
}
