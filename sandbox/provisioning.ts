import type { ExecutionResult } from 'graphql'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Context } from '../kernel/environment/context.ts'
import { catalog, type ProblemCode } from '../kernel/domain/problem.ts'
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
  /**
   * The operations that refer to the record by their path. By default, a record is created only if
   * the input of an operation refers to it.
   */
  pathOperations?: readonly string[]
}

/** The kinds of records that the sandbox can create, by the problem code of a missing record. */
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

/**
 * Whether the header `Sandbox-Strict` is `true`, which disables provisioning. Ignores letter case.
 */
export function isStrictlySent(header: string | string[] | null | undefined): boolean {
  return String(header ?? '').toLowerCase() === 'true'
}

/**
 * Runs a mutation. In the sandbox, if the mutation refers to a record that does not exist, the
 * record is created in the state that the mutation requires, and the mutation runs again. The
 * response header `Sandbox-Provisioned` lists the created records.
 *
 * If a crash interrupted the provisioning of a record, the provisioning is completed when a later
 * mutation fails because of that record. Nothing is created in live, for delegated users, or with
 * `Sandbox-Strict: true`.
 */
export async function withProvisioning(
  bank: Bank,
  context: Context,
  isStrict: boolean,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  let result = await run()
  if (bank.environment !== 'sandbox' || isStrict || context.caller.partyId) return result
  for (let count = 0; count < maxProvisions; count++) {
    const missing = missingRecord(result) ?? (await unfinishedRecord(bank, result))
    if (!missing) break
    const { name, id, neededBy, provision } = missing
    await provisionOnce(bank, name, id, neededBy, () => provision(bank, id, neededBy))
    context.outcome.provisioned.push(`${name}=${id}`)
    result = await run()
  }
  return result
}

interface MissingRecord extends Provisioning {
  id: string
  /** The operation that requires the record. */
  neededBy: string
}

/**
 * Returns the missing record to which an error refers; null if it cannot be provisioned. With
 * status 422, the input refers to the record. With status 404, the path does.
 */
function missingRecord({ errors }: ExecutionResult): MissingRecord | null {
  const { code, status, resourceId } = firstErrorOf(errors)
  const provisioning = code && provisions[code]
  const neededBy = String(errors?.[0]?.path?.[0])
  const isNeeded = status === 422 || provisioning?.pathOperations?.includes(neededBy)
  return provisioning && isNeeded && resourceId
    ? { ...provisioning, neededBy, id: resourceId }
    : null
}

/** Returns the record of an error if its provisioning was interrupted; null otherwise. */
async function unfinishedRecord(
  bank: Bank,
  { errors }: ExecutionResult,
): Promise<MissingRecord | null> {
  const { code, resourceId } = firstErrorOf(errors)
  const { status } = catalog[code ?? 'INTERNAL']
  if (!resourceId || (status !== 409 && status !== 422)) return null
  for (const provisioning of Object.values(provisions)) {
    const neededBy = await unfinishedProvisioning(bank, provisioning.name, resourceId)
    if (neededBy) return { ...provisioning, neededBy, id: resourceId }
  }
  return null
}

function firstErrorOf(errors: ExecutionResult['errors']) {
  return (errors?.[0]?.extensions ?? {}) as {
    code?: ProblemCode
    status?: number
    resourceId?: string
  }
}
