import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'

/** Codes for invalid input: their problems must list each error with its pointer. */
const codes = [
  'VALIDATION_FAILED',
  'UNKNOWN_PROPERTY',
  'UNKNOWN_EVENT_TYPE',
  'PAGE_SIZE_INVALID',
  'PAGE_TOKEN_INVALID',
  'PAGE_TOKEN_EXPIRED',
  'INVALID_AMOUNT',
  'INVALID_DATE_RANGE',
  'INVALID_IBAN',
  'INVALID_INITIAL_STATUS',
]
const program = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'],
  { cwd: projectRoot, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && !/^(test|scripts)\//.test(path))

test('every problem for invalid input is raised with a list of errors', () => {
  const calls = program.flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8')
    return [...text.matchAll(new RegExp(`new Problem\\(\\s*'(${codes.join('|')})'`, 'g'))].map(
      ({ index }) => ({ path, call: callAt(text, index) }),
    )
  })
  expect(calls.length).toBeGreaterThan(25)
  expect(calls.filter(({ call }) => !/\berrors\b/.test(call))).toEqual([])
})

/** The text of a call up to its closing parenthesis. */
function callAt(text: string, start: number): string {
  let depth = 0
  for (let at = text.indexOf('(', start); at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}
