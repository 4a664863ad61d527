import { readFile } from 'node:fs/promises'
import { Failure } from './failure.ts'

/** Reads standard input to its end. */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns a text that is given directly, as `@file`, or as `-` for standard input. */
export function readText(given: string): Promise<string> {
  if (given === '-') return readStandardInput()
  return given.startsWith('@') ? readFile(given.slice(1), 'utf8') : Promise.resolve(given)
}

/** Returns a JSON object. Throws a Failure that names what is wrong. */
export function parseObject(text: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failure(`${name} is not JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new Failure(`${name} must be a JSON object.`)
}

/**
 * Sets members such as `amount.currency=EUR` in an object. A value that is JSON is parsed, so that
 * `count=3` is a number; `count='"3"'` is a string. Numbers with a decimal point and members named
 * `amount` stay strings, as the bank reads amounts and rates.
 */
export function setMembers(target: Record<string, unknown>, settings: readonly string[]): void {
  for (const setting of settings) {
    const separator = setting.indexOf('=')
    if (separator < 1)
      throw new Failure(`--set needs a name and a value, such as a.b=c, not ${setting}.`)
    const names = setting.slice(0, separator).split('.')
    let object = target
    for (const name of names.slice(0, -1)) {
      const next = object[name]
      object = (object[name] =
        typeof next === 'object' && next !== null ? next : {}) as typeof target
    }
    const name = names.at(-1)!
    object[name] = valueFrom(name, setting.slice(separator + 1))
  }
}

const decimal = /^-?\d+\.\d+$/
const number = /^-?\d+(\.\d+)?$/

function valueFrom(name: string, text: string): unknown {
  if (decimal.test(text) || (name === 'amount' && number.test(text))) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const units = { d: 1, w: 7 } as const

/**
 * Returns the time that is a duration such as `10d`, `2w`, `1m` (months) or `1y` after another, or
 * before it with the direction -1. A month later than the last day of January is the last day of
 * February. Throws a Failure.
 */
export function addDuration(from: Date, duration: string, direction: 1 | -1 = 1): Date {
  const [, digits, unit] = /^(\d{1,4})([dwmy])$/.exec(duration) ?? []
  if (!digits) throw new Failure('Give a duration such as 10d, 2w, 1m (months) or 1y.')
  const count = direction * Number(digits)
  const time = new Date(from)
  if (unit === 'd' || unit === 'w') time.setUTCDate(time.getUTCDate() + count * units[unit])
  else {
    const day = time.getUTCDate()
    time.setUTCDate(1)
    time.setUTCMonth(time.getUTCMonth() + count * (unit === 'y' ? 12 : 1))
    const lastDay = new Date(
      Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0),
    ).getUTCDate()
    time.setUTCDate(Math.min(day, lastDay))
  }
  return time
}
