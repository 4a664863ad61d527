import { attemptOf, command, remembered } from '../subgraphs/_kernel/command.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { bankContext } from '../subgraphs/_kernel/worker.ts'

const running = new WeakMap<Bank, Map<string, Promise<void>>>()

/**
 * Provisions a record once for all requests that miss it at the same time. That it began, for which
 * operation, and that it ended is recorded under idempotency keys of the bank's own, so that one that
 * a crash cut off is found.
 */
export function provisionOnce(
  bank: Bank,
  name: string,
  id: string,
  operation: string,
  provision: () => Promise<unknown>,
): Promise<void> {
  let all = running.get(bank)
  if (!all) running.set(bank, (all = new Map()))
  const key = `${name}=${id}`
  let one = all.get(key)
  if (!one) {
    one = run(bank, key, operation, provision).finally(() => all.delete(key))
    all.set(key, one)
  }
  return one
}

async function run(bank: Bank, key: string, operation: string, provision: () => Promise<unknown>) {
  await record(bank, began, key, operation)
  await provision()
  await record(bank, ended, key, operation)
}

/** The operation that a record was to be provisioned for, when that began and never ended; else null. */
export async function unfinishedProvisioning(
  bank: Bank,
  name: string,
  id: string,
): Promise<string | null> {
  const key = `${name}=${id}`
  const start = await find(bank, began, key)
  if (start === null || (await find(bank, ended, key)) !== null) return null
  return start
}

const began = 'sandbox.provisioning-began'
const ended = 'sandbox.provisioning-ended'

async function record(bank: Bank, milestone: string, key: string, operation: string) {
  await command(contextFor(bank, key), milestone, {}, () => Promise.resolve({ result: operation }))
}

async function find(bank: Bank, milestone: string, key: string): Promise<string | null> {
  const context = contextFor(bank, key)
  const found = await remembered(context, attemptOf(context, milestone, {})!)
  return found && (found.answer as string)
}

function contextFor(bank: Bank, idempotencyKey: string): Context {
  const context = bankContext(bank)
  return { ...context, envelope: { ...context.envelope, idempotencyKey } }
}
