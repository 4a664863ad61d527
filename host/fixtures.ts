import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { print } from 'graphql'
import type { Graph } from '../gateway/graph.ts'
import { createOperation } from '../gateway/operation.ts'
import { bankCaller } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { createContext } from '../kernel/environment/context.ts'
import { dateOf } from '../kernel/domain/dates.ts'
import { keyOwner } from '../kernel/writing/attempts.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import { bankContext } from '../kernel/work/worker.ts'
import { fixtureSteps, type FixtureStep } from './fixture-steps.ts'

export const fixturesPath = join(projectRoot, 'prisma', 'fixtures', 'sandbox.graphql')

/**
 * Seeds the sandbox. Executes each fixture that has not been executed on this database yet, in
 * order. A dated fixture is executed as of its date. Throws an Error that names a fixture that was
 * rejected.
 */
export async function seedFixtures(graph: Graph, bank: Bank): Promise<void> {
  const { rows } = await bank.pool.query<{ key: string }>(
    `select key from kernel.idempotency where owner = $1 and key like 'fixture:%'`,
    [keyOwner(bankContext(bank))],
  )
  const executedKeys = new Set(rows.map(({ key }) => key))
  const steps = fixtureSteps(readFileSync(fixturesPath, 'utf8'), dateOf(bank.now()))
  const newSteps = stepsToExecute(steps, executedKeys)
  for (const { key, name, document, variables, happenedAt } of newSteps) {
    const { envelope } = bankContext(bank, key)
    const happenedAtOverride = happenedAt ? { happenedAt } : {}
    const context = createContext(bank, bankCaller, {
      ...envelope,
      idempotencyKey: key,
      ...happenedAtOverride,
    })
    const { errors } = await graph.run(
      createOperation(document, print(document)),
      variables,
      context,
    )
    if (errors) throw new Error(`The fixture ${name} was rejected: ${errors[0]!.message}`)
  }
}

/**
 * Returns the steps that have not been executed yet, except dated steps before an undated step that
 * was already executed. If an earlier version seeded the sandbox, its accounts already have later
 * entries, and entries must be booked in the order of time.
 */
function stepsToExecute(
  steps: readonly FixtureStep[],
  executedKeys: ReadonlySet<string>,
): FixtureStep[] {
  const lastExecutedIndex = steps.findLastIndex(
    ({ key, happenedAt }) => happenedAt === null && executedKeys.has(key),
  )
  return steps.filter(
    ({ key, happenedAt }, index) =>
      !executedKeys.has(key) && (happenedAt === null || index > lastExecutedIndex),
  )
}
