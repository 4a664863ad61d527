/**
 * Checks the model of the posting protocol, ledger/model/posting.pml, with Spin: the
 * protocol as implemented has no error in any reachable state, and each wrong variant has a
 * counterexample. Needs spin and gcc.
 *
 *   npm run model                   checks all variants, one line each
 *   npm run model -- GUARD_COUNTER  checks one and prints its counterexample
 *   npm run model -- DEEP           checks larger scenarios, which takes minutes
 */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

const model = new URL('../ledger/model/posting.pml', import.meta.url)

/**
 * The variants of the model. `holds` says whether the properties are expected to hold. `isProgress`
 * searches for infinite executions instead of wrong states. `isCovered` also requires that every
 * part of the model is reached. Variants with most states come first, so that they overlap.
 */
const variants = [
  { name: 'GUARD_STAMP', holds: true, isCovered: true },
  { name: 'COUNTER_WITH_CHECK', defines: ['BALANCES_ONLY'], holds: true },
  { name: 'GUARD_STAMP', defines: ['SMALL'], holds: true, isProgress: true },
  { name: 'CLAIMED_REFUSAL', defines: ['UNHELD_INPUT'], holds: true },
  { name: 'GUARD_COUNTER', defines: ['BALANCES_ONLY', 'NO_FAILURES'], holds: false },
  { name: 'COUNTER_WITH_CHECK', defines: ['NO_FAILURES'], holds: false },
  { name: 'STAMP_PER_WRITER', defines: ['BALANCES_ONLY'], holds: false },
  { name: 'NO_KEY_CLAIM', holds: false },
  { name: 'UNHELD_REFUSAL', defines: ['NO_FAILURES'], holds: false },
  { name: 'UNHELD_INPUT', holds: false },
  { name: 'UNFAIR_LOCKS', defines: ['SMALL'], holds: false, isProgress: true },
]
const deepVariant = { name: 'DEEP', holds: true, memoryMb: 16_000, compression: ['-DCOLLAPSE'] }

/** Jobs as the model numbers them. */
const jobNames = [
  'payment A -2',
  'reversal A -1',
  'deposit A +2',
  'payment B -1',
  'transfer A to B 1',
]

try {
  requireTools()
  const [variantName] = process.argv.slice(2)
  const chosenVariants = variantName
    ? [...variants, deepVariant].filter(({ name }) => name === variantName)
    : variants
  if (chosenVariants.length === 0) throw new Error(`The model has no variant ${variantName}.`)
  const results = await checkAll(chosenVariants, Boolean(variantName))
  if (!results.every(({ isExpected }) => isExpected)) process.exitCode = 1
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function requireTools() {
  const missing = ['spin', 'gcc'].filter((tool) => {
    const { status } = spawnSync(tool, [tool === 'spin' ? '-V' : '--version'])
    return status !== 0
  })
  if (missing.length === 0) return
  throw new Error(
    `Checking the model needs ${missing.join(' and ')}. Install with: apt-get install spin gcc`,
  )
}

/** Checks variants concurrently, at most two at a time. */
async function checkAll(chosenVariants, isVerbose) {
  const pendingVariants = [...chosenVariants]
  const results = []
  const work = async () => {
    for (let next = pendingVariants.shift(); next; next = pendingVariants.shift()) {
      const result = await check(next, isVerbose)
      results.push(result)
      print(next, result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
  return results
}

async function check(variant, isVerbose) {
  const { defines = [], holds, isProgress, isCovered, memoryMb = 4000, compression = [] } = variant
  const start = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'bankgraph-model-'))
  try {
    copyFileSync(model, join(folder, 'posting.pml'))
    const flags = [variant.name, ...defines].map((define) => `-D${define}`)
    await run('spin', [...flags, '-a', 'posting.pml'], folder)
    const search = async (options, values) => {
      const limits = ['-O1', '-w', `-DMEMLIM=${memoryMb}`, ...compression]
      await run('gcc', [...limits, ...options, '-o', 'pan', 'pan.c'], folder)
      return run('./pan', [...values, '-w24'], folder)
    }
    const report = isProgress
      ? await search(['-DNP', '-DNOFAIR'], ['-l', '-m100000'])
      : await search(['-DSAFETY'], ['-m100000'])
    const outcome = outcomeOf(report)
    const unreached = isCovered ? unreachedIn(report) : []
    const isExpected = holds
      ? !outcome.hasError && outcome.isComplete && unreached.length === 0
      : outcome.hasError
    const seconds = (performance.now() - start) / 1000
    const isShown = outcome.hasError && (isVerbose || !isExpected)
    if (isShown && !isProgress) await search(['-DSAFETY', '-DREACH'], ['-i', '-m200'])
    const trace = outcome.hasError ? await replay(flags, folder) : null
    return { ...outcome, trace, isShown, unreached, isExpected, seconds, report }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outcomeOf(report) {
  const states = Number(/(\d+) states, stored/.exec(report)?.[1] ?? Number.NaN)
  const hasError = /^pan:\d+: /m.test(report)
  const isTruncated =
    /Search not completed|max search depth too small|out of memory|MEMLIM|interrupted/i.test(report)
  const isExhaustive = /Full statespace search/.test(report) && / errors: 0$/m.test(report)
  return { states, hasError, isComplete: isExhaustive && !isTruncated }
}

/**
 * Returns the parts of the model that no execution reaches, which reveals an overly strict
 * abstraction.
 */
function unreachedIn(report) {
  return report
    .split('\n')
    .filter((line) => /^\tposting\.pml:\d+, state/.test(line) && !/"-end-"/.test(line))
}

/** Returns the events of the counterexample up to the violation, and the violated property. */
async function replay(flags, folder) {
  const lines = (await run('spin', [...flags, '-t', '-T', 'posting.pml'], folder)).split('\n')
  const events = []
  let property = null
  for (const line of lines) {
    const violation = /^spin: posting\.pml:(\d+), Error: assertion violated/.exec(line)
    if (violation) property ??= propertyAt(Number(violation[1]))
    if (line.includes('START OF CYCLE')) events.push('repeated from here on:')
    if (!line.startsWith('>> ')) continue
    events.push(line.slice(3).replaceAll(/<(\d+)>/g, namesOf))
    if (property) break
  }
  return { events, property }
}

/** Returns the comment above an assertion. */
function propertyAt(lineNumber) {
  const lines = readFileSync(model, 'utf8').split('\n')
  return lines[lineNumber - 2].replaceAll(/^\s*\/\*\s*|\s*\*\/\s*$/g, '')
}

function namesOf(_, set) {
  const names = jobNames.filter((_, job) => Number(set) & (1 << job))
  return names.length > 0 ? names.join(' + ') : 'none'
}

function print({ name, defines = [], isProgress }, result) {
  const { hasError, isExpected, isComplete, isShown, states, seconds, trace, unreached } = result
  const unnamedProperty = isProgress ? 'Every execution ends.' : 'No process waits indefinitely.'
  const successText = isProgress ? 'every execution ends' : 'all properties hold'
  const columns = [
    isExpected ? 'ok  ' : 'FAIL',
    [name, ...defines].join(' ').padEnd(40),
    `${states.toLocaleString('en-US')} states`.padStart(17),
    `${seconds.toFixed(1)} s`.padStart(8),
    ` ${hasError ? `violates "${trace.property ?? unnamedProperty}"` : successText}`,
  ]
  process.stdout.write(`${columns.join(' ')}\n`)
  for (const event of isShown ? trace.events : []) process.stdout.write(`       ${event}\n`)
  for (const line of unreached) process.stdout.write(`       not reached: ${line.trim()}\n`)
  if (!hasError && !isComplete) process.stdout.write(`${result.report}\n`)
}

/** Runs a program and returns its output. Throws if it cannot run or fails. */
function run(program, values, folder) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, values, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} failed: ${error.message}\n${stdout}${stderr}`))
      else resolve(`${stdout}${stderr}`)
    })
  })
}
