import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generalProblems } from '../../kernel/domain/general-problems.ts'
import { catalog, problemCodes, problemSlug } from '../../kernel/domain/problem.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import '../../subgraphs/index.ts'

const codes = problemCodes()
const own = 'test/house/catalog.test.ts'
const isCatalog = (path: string) => /domain\/(problem|general-problems|problems)\.ts$/.test(path)
const allSources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  { cwd: projectRoot, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && path !== own)
const sources = allSources.filter((path) => !isCatalog(path))
const sourcesOfCatalog = allSources.filter((path) => path.endsWith('/domain/problems.ts'))
const textOf = (paths: string[]) =>
  paths.map((path) => readFileSync(join(projectRoot, path), 'utf8')).join('\n')
const program = textOf(sources.filter((path) => !/^(test|scripts)\//.test(path)))
const tests = textOf(sources.filter((path) => path.startsWith('test/')))

const codesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, code]) => code))

test('every code of the problem catalog is raised somewhere', () => {
  const raised = codesIn(program, /'([A-Z][A-Z0-9_]+)'/g)
  expect(codes.filter((code) => !raised.has(code))).toEqual([])
})

/** Where each code is raised: in an area, in the ledger, or in the platform around them. */
const raisedIn = new Map<string, Set<string>>()
for (const path of sources.filter((source) => !/^(test|scripts)\//.test(source))) {
  const place =
    /^subgraphs\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith('ledger/') ? 'ledger' : 'platform')
  const text = readFileSync(join(projectRoot, path), 'utf8')
  for (const [, code] of text.matchAll(/\b([A-Z][A-Z0-9_]+)\b/g))
    raisedIn.set(code!, (raisedIn.get(code!) ?? new Set()).add(place))
}

test('a general code is raised by the platform or in two areas', () => {
  const ofOneArea = Object.keys(generalProblems).filter((code) => {
    const places = raisedIn.get(code)!
    return places.size === 1 && !places.has('platform')
  })
  expect(ofOneArea).toEqual([])
})

test('no area raises a code that another area declares', () => {
  const declared = sourcesOfCatalog.flatMap((path) => {
    const owner = /^(?:subgraphs\/)?([^/]+)\//.exec(path)![1]!
    const text = readFileSync(join(projectRoot, path), 'utf8')
    return [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, code]) => ({ owner, code }))
  })
  expect(declared.length).toBeGreaterThan(100)
  const areas = new Set(declared.map(({ owner }) => owner).filter((owner) => owner !== 'ledger'))
  const borrowed = declared.filter(({ owner, code }) =>
    [...(raisedIn.get(code!) ?? [])].some(
      (place) => place !== owner && owner !== 'ledger' && areas.has(place),
    ),
  )
  expect(borrowed).toEqual([])
})

test('the platform raises general codes only', () => {
  const platform = sources
    .filter((path) => /^(kernel|gateway|host|oauth|rest-facade)\//.test(path))
    .map((path) => readFileSync(join(projectRoot, path), 'utf8'))
    .join('\n')
  const raised = codesIn(platform, /\b([A-Z][A-Z0-9_]+)\b/g)
  const ofAreas = codes.filter((code) => !Object.hasOwn(generalProblems, code))
  expect(ofAreas.filter((code) => raised.has(code))).toEqual([])
})

test('every code of the problem catalog is named by a test', () => {
  const named = codesIn(tests, /\b([A-Z][A-Z0-9_]+)\b/g)
  expect(codes.filter((code) => !named.has(code))).toEqual([])
})

test('every problem that is raised is in the catalog', () => {
  const raised = codesIn(program, /new Problem\(\s*'([^']*)'/g)
  expect(raised.size).toBeGreaterThan(20)
  expect([...raised].filter((code) => !Object.hasOwn(catalog, code!))).toEqual([])
})

test('no two codes share a documentation page', () => {
  expect(new Set(codes.map(problemSlug)).size).toBe(codes.length)
})

test('retryable codes have a status that permits a retry, and every title is a sentence', () => {
  for (const code of codes) {
    const { status, title } = catalog[code]
    expect(title).toMatch(/^[A-Za-z].*\.$/)
    if ('retryable' in catalog[code]) expect([408, 409, 429, 503, 504]).toContain(status)
  }
})
