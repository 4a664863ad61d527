import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Lock {
  packages: Record<string, Record<string, unknown>>
}

let folder: string
let lock: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-lock-'))
  lock = await readFile('package-lock.json', 'utf8')
})
afterAll(() => rm(folder, { recursive: true }))

/** The findings in the lock file with one more package. */
async function findingsWith(details: Record<string, unknown>): Promise<string> {
  const changed = JSON.parse(lock) as Lock
  changed.packages['node_modules/@new/package'] = {
    version: '1.0.0',
    integrity: 'sha512-AAAA',
    license: 'MIT',
    ...details,
  }
  const path = join(folder, 'package-lock.json')
  await writeFile(path, JSON.stringify(changed))
  const { stdout, status } = spawnSync('node', ['scripts/review-dependencies.mjs'], {
    encoding: 'utf8',
    env: { ...process.env, PACKAGE_LOCK: path },
  })
  expect(status).toBe(stdout === '' ? 0 : 1)
  return stdout
}

test('accepts the dependencies of the project, and a new one with an allowed license', async () => {
  expect(await findingsWith({})).toBe('')
  expect(await findingsWith({ license: '(MIT OR Apache-2.0)' })).toBe('')
})

test.each([
  [{ integrity: 'sha1-AAAA' }, 'has no SHA-512 hash'],
  [{ integrity: undefined }, 'has no SHA-512 hash'],
  [{ license: 'AGPL-3.0' }, 'has the license AGPL-3.0'],
  [{ license: '(MIT AND GPL-2.0)' }, 'has the license (MIT AND GPL-2.0)'],
  [{ license: undefined }, 'has the license (none)'],
  [{ hasInstallScript: true }, 'runs code when it is installed'],
  [{ resolved: 'https://packages.example/x.tgz' }, 'comes from https://packages.example/x.tgz'],
])('reports a package with %j', async (details, finding) => {
  expect(await findingsWith(details)).toBe(`@new/package ${finding}.\n`)
})
