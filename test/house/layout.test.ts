import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { railNames } from '../../subgraphs/payments/rails/registry.ts'

const files = execFileSync('git', ['ls-files', 'subgraphs', 'kernel', 'ledger'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '')
const areas = [...new Set(files.map((path) => /^subgraphs\/([^/]+)\//.exec(path)?.[1]))].filter(
  (name) => name !== undefined,
)

/** Every area has the same parts, so that a newcomer knows where a change belongs. */
const parts = ['model', 'domain', 'commands', 'workers', 'store', 'graph']

/** Additional parts of an area, each for one purpose. */
const extraParts: Record<string, readonly string[]> = {
  accounts: ['files'],
  collections: ['files'],
  'general-ledger': ['files'],
  interest: ['files'],
  lending: ['files'],
  assist: ['conversation', 'provider', 'tools'],
  casework: ['contents'],
  events: ['delivery'],
  notifications: ['delivery'],
  payments: ['rails'],
}

/**
 * The groups of a large area: every file of its parts lies in one of them, under the same name in
 * every part.
 */
const groups: Record<string, readonly string[]> = {
  lending: [
    'drawdowns',
    'facilities',
    'late-charges',
    'losses',
    'obligors',
    'pricing',
    'promises',
    'rate-resets',
    'relief',
    'repayments',
    'schedules',
    'servicing',
    'statements',
  ],
}
const rootFile =
  /^(index\.ts|README\.md|facts\.ts|personal-data\.ts|([a-z-]+-)?events\.ts|queries\.graphql)$/

const kernelModules = [
  'authorization',
  'database',
  'domain',
  'environment',
  'events',
  'files',
  'graph',
  'lifecycle',
  'storage',
  'telemetry',
  'work',
  'writing',
]

test('finds the areas', () => expect(areas.length).toBeGreaterThan(10))

describe.each(areas)('Area %s', (area) => {
  const paths = files.flatMap((path) =>
    path.startsWith(`subgraphs/${area}/`) ? [path.slice(`subgraphs/${area}/`.length)] : [],
  )

  test('has only the standard parts and its declared extra parts', () => {
    const allowed = [...parts, ...(extraParts[area] ?? [])]
    const misplaced = paths.filter((path) => {
      const folder = path.split('/')[0]!
      return path.includes('/') ? !allowed.includes(folder) : !rootFile.test(path)
    })
    expect(misplaced).toEqual([])
  })

  test('has its files in its named groups, if it has groups', () => {
    const isGrouped = (path: string) =>
      parts.includes(path.split('/')[0]!) && path !== 'domain/problems.ts'
    const grouped = paths.filter(isGrouped)
    const used = new Set(grouped.map((path) => path.split('/').slice(1, -1).join('/')))
    expect([...used].sort()).toEqual(groups[area] ?? [''])
  })

  test('has domain, store, graph, index.ts, README.md and events.ts', () => {
    for (const part of ['domain', 'store', 'graph']) {
      expect(paths.some((path) => path.startsWith(`${part}/`))).toBe(true)
    }
    expect(paths).toEqual(expect.arrayContaining(['index.ts', 'README.md', 'events.ts']))
  })

  test('keeps GraphQL types and resolvers in graph', () => {
    const misplaced = paths.filter(
      (path) => /\.(types|inputs|resolver)\.ts$/.test(path) && !path.startsWith('graph/'),
    )
    expect(misplaced).toEqual([])
  })
})

test('the arithmetic of schedules imports no other group of lending', () => {
  const imports = files
    .filter((path) => path.startsWith('subgraphs/lending/domain/schedules/'))
    .flatMap((path) => readFileSync(join(projectRoot, path), 'utf8').match(/ from '[^']+'/g) ?? [])
  expect(imports.filter((from) => / '\.\.\/[a-z]+\//.test(from))).toEqual([])
})

describe('payment rails', () => {
  const program = execFileSync('git', ['ls-files', '*.ts'], { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /^(subgraphs|kernel|ledger|gateway|sandbox|host|oauth|main)\b/.test(path))
    .filter((path) => !path.endsWith('.generated.ts'))
  const folder = 'subgraphs/payments/rails/'

  /** The files outside the folder of a rail that match. */
  const outside = (rail: string, pattern: RegExp) =>
    program.filter(
      (path) =>
        !path.startsWith(`${folder}${rail}/`) &&
        pattern.test(readFileSync(join(projectRoot, path), 'utf8')),
    )

  test('each has a folder of its own', () => {
    const inFolder = program.flatMap((path) =>
      path.startsWith(folder) && path.endsWith('/rail.ts') ? [path.split('/')[3]] : [],
    )
    expect(new Set(inFolder)).toEqual(new Set(railNames))
  })

  test.each(railNames)('%s is imported by the registry alone', (rail) => {
    const imported = new RegExp(`from '[^']*/${rail}/[^']*'`)
    expect(outside(rail, imported)).toEqual([`${folder}registry.ts`])
  })

  test.each(railNames)('%s is a name in its own folder only', (rail) => {
    expect(outside(rail, new RegExp(`['"\`]${rail}['"\`]`))).toEqual([])
  })

  test('the name of the credit transfer is part of no other name', () => {
    const known = new Set([
      `${folder}registry.ts`,
      'ledger/domain/account.ts',
      'subgraphs/general-ledger/domain/default-chart.ts',
    ])
    expect(outside('sct', /sct/i).filter((path) => !known.has(path))).toEqual([])
  })
})

test('workers are declared in `workers`, or in an extra part made for them', () => {
  const declared = files.filter(
    (path) =>
      path.startsWith('subgraphs/') &&
      /^export const \w+: Worker = /m.test(readFileSync(join(projectRoot, path), 'utf8')),
  )
  expect(declared.length).toBeGreaterThan(20)
  const inPart = /^subgraphs\/[^/]+\/(workers|delivery)\//
  expect(declared.filter((path) => !inPart.test(path))).toEqual([])
})

test('every kernel file is in one of the named kernel modules', () => {
  const misplaced = files.filter((path) => {
    const [, folder, rest] = /^kernel\/([^/]+)\/?(.*)$/.exec(path) ?? []
    return folder !== undefined && (!kernelModules.includes(folder) || rest === '')
  })
  expect(misplaced).toEqual([])
})
