import { execFileSync } from 'node:child_process'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

const folders = ['main.ts', 'subgraphs', 'gateway', 'rest-facade', 'oauth', 'host']

/** Runs the import rules over the program. */
export function cruise(...options: string[]): string {
  const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  const fixed = [program, '--config', '.dependency-cruiser.cjs']
  return execFileSync(process.execPath, [...fixed, ...options, ...folders], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
}

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
