import { styleText } from 'node:util'
import { BankProblem, ConnectionFailure } from '../src/index.ts'
import { environment } from './environment.ts'
import { Failure } from './failure.ts'

type Style = Parameters<typeof styleText>[0]

/** Writes results to standard output, and everything else to standard error. */
export class Output {
  readonly isJson: boolean

  constructor(isJson: boolean) {
    this.isJson = isJson
  }

  /** Writes one line. */
  line(text: string): void {
    process.stdout.write(`${text}\n`)
  }

  /** Writes a value: on one line with `--json`, else readable and, on a terminal, in colors. */
  value(value: unknown): void {
    this.line(this.isJson ? JSON.stringify(value) : colored(JSON.stringify(value, null, 2)))
  }

  /** Writes a remark for the person at the terminal. */
  note(text: string): void {
    process.stderr.write(`${styled('dim', text, process.stderr)}\n`)
  }

  /** Shows the progress of long work on one line of the terminal; nothing where there is none. */
  progress(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
  }

  /** Explains an error. With `--json`, a problem is written as the bank sent it. */
  failure(error: unknown): void {
    if (error instanceof BankProblem) {
      if (this.isJson) process.stderr.write(`${JSON.stringify(error.members)}\n`)
      else process.stderr.write(`${problemText(error)}\n`)
      return
    }
    const isExpected = error instanceof Failure || error instanceof ConnectionFailure
    const text = isExpected ? error.message : String((error as Error).stack ?? error)
    process.stderr.write(`${styled('red', text, process.stderr)}\n`)
  }
}

function problemText(problem: BankProblem): string {
  const lines = [
    styled('red', `${problem.status} ${problem.code}: ${problem.message}`, process.stderr),
  ]
  for (const { pointer, parameter, header, detail, allowed } of problem.errors) {
    const values = allowed?.length ? ` Allowed: ${allowed.join(', ')}.` : ''
    lines.push(`  ${pointer ?? parameter ?? header ?? ''} ${detail}${values}`)
  }
  if (problem.requestId) lines.push(styled('dim', `  request ${problem.requestId}`, process.stderr))
  return lines.join('\n')
}

/** Applies a style where colors are shown: on a terminal, unless `NO_COLOR` is set. */
export function styled(
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  const isColored = stream.isTTY && !environment['NO_COLOR']
  return isColored ? styleText(style, text) : text
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g

/** Colors the names and values of a JSON text. */
function colored(json: string): string {
  return json.replace(tokens, (token: string, text?: string, colon?: string) => {
    if (text === undefined) return styled('yellow', token)
    return colon === undefined ? styled('green', text) : styled('cyan', text) + colon
  })
}
