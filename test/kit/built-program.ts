import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../../kernel/environment/root.ts'
import { oncePerRun } from './once-per-run.ts'

/** Builds what `npm start` runs, before the tests of a project that start it. */
export default async function buildProgram(): Promise<() => Promise<void>> {
  const { release } = await oncePerRun('program', build)
  return release
}

/** Throws with the builder's words. */
async function build(): Promise<object> {
  return promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: projectRoot })
}
