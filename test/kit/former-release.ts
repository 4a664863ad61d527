import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../kernel/environment/root.ts'

/** A release that was made from a commit of this repository. */
export interface FormerRelease {
  version: string
  commit: string
  /** The name of the last migration that it has. */
  lastMigration: string
}

const run = promisify(execFile)

/** Returns the last release, from `releases.json`. */
export async function lastRelease(): Promise<FormerRelease> {
  const releases = JSON.parse(await readFile(join(projectRoot, 'releases.json'), 'utf8'))
  return (releases as FormerRelease[]).at(-1)!
}

/**
 * Builds a release from its commit, on the packages of this one, and returns its folder. It is
 * built once for each clone.
 */
export async function buildRelease({ commit, version }: FormerRelease): Promise<string> {
  const builds = join(projectRoot, '.cache', 'releases')
  const folder = join(builds, commit)
  if (existsSync(folder)) return folder
  const draft = join(builds, `${version}-${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const archive = join(draft, 'archive.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: projectRoot })
  await run('tar', ['--extract', '--file', archive, '--directory', draft])
  await symlink(join(projectRoot, 'node_modules'), join(draft, 'node_modules'))
  for (const script of ['generate:code', 'build:console', 'build']) {
    await run('npm', ['run', '--silent', script], { cwd: draft })
  }
  await rename(draft, folder)
  return folder
}
