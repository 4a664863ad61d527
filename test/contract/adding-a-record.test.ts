// Follows the guide literally in a copy of the project: its files, its edits and its commands.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

interface Block {
  language: string
  text: string
  /** The file that the paragraph before the block names. */
  path: string | undefined
  isAppended: boolean
}

/** The code blocks of the guide. The last path in the paragraph before a block is its file. */
async function readBlocks(): Promise<Block[]> {
  const page = await readFile(join(projectRoot, 'docs', 'adding-a-record.md'), 'utf8')
  const blocks = page.matchAll(/([^\n]+)\n\n```(\w+)\n([\s\S]*?)^```/gm)
  return [...blocks].map(([, paragraph, language, text]) => ({
    language: language!,
    text: text!,
    path: [...paragraph!.matchAll(/`([\w./-]+\/[\w.-]+\.\w+)`/g)].at(-1)?.[1],
    isAppended: paragraph!.includes(' to the end of '),
  }))
}

async function filesOf(...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', ...args], { cwd: projectRoot })
  return stdout.split('\n').filter((path) => path !== '')
}

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'bankgraph-guide-'))
  const tracked = await filesOf('--cached', '--others', '--exclude-standard')
  // The reader starts in a clone that is set up, which has these files and the built console.
  const generated = await filesOf('--others', '--ignored', '--exclude-standard', '*.generated.ts')
  for (const path of [...tracked, ...generated]) {
    await cp(join(projectRoot, path), join(copy, path))
  }
  await cp(join(projectRoot, 'dist', 'console'), join(copy, 'dist', 'console'), { recursive: true })
  await symlink(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** Runs a command in the copy, and fails with its output. */
async function run(command: string): Promise<void> {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  await promisify(execFile)('bash', ['-c', command], { cwd: copy, env }).catch((error) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command}\n${stdout}\n${stderr}`, { cause: error })
  })
}

/** Applies a block: runs commands, edits a file, or creates one. */
async function apply({ language, text, path, isAppended }: Block): Promise<void> {
  if (language === 'sh') return run(text)
  if (path === undefined) throw new Error(`The guide names no file for this block:\n${text}`)
  const file = join(copy, path)
  if (language === 'diff') return edit(file, text)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text, { flag: isAppended ? 'a' : 'wx' })
}

/** Adds the lines with `+` to a file, where the lines before and after them are. */
async function edit(file: string, diff: string): Promise<void> {
  let content = await readFile(file, 'utf8')
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.trimEnd().split('\n')
    const after = textOf(lines)
    const before = textOf(lines.filter((line) => !line.startsWith('+')))
    const pieces = `\n${content}`.split(before)
    if (pieces.length !== 2)
      throw new Error(`${file} has this ${pieces.length - 1} times:${before}`)
    content = pieces.join(after).slice(1)
  }
  await writeFile(file, content)
}

const textOf = (lines: readonly string[]) =>
  `\n${lines.map((line) => `${line.slice(1)}\n`).join('')}`

test('the guide to records produces a record that is formatted, typed, and passes its test', async () => {
  const blocks = await readBlocks()
  expect(blocks.length).toBeGreaterThan(15)
  for (const block of blocks) await apply(block)
  const paths = new Set(blocks.flatMap(({ path }) => path ?? []))
  // The test would load the types of the whole program.
  const code = [...paths].filter((path) => /^(?!test\/).*\.ts$/.test(path))
  await run(
    `npx prettier --check ${[...paths].filter((path) => /ts$|graphql$/.test(path)).join(' ')}`,
  )
  const config = { extends: './tsconfig.json', include: code }
  await writeFile(join(copy, 'tsconfig.guide.json'), JSON.stringify(config))
  await run('npx tsc -p tsconfig.guide.json')
}, 480_000)
