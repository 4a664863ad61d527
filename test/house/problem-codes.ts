import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { catalog } from '../../kernel/domain/problem.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import '../../subgraphs/index.ts'

/**
 * What a declaration contains itself: problem codes, and identifiers through which it may raise
 * others.
 */
interface Said {
  codes: Set<string>
  names: Set<string>
}

interface SourceFile {
  imports: Map<string, { path: string; name: string }>
  declarations: Map<string, Said>
  complete: Said
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const paths = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'subgraphs/*.ts',
    'kernel/*.ts',
    'ledger/*.ts',
  ],
  { cwd: projectRoot, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('.generated.ts'))
/** The area of a file; undefined in the foundations. */
const areaOf = (path: string) => /^subgraphs\/([^/]+)\//.exec(path)?.[1]

/** Every area, except the foundations. */
export const areas = [...new Set(paths.flatMap((path) => areaOf(path) ?? []))].sort()

const files = new Map(paths.map((path) => [path, parsed(path)]))

function parsed(path: string): SourceFile {
  const tree = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  const imports: SourceFile['imports'] = new Map()
  const declarations: SourceFile['declarations'] = new Map()
  const complete: Said = { codes: new Set(), names: new Set() }
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement)) {
      readImport(path, statement, imports)
      continue
    }
    const described: Said = { codes: new Set(), names: new Set() }
    listen(statement, described)
    for (const code of described.codes) complete.codes.add(code)
    for (const name of described.names) complete.names.add(name)
    for (const name of namesOf(statement)) declarations.set(name, described)
  }
  return { imports, declarations, complete }
}

function readImport(path: string, statement: ts.ImportDeclaration, to: SourceFile['imports']) {
  const from = (statement.moduleSpecifier as ts.StringLiteral).text
  const bindings = statement.importClause?.namedBindings
  if (!from.startsWith('.') || statement.importClause?.isTypeOnly || !bindings) return
  const target = join(dirname(path), from)
  if (ts.isNamespaceImport(bindings)) to.set(bindings.name.text, { path: target, name: '*' })
  else
    for (const { isTypeOnly, name, propertyName } of bindings.elements)
      if (!isTypeOnly) to.set(name.text, { path: target, name: (propertyName ?? name).text })
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}

/** Collects the codes below a node. Codes in comparisons and in types are not raised there. */
function listen(node: ts.Node, described: Said): void {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
  if (ts.isStringLiteral(node) && Object.hasOwn(catalog, node.text) && !isCompared(node))
    described.codes.add(node.text)
  if (ts.isIdentifier(node)) described.names.add(node.text)
  ts.forEachChild(node, (child) => listen(child, described))
}

function isCompared({ parent }: ts.Node): boolean {
  if (ts.isCaseClause(parent)) return true
  const { EqualsEqualsEqualsToken: same, ExclamationEqualsEqualsToken: other } = ts.SyntaxKind
  return ts.isBinaryExpression(parent) && [same, other].includes(parent.operatorToken.kind as never)
}

/**
 * The codes that a declaration of the foundations may raise, itself or through other declarations.
 */
function raisedBy(path: string, name: string, seen = new Set<string>()): Set<string> {
  const codes = new Set<string>()
  const file = files.get(path)
  const key = `${path} ${name}`
  // The catalog contains every code and raises none.
  if (!file || seen.has(key) || areaOf(path) !== undefined) return codes
  seen.add(key)
  const described = name === '*' ? file.complete : file.declarations.get(name)
  const add = (more: Set<string>) => more.forEach((code) => codes.add(code))
  if (!described) return codes
  add(described.codes)
  for (const used of described.names) {
    const from = file.imports.get(used)
    if (from) add(raisedBy(from.path, from.name, seen))
    else if (used !== name && file.declarations.has(used)) add(raisedBy(path, used, seen))
  }
  return codes
}

/**
 * Codes that any request may return, and those that the description of an operation names: documented
 * once, not in each area.
 */
const common = new Set([
  'INSUFFICIENT_SCOPE',
  'PERSON_REQUIRED',
  'VALIDATION_FAILED',
  'INTERNAL',
  'TIMEOUT',
  ...[
    ['kernel/writing/command.ts', 'command'],
    ['kernel/graph/connection.ts', 'readPage'],
    ['kernel/authorization/auth.ts', 'Requires'],
    ['kernel/graph/scalars.ts', '*'],
  ].flatMap(([path, name]) => [...raisedBy(path!, name!)]),
])

/** The codes that the code of an area raises, itself or through the foundations, sorted. */
export function codesOf(area: string): string[] {
  const codes = new Set<string>()
  for (const [path, { complete, imports }] of files) {
    if (areaOf(path) !== area) continue
    for (const code of complete.codes) codes.add(code)
    for (const [local, { path: from, name }] of imports)
      if (complete.names.has(local)) for (const code of raisedBy(from, name)) codes.add(code)
  }
  return [...codes].filter((code) => !common.has(code)).sort()
}

const block = /<!-- problem codes -->[^]*?<!-- end -->/

/**
 * The README of an area, before and after its list of problem codes between the markers is redrawn.
 */
export function withCodes(area: string): { path: string; before: string; after: string } {
  const path = join(projectRoot, 'subgraphs', area, 'README.md')
  const before = readFileSync(path, 'utf8')
  const list = codesOf(area)
    .map((code) => `\`${code}\``)
    .join(' ')
  const lines = list.replaceAll(/(.{1,140})(?: |$)/g, '$1\n')
  const drawn = `<!-- problem codes -->\n\n${lines}\n<!-- end -->`
  const after = block.test(before)
    ? before.replace(block, drawn)
    : `${before.trimEnd()}\n\n## Problem codes\n\n${drawn}\n`
  return { path, before, after }
}
