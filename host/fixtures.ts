import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, parse, print, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import type { Graph } from '../gateway/graph.ts'
import { prepare } from '../gateway/operation.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { addDays, dateOf, type LocalDate } from '../subgraphs/_kernel/domain/dates.ts'
import { keyOwner } from '../subgraphs/_kernel/command.ts'
import { projectRoot } from '../subgraphs/_kernel/root.ts'
import { bankContext } from '../subgraphs/_kernel/worker.ts'

const path = join(projectRoot, 'prisma', 'fixtures', 'sandbox.graphql')

/**
 * Makes what the sandbox holds from the start: runs each mutation of the fixtures that has not run
 * on this database yet, in their order. Throws, naming the mutation, when one is refused.
 */
export async function makeFixtures(graph: Graph, bank: Bank): Promise<void> {
  const { rows } = await bank.pool.query<{ key: string }>(
    `select key from kernel.idempotency where owner = $1 and key like 'fixture:%'`,
    [keyOwner(bankContext(bank))],
  )
  const done = new Set(rows.map(({ key }) => key))
  for (const [name, document] of mutations()) {
    const key = `fixture:${name}`
    if (done.has(key)) continue
    const context = bankContext(bank, key)
    context.envelope.idempotencyKey = key
    const variables = variablesOf(document, dateOf(context.now()))
    const { errors } = await graph.run(prepare(document, print(document)), variables, context)
    if (errors) throw new Error(`The fixture ${name} was refused: ${errors[0]!.message}`)
  }
}

/** Fixtures may ask for dates by the name of a variable: `$today`, `$daysAgo100`. */
function variablesOf(document: DocumentNode, today: LocalDate): Record<string, LocalDate> {
  const { variableDefinitions = [] } = operationOf(document)
  return Object.fromEntries(
    variableDefinitions.map(({ variable: { name } }) => {
      const days = name.value === 'today' ? '0' : /^daysAgo(\d{1,4})$/.exec(name.value)?.[1]
      if (days === undefined) throw new Error(`No fixture knows what $${name.value} is.`)
      return [name.value, addDays(today, -Number(days))]
    }),
  )
}

function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  return definitions[0] as OperationDefinitionNode
}

function mutations(): [string, DocumentNode][] {
  return parse(readFileSync(path, 'utf8')).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [[definition.name!.value, { kind: Kind.DOCUMENT, definitions: [definition] }]]
      : [],
  )
}
