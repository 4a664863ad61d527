import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

const folders = ['main.ts', 'subgraphs', 'gateway', 'rest-facade', 'oauth', 'host']
const cruise = (...options: string[]) =>
  execFileSync(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...options,
      ...folders,
    ],
    { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1e8 },
  )

test('the six import rules hold', () => {
  expect(cruise('--output-type', 'err')).toMatch(/no dependency violations found/)
})

test('ARCHITECTURE.md draws the imports as they are', () => {
  const drawn = /```mermaid\n([\s\S]*?)```/.exec(
    readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8'),
  )?.[1]
  expect(drawn?.trim()).toBe(importGraph().trim())
})

/** Rooms and the arrows between them: one node per folder of the house. */
export function importGraph(): string {
  const { modules } = JSON.parse(cruise('--output-type', 'json')) as {
    modules: { source: string; dependencies: { resolved: string }[] }[]
  }
  const arrows = new Set<string>()
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)]
      if (from && to && from !== to) arrows.add(`  ${from} --> ${to}`)
    }
  }
  return ['flowchart LR', ...[...arrows].sort()].join('\n')
}

function roomOf(path: string): string | undefined {
  if (path === 'main.ts') return 'main'
  if (path === 'subgraphs/index.ts') return 'subgraphs'
  const subgraph = /^subgraphs\/([^/]+)\//.exec(path)?.[1]
  if (subgraph) return subgraph
  return /^(gateway|rest-facade|oauth|host)\//.exec(path)?.[1]
}
