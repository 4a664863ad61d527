import { attemptOf, readStoredResponse } from '../kernel/writing/attempts.ts'
import { command } from '../kernel/writing/command.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Context } from '../kernel/environment/context.ts'
import { bankContext } from '../kernel/work/worker.ts'

const runsByBank = new WeakMap<Bank, Map<string, Promise<void>>>()

/**
 * Provisions a record once for all concurrent requests that need it. The start and the end are
 * recorded under internal idempotency keys, so that an interrupted provisioning can be found after
 * a crash. `operation` is stored with both.
 */
export function provisionOnce(
  bank: Bank,
  name: string,
  id: string,
  operation: string,
  provision: () => Promise<unknown>,
): Promise<void> {
  let runs = runsByBank.get(bank)
  if (!runs) runsByBank.set(bank, (runs = new Map()))
  const key = `${name}=${id}`
  let provisioning = runs.get(key)
  if (!provisioning) {
    provisioning = run(bank, key, operation, provision).finally(() => runs.delete(key))
    runs.set(key, provisioning)
  }
  return provisioning
}

async function run(bank: Bank, key: string, operation: string, provision: () => Promise<unknown>) {
  await record(bank, startMilestone, key, operation)
  await provision()
  await record(bank, endMilestone, key, operation)
}

/**
 * Returns the operation for which the provisioning of a record was started and not finished; null
 * if there is no unfinished provisioning.
 */
export async function unfinishedProvisioning(
  bank: Bank,
  name: string,
  id: string,
): Promise<string | null> {
  const key = `${name}=${id}`
  const start = await find(bank, startMilestone, key)
  if (start === null || (await find(bank, endMilestone, key)) !== null) return null
  return start
}

const startMilestone = 'sandbox.provisioning-began'
const endMilestone = 'sandbox.provisioning-ended'

async function record(bank: Bank, milestone: string, key: string, operation: string) {
  await command(contextFor(bank, key), milestone, {}, () => Promise.resolve({ result: operation }))
}

async function find(bank: Bank, milestone: string, key: string): Promise<string | null> {
  const context = contextFor(bank, key)
  const stored = await readStoredResponse(context, attemptOf(context, milestone, {})!)
  return stored && (stored.answer as string)
}

function contextFor(bank: Bank, idempotencyKey: string): Context {
  const context = bankContext(bank)
  return { ...context, envelope: { ...context.envelope, idempotencyKey } }
}
