import { spawnSync } from 'node:child_process'
import { projectRoot } from '../../kernel/environment/root.ts'

const folders = [
  'main.ts',
  'kernel',
  'ledger',
  'subgraphs',
  'gateway',
  'rest-facade',
  'sandbox',
  'oauth',
  'host',
  'console/src',
]

/** The imports of the program, and those that break a rule. */
export interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

/** Runs the import rules over the program. */
export function cruise(): Cruise {
  const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  // With violations of rules it ends with their number as its code, and with the same output.
  const { stdout } = spawnSync(process.execPath, [program, ...options, ...folders], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout) as Cruise
}

/** The import graph as a Mermaid flowchart: one node per top-level folder or area. */
export function importGraph({ modules }: Cruise): string {
  const arrows = new Set<string>()
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [moduleOf(source), moduleOf(resolved)]
      if (from && to && from !== to) arrows.add(`  ${from} --> ${to}`)
    }
  }
  return ['flowchart LR', ...[...arrows].sort()].join('\n')
}

function moduleOf(path: string): string | undefined {
  if (path === 'main.ts') return 'main'
  if (path === 'subgraphs/index.ts') return 'subgraphs'
  const subgraph = /^subgraphs\/([^/]+)\//.exec(path)?.[1]
  if (subgraph) return subgraph
  return /^(kernel|ledger|gateway|rest-facade|sandbox|oauth|host|console)\//.exec(path)?.[1]
}
