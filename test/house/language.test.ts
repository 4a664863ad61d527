import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && path !== 'test/house/language.test.ts')

/**
 * Words of a former private language, as parts of names, with the field's term. A word is added
 * once the code no longer uses it; docs/glossary.md has the terms.
 */
const banned: Record<string, string> = {
  acts: 'actions',
  asked: 'request, input, requested',
  bell: 'signal',
  bury: 'move to dead letters',
  carrier: 'broker, provider',
  desk: 'batcher, test bank',
  door: 'server, endpoint',
  forget: 'delete, evict',
  furnish: 'seed',
  happening: 'event',
  headcount: 'connection counter',
  longest: 'max … length',
  most: 'max',
  passport: 'service token',
  premises: 'decision inputs',
  purse: 'available funds',
  remembered: 'stored, cached',
  seal: 'sign, encrypt, checkpoint',
  sealed: 'signed, encrypted',
  told: 'emitted, event',
  trespass: 'foreign access',
  // British spelling
  authorisation: 'authorization',
  behaviour: 'behavior',
  catalogue: 'catalog',
  instalment: 'installment',
  instalments: 'installments',
}
/** `actsFor` lists the people an OAuth client acts for; `nextInstalment` is a member of REST bodies. */
const allowed = new Set(['nextInstalment', 'acts_for', 'actsFor', 'maxActsFor', 'requireActsFor'])
/** Wire values that are keys of a record keep their spelling. */
const wireKeys = new Set(['affectedInstalments', 'organisation', 'capitalise', 'authorisation'])

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/**
 * The first banned word. `most` is banned only at the start of a name, so `hasAtMost` is allowed.
 */
const bannedIn = (words: readonly string[]) =>
  words.find((word, at) => Object.hasOwn(banned, word) && (at === 0 || word !== 'most'))

/** Problem codes are part of the contract and keep their spelling. */
const isCode = (name: string) => /^[A-Z0-9_]+$/.test(name)

function namesIn(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(projectRoot, path), 'utf8'),
    ts.ScriptTarget.Latest,
  )
  const names = new Set<string>()
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...names]
}

test('names in code use the field’s terms and American spelling', () => {
  const found = files.flatMap((path) =>
    namesIn(path)
      .filter((name) => !allowed.has(name) && !wireKeys.has(name) && !isCode(name))
      .flatMap((name) => {
        const word = bannedIn(wordsOf(name.replace(/^#/, '')))
        return word ? [`${path}: ${name} (say: ${banned[word]})`] : []
      }),
  )
  expect(found).toEqual([])
})

test('file names use the field’s terms and American spelling', () => {
  const found = files.filter((path) => bannedIn(path.split(/[^a-z]+/i)) !== undefined)
  expect(found).toEqual([])
})
