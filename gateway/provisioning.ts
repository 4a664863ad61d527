import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ExecutionResult } from 'graphql'
import { operationOf, type Operation } from './operation.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { addDays, dateOf } from '../subgraphs/_kernel/domain/dates.ts'
import type { ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import {
  ProvisionApplicationDocument,
  ProvisionApprovalDocument,
  ProvisionCustomerDocument,
  ProvisionFacilityDocument,
  ProvisionLendableDocument,
  ProvisionPartyDocument,
  ProvisionProductDocument,
  ProvisionSessionDocument,
  ProvisionSubmissionDocument,
} from './provisioning.generated.ts'

type Provision = (bank: Bank, id: string, operation: string) => Promise<unknown>

interface Provisioning {
  name: string
  provision: Provision
  /** The operations that ask for the record itself, not in their body: it is created for them as well. */
  askedBy?: readonly string[]
}

/** What each operation on an application needs done to it first. */
const stepsToApplication: Readonly<Record<string, readonly Step[]>> = {
  submitCreditApplication: [],
  recordCreditDecision: [ProvisionSubmissionDocument],
  acceptLoanTerms: [ProvisionSubmissionDocument, ProvisionApprovalDocument],
}
type Step = TypedDocumentNode<unknown, { applicationId: string }>

/** What the sandbox creates when an operation names a record that is not there, by the code of the refusal. */
const provisions: Partial<Record<ProblemCode, Provisioning>> = {
  APPLICATION_NOT_FOUND: {
    name: 'application',
    provision: provisionApplication,
    askedBy: Object.keys(stepsToApplication),
  },
  PARTY_NOT_FOUND: {
    name: 'party',
    provision: (bank, partyId) => bank.ask(ProvisionPartyDocument, { partyId }),
  },
  CUSTOMER_NOT_FOUND: { name: 'customer', provision: provisionCustomer },
  PRODUCT_NOT_FOUND: {
    name: 'product',
    provision: (bank, productId) => bank.ask(ProvisionProductDocument, { productId }),
  },
  FACILITY_NOT_FOUND: {
    name: 'facility',
    provision: provisionFacility,
    askedBy: ['createDrawdown', 'createExtraPayment', 'createPaymentHoliday'],
  },
  LOAN_NOT_FOUND: {
    name: 'loan',
    provision: provisionFacility,
    askedBy: ['createHardshipRequest'],
  },
  SESSION_NOT_FOUND: {
    name: 'session',
    provision: (bank, sessionId) => bank.ask(ProvisionSessionDocument, { sessionId }),
    askedBy: ['sendAssistMessage'],
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
  operation: Operation,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  let result = await run()
  if (bank.environment !== 'sandbox' || isStrict || context.caller.partyId) return result
  const isMutation = operationOf(operation.document, operation.name)?.operation === 'mutation'
  for (let done = 0; done < mostProvisions; done++) {
    const missing = isMutation && missingRecord(result)
    if (!missing) break
    const made = `${missing.name}=${missing.id}`
    await once(bank, made, () => missing.provision(bank, missing.id, missing.operation))
    context.outcome.provisioned.push(made)
    result = await run()
  }
  return result
}

const underWay = new WeakMap<Bank, Map<string, Promise<unknown>>>()

/** Makes a record once for all requests that miss it at the same time: its steps are not to be taken twice. */
function once(bank: Bank, name: string, make: () => Promise<unknown>): Promise<unknown> {
  let running = underWay.get(bank)
  if (!running) underWay.set(bank, (running = new Map()))
  let making = running.get(name)
  if (!making) {
    making = make().finally(() => running.delete(name))
    running.set(name, making)
  }
  return making
}

/** The record a refusal misses: named in a body (422), or asked for (404) by an operation that needs it. */
function missingRecord({ errors }: ExecutionResult) {
  const { code, status, resourceId } = (errors?.[0]?.extensions ?? {}) as {
    code?: ProblemCode
    status?: number
    resourceId?: string
  }
  const known = code && provisions[code]
  const operation = String(errors?.[0]?.path?.[0])
  const isNeeded = status === 422 || known?.askedBy?.includes(operation)
  return known && isNeeded && resourceId ? { ...known, operation, id: resourceId } : undefined
}

async function provisionCustomer(bank: Bank, customerId: string): Promise<void> {
  const partyId = `pty_${customerId.replace(/^cus_/, '')}`.slice(0, 64)
  const kycExpiresOn = `${bank.now().getUTCFullYear() + 5}-12-31`
  await bank.ask(ProvisionCustomerDocument, { partyId, customerId, kycExpiresOn })
}

/** An application of a customer of its own, in the state that the operation needs. */
async function provisionApplication(bank: Bank, applicationId: string, operation: string) {
  const name = applicationId.replace(/^app_/, '').slice(0, 60)
  const [customerId, arrangementId] = [`cus_${name}`, `arr_${name}`]
  const productId = 'prd_sandbox_loan'
  await provisionCustomer(bank, customerId)
  await bank.ask(ProvisionLendableDocument, { productId, customerId, arrangementId })
  const application = { applicationId, customerId, productId, arrangementId }
  await bank.ask(ProvisionApplicationDocument, application)
  for (const step of stepsToApplication[operation] ?? []) await bank.ask(step, { applicationId })
}

/** Three instalments of it are paid, and there is more to draw: every operation can be tried on it. */
async function provisionFacility(bank: Bank, facilityId: string): Promise<void> {
  const name = facilityId.replace(/^(fac|loan)_/, '').slice(0, 60)
  const [customerId, arrangementId] = [`cus_${name}`, `arr_${name}`]
  const productId = 'prd_sandbox_account'
  await provisionCustomer(bank, customerId)
  await bank.ask(ProvisionProductDocument, { productId })
  const openedOn = addDays(dateOf(bank.now()), -daysSinceOpened)
  const ids = { facilityId, customerId, arrangementId, productId }
  await bank.ask(ProvisionFacilityDocument, { ...ids, openedOn })
}

/** More than three months, and less than four. */
const daysSinceOpened = 100
