import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('.generated.ts'))
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const sources = tracked.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('prisma/client'))
const program = sources.filter((path) => !path.startsWith('test/'))
const subgraphNames = [
  ...new Set(program.map((path) => /^subgraphs\/([a-z][a-z-]*)\//.exec(path)?.[1])),
].filter((name) => name !== undefined)

/** Every line of a file that matches, as `path:line text`. */
function linesOf(path: string, pattern: RegExp): string[] {
  return read(path)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
}

describe('Source size', () => {
  test('no file has more than 300 lines', () => {
    const long = sources.filter((path) => read(path).split('\n').length > 301)
    expect(long).toEqual([])
  })

  test('no function has more than 70 lines', () => {
    expect(program.flatMap(longFunctions)).toEqual([])
  })
})

describe('Domain code and models', () => {
  const isDomain = (path: string) => /\/(domain|model)\//.test(path)
  const domain = program.filter(isDomain)
  // Descriptions in the model of payments name the rails.
  const allowed = ['decimal.js', 'subgraphs/payments/rails/registry.ts']

  test('imports only domain code, models and decimal.js', () => {
    const foreign = domain.flatMap((path) =>
      [...read(path).matchAll(/^(?:import|export) [^'"]* from '([^']+)'/gm)]
        .map(([, from]) => (from!.startsWith('.') ? join(dirname(path), from!) : from!))
        .filter((from) => !isDomain(from) && !allowed.includes(from))
        .map((from) => `${path} imports ${from}`),
    )
    expect(foreign).toEqual([])
  })

  test('does not read the clock, generate ids or use randomness', () => {
    const impure = /\bDate\.now\(|new Date\(\)|Math\.random|randomUUID|randomBytes|process\./
    expect(domain.flatMap((path) => linesOf(path, impure))).toEqual([])
  })
})

describe('Settings and time', () => {
  test('process.env is read where the program starts and nowhere else', () => {
    const allowed = new Set([
      'main.ts',
      'kernel/environment/config.ts',
      'sdk/cli/environment.ts',
      // The only way to switch off the gateway library's usage reports.
      'gateway/graph.ts',
      // PostgreSQL's programs get PATH and no other variable.
      'host/postgres-cluster.ts',
    ])
    const readers = program.filter((path) => !allowed.has(path) && !path.startsWith('scripts/'))
    expect(readers.flatMap((path) => linesOf(path, /process\.env/))).toEqual([])
  })

  test('the client address of a request is read in one place', () => {
    const readers = program.filter((path) => path !== 'gateway/address.ts')
    const pattern = /remoteAddress|\brequest\.ips?\b|trustProxy|x-forwarded-for/i
    expect(readers.flatMap((path) => linesOf(path, pattern))).toEqual([])
  })

  test('no code reads NODE_ENV', () => {
    expect(program.flatMap((path) => linesOf(path, /NODE_ENV/))).toEqual([])
  })

  test('the pagination arguments are declared in one place', () => {
    // The event log is paginated by position.
    const own = ['kernel/graph/connection.ts', 'subgraphs/events/graph/business-event.resolver.ts']
    const resolvers = program.filter((path) => !own.includes(path))
    const pattern = /@Arg\('first'|@Arg\('after', \(\) => String/
    expect(resolvers.flatMap((path) => linesOf(path, pattern))).toEqual([])
  })

  test('subgraphs take the current time from the context', () => {
    const inSubgraphs = program.filter((path) => /^subgraphs\/[a-z]/.test(path))
    expect(inSubgraphs.flatMap((path) => linesOf(path, /\bDate\.now\(|new Date\(\)/))).toEqual([])
  })
})

test('code that opens a database session handles its errors, which would end the process', () => {
  const openers = program.filter(
    (path) =>
      linesOf(path, /from 'undici'/).length === 0 &&
      linesOf(path, /new (?:pg\.)?(?:Client|Pool)\(|\b(?:pool|locks)\.connect\(/).length > 0,
  )
  expect(openers.length).toBeGreaterThan(4)
  expect(openers.filter((path) => linesOf(path, /\.on\('error'/).length === 0)).toEqual([])
})

describe('Data ownership', () => {
  test.each(subgraphNames)('SQL in %s names only its own schema and the kernel’s', (name) => {
    const others = subgraphNames.filter((other) => other !== name)
    const tables = [...others.map((other) => tablesOf(other)), 'oauth\\.[a-z_]+']
    const own = program.filter((path) => path.startsWith(`subgraphs/${name}/`))
    const foreign = new RegExp(
      `\\b(from|join|into|update|table|insert\\(|update\\(|updateMany\\()\\s*'?(${tables.join('|')})`,
      'i',
    )
    expect(own.flatMap((path) => linesOf(path, foreign))).toEqual([])
  })

  test.each(subgraphNames)('%s uses only the models of its own schema and the kernel’s', (name) => {
    const models = [...schemaModels('_'), ...subgraphNames.flatMap((other) => schemaModels(other))]
    const foreign = models.filter(({ schema }) => schema !== name && schema !== 'kernel')
    const own = program.filter((path) => path.startsWith(`subgraphs/${name}/`))
    if (foreign.length === 0) return
    const pattern = new RegExp(`\\bdb\\.(${foreign.map(({ model }) => model).join('|')})\\b`)
    expect(own.flatMap((path) => linesOf(path, pattern))).toEqual([])
  })
})

describe('Published text', () => {
  test('every subgraph has a README', () => {
    const missing = subgraphNames.filter((name) => !tracked.includes(`subgraphs/${name}/README.md`))
    expect(missing).toEqual([])
  })

  test('no tracked file contains a TODO marker or a path of a developer’s machine', () => {
    const marks = new RegExp(['TODO', 'FIXME', 'XXX', 'not implemented'].join('|'))
    const places = /(^|[^.\w])\/(work|farm|root|home\/\w+)\/[a-z]/
    const texts = tracked.filter((path) => /\.(ts|mjs|md|yml|json|sql|prisma)$/.test(path))
    const own = texts.filter((path) => path !== 'test/house/rules.test.ts' && !/lock/.test(path))
    expect(own.flatMap((path) => linesOf(path, marks))).toEqual([])
    expect(own.flatMap((path) => linesOf(path, places))).toEqual([])
  })

  test('documentation pages contain no dates before 2090', () => {
    const pages = tracked.filter(
      (path) => path === 'README.md' || /^(docs\/[\w-]+|subgraphs\/\w+\/README)\.md$/.test(path),
    )
    expect(pages.flatMap((path) => linesOf(path, /\b20[0-8]\d-[01]\d-[0-3]\d/))).toEqual([])
  })

  test('the lock file contains no registry URLs', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": *"https?:/)
  })
})

/** The tables of an area. Those of fees are in the schema in which they were created. */
function tablesOf(name: string): string {
  if (name === 'fees') return 'operations\\.fee_[a-z_]+'
  const schema = name.replaceAll('-', '_')
  return name === 'operations' ? 'operations\\.(?!fee_)[a-z_]+' : `${schema}\\.[a-z_]+`
}

function schemaModels(name: string): { model: string; schema: string }[] {
  const path = `prisma/schema/${name === '_' ? 'kernel' : name}.prisma`
  if (!tracked.includes(path)) return []
  const schema = name === '_' ? 'kernel' : name
  return [...read(path).matchAll(/^model (\w+)/gm)].map(([, model]) => ({
    model: model!.charAt(0).toLowerCase() + model!.slice(1),
    schema,
  }))
}

/** Functions and methods that are too long, found by the indentation that prettier guarantees. */
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
