import type { ExecutionResult } from 'graphql'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import type { ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import {
  ProvisionCustomerDocument,
  ProvisionPartyDocument,
  ProvisionProductDocument,
} from './provisioning.generated.ts'

type Provision = (bank: Bank, id: string) => Promise<unknown>

/** What the sandbox creates when an operation names a record that is not there, by the code of the refusal. */
const provisions: Partial<Record<ProblemCode, { name: string; provision: Provision }>> = {
  PARTY_NOT_FOUND: {
    name: 'party',
    provision: (bank, partyId) => bank.ask(ProvisionPartyDocument, { partyId }),
  },
  CUSTOMER_NOT_FOUND: { name: 'customer', provision: provisionCustomer },
  PRODUCT_NOT_FOUND: {
    name: 'product',
    provision: (bank, productId) => bank.ask(ProvisionProductDocument, { productId }),
  },
}

const mostProvisions = 5

/**
 * Runs an operation. In the sandbox, a record that the body of a mutation names and nobody has
 * created yet is created in the state the operation needs, and the operation runs again; what was
 * created is kept in the outcome for the answer's `Sandbox-Provisioned` header. Live, and under
 * `Sandbox-Strict: true`, the refusal stands.
 */
export async function withProvisioning(
  bank: Bank,
  context: Context,
  isStrict: boolean,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  let result = await run()
  if (bank.environment !== 'sandbox' || isStrict || context.caller.partyId) return result
  for (let done = 0; done < mostProvisions; done++) {
    const missing = missingRecord(result)
    if (!missing) break
    await missing.provision(bank, missing.id)
    context.outcome.provisioned.push(`${missing.name}=${missing.id}`)
    result = await run()
  }
  return result
}

/** The record a refusal misses: named in a body (422), not asked for by its own id (404). */
function missingRecord({ errors }: ExecutionResult) {
  const { code, status, resourceId } = (errors?.[0]?.extensions ?? {}) as {
    code?: ProblemCode
    status?: number
    resourceId?: string
  }
  const known = code && provisions[code]
  return known && status === 422 && resourceId ? { ...known, id: resourceId } : undefined
}

async function provisionCustomer(bank: Bank, customerId: string): Promise<void> {
  const partyId = `pty_${customerId.replace(/^cus_/, '')}`.slice(0, 64)
  const kycExpiresOn = `${bank.now().getUTCFullYear() + 5}-12-31`
  await bank.ask(ProvisionCustomerDocument, { partyId, customerId, kycExpiresOn })
}
