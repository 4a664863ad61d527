/**
 * Migrations after the last release neither block writers nor take from the former release what it
 * uses. The rules are those of https://squawkhq.com/docs/rules.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { thisRelease } from '../../host/releases.ts'
import { lastRelease } from '../kit/former-release.ts'

const require = createRequire(import.meta.url)
const folder = join(projectRoot, 'prisma', 'migrations')
/** What the program does for every migration, and what is a matter of taste. */
const excludedRules = [
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-robust-stmts',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-text-field',
  'prefer-timestamp-tz',
]
const separately = '-- Each statement by itself.'

/** Returns the names of the rules that a migration breaks, with the lines. */
async function findings(file: string): Promise<string[]> {
  const isInTransaction = !(await readFile(file, 'utf8')).startsWith(separately)
  const args = [
    require.resolve('squawk-cli/js/bin/squawk'),
    '--reporter=json',
    '--pg-version=15',
    `--exclude=${excludedRules.join(',')}`,
    ...(isInTransaction ? ['--assume-in-transaction'] : []),
    file,
  ]
  const output = await new Promise<string>((resolve, reject) => {
    // It exits with 1 when there are findings.
    execFile(process.execPath, args, (error, stdout) =>
      error && stdout === '' ? reject(error) : resolve(stdout),
    )
  })
  const found = JSON.parse(output) as { rule_name: string; line: number }[]
  return found.map(({ rule_name, line }) => `${rule_name} in line ${line + 1}`)
}

test('migrations since the last release keep writers and the former release working', async () => {
  const { lastMigration } = await lastRelease()
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name) && name > lastMigration)
  const found = await Promise.all(
    names.map(async (name) => [name, await findings(join(folder, name, 'migration.sql'))] as const),
  )
  expect(Object.fromEntries(found.filter(([, list]) => list.length > 0))).toEqual({})
})

test.each([
  ['alter table a drop column b;', 'ban-drop-column in line 1'],
  ['alter table a rename column b to c;', 'renaming-column in line 1'],
  ['create index a_by_b on a (b);', 'require-concurrent-index-creation in line 1'],
  ['alter table a add column b text not null;', 'adding-required-field in line 1'],
])('finds what blocks or breaks: %s', async (sql, finding) => {
  const scratch = await mkdtemp(join(tmpdir(), 'bankgraph-migrations-'))
  await writeFile(join(scratch, 'migration.sql'), sql)
  expect(await findings(join(scratch, 'migration.sql'))).toContain(finding)
  await rm(scratch, { recursive: true })
})

test('this release works with the last one', async () => {
  const { version } = await lastRelease()
  expect(thisRelease.worksWith).toBe(version)
  expect(thisRelease.version).not.toBe(version)
})
