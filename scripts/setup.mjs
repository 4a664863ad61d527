/**
 * Prepares a clone with only Node and npm: packages, generated code, the built console and,
 * for `setup.mjs start`, the built program. Does only what is missing or out of date, and prints one line for each step.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const path = (...parts) => join(root, ...parts)
const lockFile = path('.cache', 'setup.lock')

requireNode(20, 19)
const steps = [
  {
    title: 'Installing the packages',
    npm: ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    isDone: isInstalled,
  },
  {
    title: 'Generating code',
    npm: ['run', 'generate:code'],
    isDone: isGenerated,
    record: recordGenerated,
  },
  {
    title: 'Building the console',
    npm: ['run', 'build:console'],
    isDone: isConsoleBuilt,
    record: recordConsoleBuilt,
  },
]
if (process.argv[2] === 'start') {
  steps.push({
    title: 'Building the program',
    npm: ['run', 'build'],
    isDone: isBuilt,
    record: recordBuilt,
  })
}
if (!steps.every(({ isDone }) => isDone())) {
  takeLock()
  for (const step of steps) if (!step.isDone()) run(step)
}
if (process.argv[2] === 'start') recommendNode(24)

function requireNode(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  fail(`bankgraph needs Node ${major}.${minor} or newer. This is Node ${process.versions.node}.`)
}

function recommendNode(major) {
  // The scripts run on the Node of the packages, if they have one for this system.
  if (existsSync(path('node_modules', '.bin', 'node'))) return
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= major) return
  console.log(`This is Node ${node}. Node ${major} serves more requests on the same machine.`)
}

/**
 * Whether the locked packages are installed. npm writes its lock file at the end of an install, so
 * an interrupted install is also detected.
 */
function isInstalled() {
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!installed) return false
  const locked = readJson('package-lock.json')?.packages ?? {}
  const isLockedVersion = ([folder, { version }]) => locked[folder]?.version === version
  // A package for another platform is locked but not installed.
  const isPresent = ([folder, entry]) =>
    folder === '' || folder in installed || entry.optional || entry.devOptional
  return Object.entries(installed).every(isLockedVersion) && Object.entries(locked).every(isPresent)
}

/**
 * Whether the Prisma client and the typed operations are up to date with their schemas and
 * documents.
 */
function isGenerated() {
  const recorded = readJson('node_modules/.cache/bankgraph/generated.json')
  if (recorded?.inputs !== generatorInputs()) return false
  return recorded.outputs.every((file) => existsSync(path(file)))
}

function recordGenerated() {
  const isOutput = (name, folder) =>
    name.endsWith('.generated.ts') || folder.startsWith(join('prisma', 'client'))
  const recorded = { inputs: generatorInputs(), outputs: files(isOutput) }
  write(path('node_modules/.cache/bankgraph/generated.json'), JSON.stringify(recorded))
}

function generatorInputs() {
  const isInput = (name) =>
    /\.(graphql|prisma)$|^codegen\.|^prisma\.config\.|^openapi\.json$/.test(name)
  return hash([...files(isInput), 'package.json', 'package-lock.json'])
}

function isBuilt() {
  const recorded = path('dist', '.inputs')
  return existsSync(recorded) && readFileSync(recorded, 'utf8') === buildInputs()
}

function recordBuilt() {
  write(path('dist', '.inputs'), buildInputs())
}

function isConsoleBuilt() {
  const recorded = path('dist', 'console', '.inputs')
  return existsSync(recorded) && readFileSync(recorded, 'utf8') === consoleInputs()
}

function recordConsoleBuilt() {
  write(path('dist', 'console', '.inputs'), consoleInputs())
}

function consoleInputs() {
  const sources = readdirSync(path('console'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  return hash([...sources.sort(), 'package.json', 'package-lock.json', 'tsconfig.json'])
}

function buildInputs() {
  const isInput = (name) => /\.(ts|mjs|graphql)$/.test(name)
  return hash([...files(isInput), 'package.json', 'package-lock.json', 'tsconfig.json'])
}

/**
 * Returns the matching files of the program and of the client package, without tests and what was built,
 * sorted and relative to the root.
 */
function files(isMatch) {
  const { include } = readJson('tsconfig.json')
  const folders = include.map((entry) => entry.split('/')[0]).filter((name) => !/[*.]/.test(name))
  const matchingFiles = readdirSync(root).filter((name) => isMatch(name, ''))
  const walk = (folder) => {
    for (const entry of readdirSync(path(folder), { withFileTypes: true })) {
      const file = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'dist') walk(file)
      else if (entry.isFile() && isMatch(entry.name, folder)) matchingFiles.push(file)
    }
  }
  for (const folder of new Set([...folders, 'sdk'])) {
    if (folder !== 'test' && existsSync(path(folder))) walk(folder)
  }
  return matchingFiles.sort()
}

function hash(list) {
  const digest = createHash('sha256')
  for (const file of list) {
    const content = readFileSync(path(file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/** Takes the lock, because two commands may start in a fresh clone at once; the second waits. */
function takeLock() {
  mkdirSync(dirname(lockFile), { recursive: true })
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isOwnerAlive(lockFile)) rmSync(lockFile, { force: true })
    else if (attempt === 0) console.log('Waiting for another setup of this folder …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  process.on('exit', () => rmSync(lockFile, { force: true }))
}

function isOwnerAlive(file) {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs npm quietly; its output is shown only if it fails. */
function run({ title, npm, record }) {
  console.log(`${title} …`)
  const cli = process.env.npm_execpath
  const [command, leadingArguments] =
    cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []]
  const { status, stdout, stderr, error } = spawnSync(command, [...leadingArguments, ...npm], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) {
    fail(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n"npm ${npm.join(' ')}" failed.`)
  }
  record?.()
}

function fail(message) {
  console.error(message.trim())
  process.exit(1)
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Reads a JSON file. Returns undefined if the file is missing or is not valid JSON. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(path(file), 'utf8'))
  } catch {
    return undefined
  }
}
