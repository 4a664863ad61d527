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
async function findingsWith(
  details: Record<string, unknown>,
  place = 'node_modules/@new/package',
): Promise<string> {
  const changed = JSON.parse(lock) as Lock
  changed.packages[place] = {
    version: '1.0.0',
    integrity: 'sha512-AAAA',
    license: 'MIT',
    ...details,
  }
  const path = join(folder, 'package-lock.json')
  await writeFile(path, JSON.stringify(changed))
  return review(path).stdout
}

function review(lockPath: string, options: string[] = [], env: Record<string, string> = {}) {
  const result = spawnSync('node', ['scripts/review-dependencies.mjs', ...options], {
    encoding: 'utf8',
    env: { ...process.env, PACKAGE_LOCK: lockPath, ...env },
  })
  expect(result.status).toBe(result.stdout === '' ? 0 : 1)
  return result
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

test.each([
  ['ws', '8.17.0', 'GHSA-3h5v-q93c-6h6q'],
  ['ws', '7.5.9', 'GHSA-3h5v-q93c-6h6q'],
  ['jsonwebtoken', '8.5.1', 'GHSA-qwph-4952-7xr6'],
  ['undici', '7.2.3-beta.1', 'GHSA-c76h-2ccp-4975'],
  ['jose', '3.20.4', 'GHSA-hhhv-q57g-882q'],
  ['js-yaml', '4.1.0', 'GHSA-mh29-5h37-fv8m'],
])('reports %s %s without the network', async (name, version, advisory) => {
  const found = await findingsWith({ version }, `node_modules/a/node_modules/${name}`)
  expect(found).toContain(`${name} ${version} has the vulnerability ${advisory}, fixed in`)
})

test.each([
  ['ws', '8.17.1'],
  ['ws', '7.5.10'],
  ['jsonwebtoken', '9.0.0'],
  ['jose', '5.0.0'],
])('accepts %s %s, which is fixed', async (name, version) => {
  expect(await findingsWith({ version }, `node_modules/a/node_modules/${name}`)).toBe('')
})

test('without a source of advisories, the snapshot counts, and its age is reported', async () => {
  const path = join(folder, 'package-lock.json')
  const lockOf = (version: string) => {
    const { packages } = JSON.parse(lock) as Lock
    const ws = { version, integrity: 'sha512-AAAA', license: 'MIT' }
    return JSON.stringify({ packages: { ...packages, 'node_modules/a/node_modules/ws': ws } })
  }
  // Nothing listens on the port of the registry.
  const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
  for (const [version, finding] of [
    ['8.17.0', /^ws 8\.17\.0 has the vulnerability GHSA-3h5v-q93c-6h6q/],
    ['8.17.1', /^$/],
  ] as const) {
    await writeFile(path, lockOf(version))
    const { stdout, stderr } = review(path, ['--advisories'], offline)
    expect(stdout).toMatch(finding)
    expect(stderr).toMatch(/as of \d{4}-\d\d-\d\d \(\d+ days old\)/)
    expect(stderr).toMatch(/The npm registry has no advisories \(.+\)\. Only the snapshot counts\./)
  }
})
