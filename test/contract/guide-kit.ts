import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kind, parse } from 'graphql'
import { sandboxStaff } from '../../host/staff.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { scopesOf } from '../../subgraphs/staff/domain/roles.ts'
import type { StaffRole } from '../../subgraphs/staff/model/employee.ts'
import type { Platform } from '../kit/platform.ts'
import { expect } from 'vitest'

/** The code blocks of a guide in one language, with this platform's address. */
export function blocksOf(guide: string, language: string, bank: Platform): string[] {
  const text = readFileSync(join(projectRoot, 'docs', guide), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
  const { host } = new URL(bank.url)
  return blocks
    .filter(([, named]) => named === language)
    .map(([, , block]) => block!.replaceAll(/127\.0\.0\.1:400[01]/g, host))
}

export interface Step {
  query: string
  operationName: string
}

/** The operations of a guide, in order. */
export function stepsOf(guide: string, bank: Platform): Step[] {
  return blocksOf(guide, 'graphql', bank).flatMap((query) =>
    parse(query).definitions.map((definition) => {
      const name = definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : null
      if (!name) throw new Error(`${guide} has an operation without a name.`)
      return { query, operationName: name }
    }),
  )
}

/** Returns a token of an employee of the sandbox, with the scopes of their role and no others. */
export function staffToken(bank: Platform, username: string): string {
  const employee = sandboxStaff('').find((each) => each.username === username)
  if (!employee) throw new Error(`The sandbox has no employee ${username}.`)
  return bank.token({ subject: username, scopes: scopesOf(employee.roles as StaffRole[]) })
}

/**
 * Runs the commands of a guide in one shell, in the folder of the bank, and returns their answers: the
 * data of the graph, the body of another answer, or the text that a command prints. Fails if a command
 * does.
 */
export async function resultsOf(guide: string, bank: Platform): Promise<any[]> {
  const commands = blocksOf(guide, 'sh', bank).flatMap((block) =>
    block.split(/\n\n(?=curl |npm run )/),
  )
  const script = commands.map((command) => `${command}\nprintf '\\0'`).join('\n')
  const staff = ['tina', 'liam', 'anna', 'omar'].map((name) => staffToken(bank, name))
  const [tina, liam, anna, omar] = staff
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    // For the command `bankgraph`.
    BANKGRAPH_URL: `${bank.url}/v1`,
    BANKGRAPH_TOKEN: bank.token(),
    TOKEN: bank.token(),
    TINA: tina,
    TELLER_TOKEN: tina,
    STAFF_TOKEN: liam,
    SECOND_TOKEN: anna,
    ANNA: anna,
    OMAR: omar,
    ADA: bank.token({ partyId: 'pty_ada' }),
  }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: projectRoot,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  const printed = stdout.split('\0').slice(0, -1)
  expect(printed, guide).toHaveLength(commands.length)
  return printed
    .map((text, index) => answerOf(text.trim(), commands[index]!))
    .filter((answer) => answer !== '')
}

function answerOf(text: string, command: string): any {
  if (!/^[{[]/.test(text)) return text
  const body = JSON.parse(text)
  expect(body.errors, command).toBeUndefined()
  return body.data ?? body
}
