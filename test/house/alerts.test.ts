/** The alert rules and the dashboard: what they name is served, tested and explained. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { degradations, writeFaults } from '../../host/readiness-causes.ts'
import { projectRoot } from '../../kernel/environment/root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** The metrics that a test of the program compares with what it serves, and those of the process. */
function servedNames(): Set<string> {
  const rows = read('docs/operate/metrics.md').matchAll(/^\| `(\w+)` +\| (\w+)/gm)
  const names = [...rows].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  )
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Prometheus itself records whether a process answers.
  return new Set([...names, ...register.getMetricsAsArray().map(({ name }) => name), 'up'])
}

const words = new Set(['by', 'le', 'or', 'and', 'unless', 'on', 'without', 'offset', 'bool'])

/** The names of the metrics in a PromQL expression. */
function metricsIn(expression: string): string[] {
  const plain = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\b(by|without|on)\s*\([^)]*\)/g, ' ')
    .replace(/\b[\d.]+(e\d+)?\b/g, ' ')
  return [...plain.matchAll(/\b([a-z_]\w*)\b(?!\s*\()/g)].flatMap(([, name]) =>
    words.has(name!) ? [] : [name!],
  )
}

interface Rule {
  alert: string
  expression: string
  runbook: string
}

function rules(): Rule[] {
  return read('deploy/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => ({
      alert: /^\w+/.exec(text)![0],
      expression: /expr: \|?([\s\S]*?)\n {8}(for|labels):/.exec(text)![1]!,
      runbook: /runbook_url: (\S+)/.exec(text)![1]!,
    }))
}

function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(read('deploy/grafana/bankgraph.json')) as {
    panels: { targets: { expr: string }[] }[]
  }
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

test('every metric of a rule or a panel is served, and every metric has a panel', () => {
  const served = servedNames()
  const ofRules = rules().flatMap(({ expression }) => metricsIn(expression))
  const ofPanels = dashboardExpressions().flatMap(metricsIn)
  expect(ofRules.length).toBeGreaterThan(20)
  expect(ofPanels.length).toBeGreaterThan(20)
  expect([...ofRules, ...ofPanels].filter((name) => !served.has(name))).toEqual([])
  const shown = new Set(ofPanels.map((name) => name.replace(/_(bucket|count)$/, '')))
  expect(
    ofRules.filter((name) => name !== 'up' && !shown.has(name.replace(/_(bucket|count)$/, ''))),
  ).toEqual([])
})

test('the rules name every cause for which a process is not ready, and known ones only', () => {
  const causes = rules().flatMap(({ expression }) =>
    [...expression.matchAll(/cause=~?"([^"]+)"/g)].flatMap(([, text]) => text!.split('|')),
  )
  expect(causes).toEqual(expect.arrayContaining([...writeFaults]))
  const known = new Set<string>([...writeFaults, ...degradations])
  expect(causes.filter((cause) => !known.has(cause))).toEqual([])
})

test('every alert has an entry in the runbook, which says what to look at and what to do', () => {
  const entries = read('docs/operate/alerts.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: /^\w+/.exec(text)![0], text }))
  const alerts = rules()
  expect(alerts.length).toBeGreaterThan(20)
  expect(entries.map(({ title }) => title)).toEqual(['Set', ...alerts.map(({ alert }) => alert)])
  for (const { alert, runbook } of alerts) {
    expect(runbook).toBe(`docs/operate/alerts.md#${alert.toLowerCase()}`)
    const { text } = entries.find(({ title }) => title === alert)!
    expect([alert, text.includes('- **Look at** '), text.includes('- **Do** ')]).toEqual([
      alert,
      true,
      true,
    ])
  }
})

test('every cause of the readiness has an entry', () => {
  const page = read('docs/operate/readiness.md')
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (yes|no) /gm)]
  expect(rows.map(([, cause, isUnready]) => [cause, isUnready])).toEqual([
    ...writeFaults.map((cause) => [cause, 'yes']),
    ...degradations.map((cause) => [cause, 'no']),
  ])
})

test.skipIf(!hasPromtool)('the rules are valid, and fire when they should', () => {
  const folder = join(projectRoot, 'deploy/prometheus')
  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(promtool('check', 'rules', 'alerts.yml')).toContain(`${rules().length} rules found`)
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
})
