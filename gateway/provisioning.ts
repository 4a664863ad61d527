import type { ExecutionResult } from 'graphql'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { catalogue, type ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import { operationOf, type Operation } from './operation.ts'
import { provisionOnce, unfinishedProvisioning } from './provisioning-log.ts'
import {
  applicationSteps,
  provisionApplication,
  provisionCustomer,
  provisionFacility,
  provisionParty,
  provisionProduct,
  provisionSession,
} from './provisioning-steps.ts'

type Provision = (bank: Bank, id: string, operation: string) => Promise<unknown>

interface Provisioning {
  name: string
  provision: Provision
  /** Operations that name the record in their path: it is created for them as well. */
  pathOperations?: readonly string[]
}

/** What the sandbox creates when an operation names a record that does not exist, by the code of the refusal. */
const provisions: Partial<Record<ProblemCode, Provisioning>> = {
  APPLICATION_NOT_FOUND: {
    name: 'application',
    provision: provisionApplication,
    pathOperations: Object.keys(applicationSteps),
  },
  PARTY_NOT_FOUND: { name: 'party', provision: provisionParty },
  CUSTOMER_NOT_FOUND: { name: 'customer', provision: provisionCustomer },
  PRODUCT_NOT_FOUND: { name: 'product', provision: provisionProduct },
  FACILITY_NOT_FOUND: {
    name: 'facility',
    provision: provisionFacility,
    pathOperations: ['createDrawdown', 'createExtraPayment', 'createPaymentHoliday'],
  },
  LOAN_NOT_FOUND: {
    name: 'loan',
    provision: provisionFacility,
    pathOperations: ['createHardshipRequest'],
  },
  SESSION_NOT_FOUND: {
    name: 'session',
    provision: provisionSession,
    pathOperations: ['sendAssistMessage'],
  },
}

const maxProvisions = 5

/** Whether the value of `Sandbox-Strict` asks for the manners of live: `true`, in any case. */
export function isStrictlySent(header: string | string[] | null | undefined): boolean {
  return String(header ?? '').toLowerCase() === 'true'
}

/**
 * Runs an operation. In the sandbox, a record that a mutation names and that does not exist is
 * created in the state the operation needs, and the operation runs again; what was created is kept
 * in the outcome for the `Sandbox-Provisioned` header. Provisioning that a crash cut off is completed
 * when an operation meets what it left. In live, and under `Sandbox-Strict: true`, the refusal stands.
 */
export async function withProvisioning(
  bank: Bank,
  context: Context,
  isStrict: boolean,
  operation: Operation,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  let result = await run()
  if (bank.environment !== 'sandbox' || isStrict || context.caller.partyId) return result
  if (operationOf(operation.document, operation.name)?.operation !== 'mutation') return result
  for (let done = 0; done < maxProvisions; done++) {
    const needed = missingRecord(result) ?? (await unfinishedRecord(bank, result))
    if (!needed) break
    const { name, id, neededBy, provision } = needed
    await provisionOnce(bank, name, id, neededBy, () => provision(bank, id, neededBy))
    context.outcome.provisioned.push(`${name}=${id}`)
    result = await run()
  }
  return result
}

interface Needed extends Provisioning {
  id: string
  /** The operation that the record is provisioned for. */
  neededBy: string
}

/** The record a refusal misses: named in a body (422), or in the path (404) of an operation that needs it. */
function missingRecord({ errors }: ExecutionResult): Needed | null {
  const { code, status, resourceId } = refusalOf(errors)
  const known = code && provisions[code]
  const neededBy = String(errors?.[0]?.path?.[0])
  const isNeeded = status === 422 || known?.pathOperations?.includes(neededBy)
  return known && isNeeded && resourceId ? { ...known, neededBy, id: resourceId } : null
}

/** The record a refusal is about, when its provisioning began and never ended. */
async function unfinishedRecord(bank: Bank, { errors }: ExecutionResult): Promise<Needed | null> {
  const { code, resourceId } = refusalOf(errors)
  const { status } = catalogue[code ?? 'INTERNAL']
  if (!resourceId || (status !== 409 && status !== 422)) return null
  for (const known of Object.values(provisions)) {
    const neededBy = await unfinishedProvisioning(bank, known.name, resourceId)
    if (neededBy) return { ...known, neededBy, id: resourceId }
  }
  return null
}

function refusalOf(errors: ExecutionResult['errors']) {
  return (errors?.[0]?.extensions ?? {}) as {
    code?: ProblemCode
    status?: number
    resourceId?: string
  }
}
