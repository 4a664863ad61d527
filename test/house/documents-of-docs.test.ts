// Each GraphQL document of the documentation is valid against the schema.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const schema = buildSchema(read('gateway/schema.graphql'))

/** Pages whose documents are not for the schema as it is: this one adds records to it. */
const others = ['docs/adding-a-record.md', 'docs/adding-an-endpoint.md']
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: projectRoot, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !others.includes(path))

/**
 * Returns the documents of a page: its GraphQL blocks, the queries of its curl commands, and those of
 * its commands `bankgraph query`.
 */
function documentsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```/gm)]
  return blocks.flatMap(([, language, block]) => {
    if (language === 'graphql') return [block!.replaceAll('_…', '_1')]
    if (language !== 'sh' && language !== 'text') return []
    const sent = [...block!.matchAll(/"query\\?":\\?"(.*?)\\?"\}["']$/gm)].map(([, text]) =>
      unescaped(text!),
    )
    const given = [...block!.matchAll(/bankgraph.* query '([^']*)'/g)].map(([, text]) => text!)
    return [...sent, ...given]
  })
}

/** Undoes the quotes of JSON and of the shell. Variables of the shell become values. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\+"/g, '"')
    .replaceAll(/'\$\w+'/g, '2030-01-01')
    .replaceAll('[$FIXINGS]', '[]')
    .replaceAll(/\$\{\w+%%-\*\}/g, '2030')

describe('The documents of the documentation', () => {
  const withDocuments = pages.filter((page) => documentsOf(read(page)).length > 0)

  test.each(withDocuments)('%s: are valid', (page) => {
    for (const document of documentsOf(read(page))) {
      const errors = validate(schema, parse(document)).map(({ message }) => message)
      expect(errors, document).toEqual([])
    }
  })

  test('are found in the guides', () => {
    expect(withDocuments.length).toBeGreaterThan(20)
    expect(documentsOf(read('docs/earn-interest.md'))).toHaveLength(6)
    expect(documentsOf(read('docs/provide-for-credit-losses.md'))).toHaveLength(6)
  })
})

describe('The command npx', () => {
  /** Packages that the repository installs, which npx then runs without a registry. */
  const installed = ['vitest', 'prettier', 'tsc', 'tsx']

  test.each(pages)('%s: runs no package that a registry would have to name', (page) => {
    const run = [...read(page).matchAll(/\bnpx +(--no-install +)?([@\w/-]+)/g)]
    const fetched = run
      .filter(([, isLocal, name]) => !isLocal && !installed.includes(name!))
      .filter(([command]) => command !== 'npx --no-install')
    expect(fetched.map(([command]) => command)).toEqual([])
  })
})
