import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, parse } from 'graphql'
import { sandboxStaff } from '../../host/staff.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { scopesOf } from '../../subgraphs/staff/domain/roles.ts'
import type { StaffRole } from '../../subgraphs/staff/model/employee.ts'
import type { Platform } from '../kit/platform.ts'

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
