import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

/**
 * Stands in for npm: records its arguments and creates the files that the real npm would create.
 */
const npm = `
const fs = require('node:fs')
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-')).join(' ')
fs.appendFileSync('asked', asked + '\\n')
if (fs.existsSync('broken')) { console.error('no network'); process.exit(1) }
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
const put = (file, text) => { fs.mkdirSync(require('node:path').dirname(file), { recursive: true }); fs.writeFileSync(file, text) }
if (asked === 'ci') {
  fs.rmSync('node_modules', { recursive: true, force: true })
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json'))
  const { '': own, 'node_modules/mac': mac, ...installed } = packages
  put('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
}
if (asked === 'run generate:code') put('prisma/client/client.ts', 'export {}')
if (asked === 'run build:console') put('dist/console/index.html', '')
if (asked === 'run build') put('dist/main.js', '')
`

let clone: string

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'bankgraph-setup-'))
  await mkdir(join(clone, 'scripts'))
  await cp(join(projectRoot, 'scripts/setup.mjs'), join(clone, 'scripts/setup.mjs'))
  await put('npm-cli.js', npm)
  await put('package.json', '{}')
  await put('tsconfig.json', '{"include":["main.ts","host","prisma","test"]}')
  await put('host/a.ts', '1')
  await put('console/index.html', '1')
  await put('prisma/schema/a.prisma', '1')
  await lock('1.0.0')
})

afterEach(() => rm(clone, { recursive: true }))

async function put(file: string, text: string) {
  await mkdir(dirname(join(clone, file)), { recursive: true })
  await writeFile(join(clone, file), text)
}

function lock(version: string) {
  const packages = {
    '': {},
    'node_modules/a': { version },
    'node_modules/mac': { version: '1.0.0', optional: true },
  }
  return put('package-lock.json', JSON.stringify({ packages }))
}

/** The line that each start on an old Node prints. */
const hint = /^This is Node .* Node 24 serves more .*\n/

/** Runs the setup and returns the npm commands it ran, its output and its exit code. */
async function setup(command: string) {
  await rm(join(clone, 'asked'), { force: true })
  const { output, code } = await run(command)
  const request = await readFile(join(clone, 'asked'), 'utf8').catch(() => '')
  return { request: request.trim().split('\n').filter(Boolean), output, code }
}

function run(command: string) {
  const env = { ...process.env, npm_execpath: join(clone, 'npm-cli.js') }
  return new Promise<{ output: string; code: number }>((resolve) => {
    const flags = [join(clone, 'scripts/setup.mjs'), command]
    execFile(process.execPath, flags, { env }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: Number(error?.code ?? 0) }),
    )
  })
}

test('installs, generates and builds in a fresh clone, and does nothing on the next run', async () => {
  const first = await setup('start')
  expect(first.request).toEqual(['ci', 'run generate:code', 'run build:console', 'run build'])
  expect(first.output.replace(hint, '')).toBe(
    'Installing the packages …\nGenerating code …\n' +
      'Building the console …\nBuilding the program …\n',
  )
  const isOld = Number(process.versions.node.split('.')[0]) < 24
  expect(hint.test(first.output)).toBe(isOld)
  const second = await setup('start')
  expect(second).toMatchObject({ request: [], code: 0 })
  expect(second.output.replace(hint, '')).toBe('')
})

test('repeats only the steps whose inputs changed, and does not build the program for tests', async () => {
  expect((await setup('test')).request).toEqual(['ci', 'run generate:code', 'run build:console'])
  await setup('start')
  await put('host/a.ts', '2')
  expect((await setup('test')).request).toEqual([])
  expect((await setup('start')).request).toEqual(['run build'])
  await put('console/index.html', '2')
  expect((await setup('test')).request).toEqual(['run build:console'])
  await put('test/a.test.ts', '2')
  expect((await setup('start')).request).toEqual([])
  await put('prisma/schema/a.prisma', '2')
  expect((await setup('test')).request).toEqual(['run generate:code'])
  await rm(join(clone, 'prisma/client'), { recursive: true })
  expect((await setup('test')).request).toEqual(['run generate:code'])
  await lock('1.0.1')
  expect((await setup('test')).request).toEqual(['ci', 'run generate:code', 'run build:console'])
})

test('reports why a step failed and repeats it on the next run', async () => {
  await put('broken', '')
  const failed = await setup('test')
  expect(failed.code).toBe(1)
  expect(failed.output).toContain('no network')
  await rm(join(clone, 'broken'))
  expect((await setup('test')).request).toEqual(['ci', 'run generate:code', 'run build:console'])
})

test('runs the setup once for two concurrent commands, even with a stale lock file', async () => {
  await put('.cache/setup.lock', '4194304')
  await Promise.all([run('start'), run('start')])
  const request = (await readFile(join(clone, 'asked'), 'utf8')).trim().split('\n')
  expect(request).toEqual(['ci', 'run generate:code', 'run build:console', 'run build'])
})
