import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue, problemSlug, type ProblemCode } from '../../subgraphs/_kernel/domain/problem.ts'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

const codes = Object.keys(catalogue) as ProblemCode[]
const own = 'test/house/catalogue.test.ts'
const catalogueFile = 'subgraphs/_kernel/domain/problem.ts'
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'],
  { cwd: projectRoot, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && path !== own && path !== catalogueFile)
const textOf = (paths: string[]) =>
  paths.map((path) => readFileSync(join(projectRoot, path), 'utf8')).join('\n')
const program = textOf(sources.filter((path) => !/^(test|scripts)\//.test(path)))
const tests = textOf(sources.filter((path) => path.startsWith('test/')))

const codesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, code]) => code))

test('every code of the catalogue is raised somewhere', () => {
  const raised = codesIn(program, /'([A-Z][A-Z0-9_]+)'/g)
  expect(codes.filter((code) => !raised.has(code))).toEqual([])
})

test('every code of the catalogue is named by a test', () => {
  const named = codesIn(tests, /\b([A-Z][A-Z0-9_]+)\b/g)
  expect(codes.filter((code) => !named.has(code))).toEqual([])
})

test('every problem that is raised is in the catalogue', () => {
  const raised = codesIn(program, /new Problem\(\s*'([^']*)'/g)
  expect(raised.size).toBeGreaterThan(20)
  expect([...raised].filter((code) => !Object.hasOwn(catalogue, code!))).toEqual([])
})

test('no two codes share their page', () => {
  expect(new Set(codes.map(problemSlug)).size).toBe(codes.length)
})

test('what may succeed later is a conflict of the moment or ours; every title is a sentence', () => {
  for (const code of codes) {
    const { status, title } = catalogue[code]
    expect(title).toMatch(/^[A-Za-z].*\.$/)
    if ('retryable' in catalogue[code]) expect([408, 409, 429, 503, 504]).toContain(status)
  }
})
