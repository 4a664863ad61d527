import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('.generated.ts'))
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const sources = tracked.filter((path) => path.endsWith('.ts') && !path.startsWith('prisma/client'))
const program = sources.filter((path) => !path.startsWith('test/'))
const subgraphNames = [
  ...new Set(program.map((path) => /^subgraphs\/([a-z][a-z-]*)\//.exec(path)?.[1])),
].filter((name) => name !== undefined)

/** Every line of a file that matches, as `path:line`. */
function linesOf(path: string, pattern: RegExp): string[] {
  return read(path)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
}

describe('size', () => {
  test('no file has more than 300 lines', () => {
    const long = sources.filter((path) => read(path).split('\n').length > 301)
    expect(long).toEqual([])
  })

  test('no function has more than 70 lines', () => {
    expect(program.flatMap(longFunctions)).toEqual([])
  })
})

describe('domain folders', () => {
  const domain = program.filter((path) => path.includes('/domain/'))

  test('import only folders named domain, and decimal.js', () => {
    const imports = domain.flatMap((path) => linesOf(path, /^(import|export) [^'"]* from '/))
    const foreign = imports.filter(
      (line) => !/from '(\.\/|(\.\.\/)+[\w-]+\/domain\/|decimal\.js')/.test(line),
    )
    expect(foreign).toEqual([])
  })

  test('read no clock, make no ids, draw no random numbers', () => {
    const impure = /\bDate\.now\(|new Date\(\)|Math\.random|randomUUID|randomBytes|process\./
    expect(domain.flatMap((path) => linesOf(path, impure))).toEqual([])
  })
})

describe('settings and time', () => {
  test('process.env is read where the program starts and nowhere else', () => {
    const allowed = new Set([
      'main.ts',
      'subgraphs/_kernel/config.ts',
      // Switches off the gateway's reports to its vendor, which has no other switch.
      'gateway/graph.ts',
      // PostgreSQL's programs get our PATH and nothing else.
      'host/postgres-cluster.ts',
    ])
    const readers = program.filter((path) => !allowed.has(path) && !path.startsWith('scripts/'))
    expect(readers.flatMap((path) => linesOf(path, /process\.env/))).toEqual([])
  })

  test('where a request comes from is read in one place', () => {
    const readers = program.filter((path) => path !== 'gateway/address.ts')
    const pattern = /remoteAddress|\brequest\.ips?\b|trustProxy|x-forwarded-for/i
    expect(readers.flatMap((path) => linesOf(path, pattern))).toEqual([])
  })

  test('no branch asks for NODE_ENV', () => {
    expect(program.flatMap((path) => linesOf(path, /NODE_ENV/))).toEqual([])
  })

  test('subgraphs take the time from the context', () => {
    const inSubgraphs = program.filter((path) => /^subgraphs\/[a-z]/.test(path))
    expect(inSubgraphs.flatMap((path) => linesOf(path, /\bDate\.now\(|new Date\(\)/))).toEqual([])
  })
})

test('whoever opens a database session of its own listens to its errors, which end the process otherwise', () => {
  const openers = program.filter(
    (path) =>
      linesOf(path, /new (?:pg\.)?(?:Client|Pool)\(|\b(?:pool|locks)\.connect\(/).length > 0,
  )
  expect(openers.length).toBeGreaterThan(4)
  expect(openers.filter((path) => linesOf(path, /\.on\('error'/).length === 0)).toEqual([])
})

describe('data', () => {
  test.each(subgraphNames)('SQL in %s names only its own schema and the foundations', (name) => {
    const others = [...subgraphNames.filter((other) => other !== name), 'oauth']
    const own = program.filter((path) => path.startsWith(`subgraphs/${name}/`))
    const foreign = new RegExp(
      `\\b(from|join|into|update|table|insert\\(|update\\(|updateMany\\()\\s*'?(${others.join('|')})\\.[a-z_]+`,
      'i',
    )
    expect(own.flatMap((path) => linesOf(path, foreign))).toEqual([])
  })

  test.each(subgraphNames)('%s reads only the models of its own schema', (name) => {
    const models = [...schemaModels('_'), ...subgraphNames.flatMap((other) => schemaModels(other))]
    const foreign = models.filter(({ schema }) => schema !== name && schema !== 'kernel')
    const own = program.filter((path) => path.startsWith(`subgraphs/${name}/`))
    if (foreign.length === 0) return
    const pattern = new RegExp(`\\bdb\\.(${foreign.map(({ model }) => model).join('|')})\\b`)
    expect(own.flatMap((path) => linesOf(path, pattern))).toEqual([])
  })
})

describe('what a stranger reads', () => {
  test('every subgraph says in half a page what it is', () => {
    const missing = subgraphNames.filter((name) => !tracked.includes(`subgraphs/${name}/README.md`))
    expect(missing).toEqual([])
  })

  test('nothing is left undone, and no path of a machine is written down', () => {
    const marks = new RegExp(['TODO', 'FIXME', 'XXX', 'not implemented'].join('|'))
    const places = /(^|[^.\w])\/(work|farm|root|home\/\w+)\/[a-z]/
    const texts = tracked.filter((path) => /\.(ts|mjs|md|yml|json|sql|prisma)$/.test(path))
    const own = texts.filter((path) => path !== 'test/house/rules.test.ts' && !/lock/.test(path))
    expect(own.flatMap((path) => linesOf(path, marks))).toEqual([])
    expect(own.flatMap((path) => linesOf(path, places))).toEqual([])
  })

  test('pages for readers have no date that passes, only ones in the far future', () => {
    const pages = tracked.filter(
      (path) => path === 'README.md' || /^(docs\/[\w-]+|subgraphs\/\w+\/README)\.md$/.test(path),
    )
    expect(pages.flatMap((path) => linesOf(path, /\b20[0-8]\d-[01]\d-[0-3]\d/))).toEqual([])
  })

  test('the lock file names no host', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": *"https?:/)
  })
})

function schemaModels(name: string): { model: string; schema: string }[] {
  const path = `prisma/schema/${name === '_' ? 'kernel' : name}.prisma`
  if (!tracked.includes(path)) return []
  const schema = name === '_' ? 'kernel' : name
  return [...read(path).matchAll(/^model (\w+)/gm)].map(([, model]) => ({
    model: model!.charAt(0).toLowerCase() + model!.slice(1),
    schema,
  }))
}

/** Functions and methods by indentation, which prettier keeps honest. */
function longFunctions(path: string): string[] {
  const lines = read(path).split('\n')
  return lines.flatMap((line, start) => {
    const head =
      /^( *)(export )?(async )?(function\*? \w+|(static )?(async )?[#\w]+\(.*\).*\{$)/.exec(line)
    if (!head || /^ *(if|for|while|switch|test|describe|return)\b/.test(line)) return []
    const end = lines.findIndex(
      (other, index) => index > start && new RegExp(`^${head[1]}\\}[,;)]*$`).test(other),
    )
    return end - start > 70 ? [`${path}:${start + 1} has ${end - start} lines`] : []
  })
}
