/**
 * Makes a clone ready, with nothing but Node and npm: packages, generated code and, for
 * `setup.mjs start`, the built program. Does only what is missing or out of date, and prints one
 * line for each step it takes.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const path = (...parts) => join(root, ...parts)

requireNode(20, 19)
if (!isInstalled()) {
  step('Installing the packages', [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
}
generate()
if (process.argv[2] === 'start') build()

function requireNode(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  fail(`bankgraph needs Node ${major}.${minor} or newer. This is Node ${process.versions.node}.`)
}

/** npm writes what it installed at the end of every install, so an interrupted one shows as well. */
function isInstalled() {
  const installed = readJson(path('node_modules', '.package-lock.json'))?.packages
  if (!installed) return false
  const locked = readJson(path('package-lock.json'))?.packages ?? {}
  const isSame = ([place, { version }]) => locked[place]?.version === version
  // A package for another platform is locked but not installed.
  const isThere = ([place, entry]) =>
    place === '' || place in installed || entry.optional || entry.devOptional
  return Object.entries(installed).every(isSame) && Object.entries(locked).every(isThere)
}

/** The Prisma client and the typed operations come from schemas and documents. */
function generate() {
  const stampFile = path('node_modules', '.cache', 'bankgraph', 'generated.json')
  const isInput = (name) => /\.(graphql|prisma)$|^codegen\.|^prisma\.config\./.test(name)
  const inputs = hash(files(isInput), ['package.json', 'package-lock.json'])
  const stamp = readJson(stampFile)
  if (stamp?.inputs === inputs && stamp.outputs.every((file) => existsSync(path(file)))) return
  step('Generating code', ['run', '--silent', 'generate:code'])
  const isOutput = (name, folder) =>
    name.endsWith('.generated.ts') || folder.startsWith(join('prisma', 'client'))
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, JSON.stringify({ inputs, outputs: files(isOutput) }))
}

function build() {
  const stampFile = path('dist', '.inputs')
  const isInput = (name) => name.endsWith('.ts') || name.endsWith('.graphql')
  const inputs = hash(files(isInput), ['package.json', 'package-lock.json', 'tsconfig.json'])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputs) return
  step('Building the program', ['run', '--silent', 'build'])
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, inputs)
}

/** The wanted files of the program, without its tests, in a stable order, relative to the root. */
function files(isWanted) {
  const { include } = readJson(path('tsconfig.json'))
  const folders = include.map((entry) => entry.split('/')[0]).filter((name) => !/[*.]/.test(name))
  const found = readdirSync(root).filter((name) => isWanted(name, ''))
  const walk = (folder) => {
    for (const entry of readdirSync(path(folder), { withFileTypes: true })) {
      const file = join(folder, entry.name)
      if (entry.isDirectory()) walk(file)
      else if (isWanted(entry.name, folder)) found.push(file)
    }
  }
  for (const folder of folders) if (folder !== 'test' && existsSync(path(folder))) walk(folder)
  return found.sort()
}

function hash(...lists) {
  const digest = createHash('sha256')
  for (const file of lists.flat()) {
    if (!existsSync(path(file))) continue
    const content = readFileSync(path(file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/** Runs npm quietly; what it printed is shown only when it failed. */
function step(title, args) {
  console.log(`${title} …`)
  const cli = process.env.npm_execpath
  const [command, first] =
    cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []]
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status === 0) return
  fail(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n"npm ${args.join(' ')}" failed.`)
}

function fail(message) {
  console.error(message.trim())
  process.exit(1)
}

/** `undefined` for a file that is missing or was written by half. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
