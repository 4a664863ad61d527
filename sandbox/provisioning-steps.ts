import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Bank } from '../kernel/environment/bank.ts'
import { addDays, dateOf } from '../kernel/domain/dates.ts'
import { catalog, Problem } from '../kernel/domain/problem.ts'
import {
  ProvisionAccountDocument,
  ProvisionActivationDocument,
  ProvisionApplicationDocument,
  ProvisionApprovalDocument,
  ProvisionAuthorityDocument,
  ProvisionCustomerDocument,
  ProvisionFacilityDaysDocument,
  ProvisionFacilityDocument,
  ProvisionLoanProductDocument,
  ProvisionPartyDocument,
  ProvisionPassKycDocument,
  ProvisionProductDocument,
  ProvisionSessionDocument,
  ProvisionStartKycDocument,
  ProvisionSubmissionDocument,
} from './provisioning.generated.ts'

const accountProductId = 'prd_sandbox_account'
const loanProductId = 'prd_sandbox_loan'

type ApplicationStep = TypedDocumentNode<unknown, { applicationId: string }>

/** The steps that take a new application to the state that an operation requires, by operation. */
export const applicationSteps: Readonly<Record<string, readonly ApplicationStep[]>> = {
  submitCreditApplication: [],
  recordCreditDecision: [ProvisionSubmissionDocument],
  acceptLoanTerms: [ProvisionSubmissionDocument, ProvisionApprovalDocument],
}

export async function provisionParty(bank: Bank, partyId: string): Promise<void> {
  await ensure(bank, ProvisionPartyDocument, { partyId })
}

/**
 * Creates an active customer and its party. The ID of the party is derived from the ID of the
 * customer.
 */
export async function provisionCustomer(bank: Bank, customerId: string): Promise<void> {
  const partyId = companionOf('pty', customerId)
  const kycExpiresOn = `${bank.now().getUTCFullYear() + 5}-12-31`
  await provisionParty(bank, partyId)
  await ensure(bank, ProvisionCustomerDocument, { partyId, customerId })
  await ensure(bank, ProvisionStartKycDocument, { customerId })
  await ensure(bank, ProvisionPassKycDocument, { customerId, kycExpiresOn })
  await ensure(bank, ProvisionActivationDocument, { customerId })
}

export async function provisionProduct(bank: Bank, productId: string): Promise<void> {
  await ensure(bank, ProvisionProductDocument, { productId })
}

export async function provisionSession(bank: Bank, sessionId: string): Promise<void> {
  await ensure(bank, ProvisionSessionDocument, { sessionId })
}

/** Creates an application, with a customer of its own, in the state that the operation requires. */
export async function provisionApplication(
  bank: Bank,
  applicationId: string,
  operation: string,
): Promise<void> {
  const { customerId, arrangementId } = await provisionAccountFor(bank, applicationId)
  await ensure(bank, ProvisionLoanProductDocument, { productId: loanProductId })
  const application = { applicationId, customerId, productId: loanProductId, arrangementId }
  await ensure(bank, ProvisionApplicationDocument, application)
  await ensure(bank, ProvisionAuthorityDocument, {})
  for (const step of applicationSteps[operation] ?? []) await ensure(bank, step, { applicationId })
}

/**
 * Creates a loan with three paid installments and an undrawn amount, so that every operation on a
 * loan is possible.
 */
export async function provisionFacility(bank: Bank, facilityId: string): Promise<void> {
  const { customerId, arrangementId } = await provisionAccountFor(bank, facilityId)
  const openedOn = addDays(dateOf(bank.now()), -daysSinceOpened)
  const facility = { facilityId, customerId, arrangementId, openedOn }
  await ensure(bank, ProvisionFacilityDocument, facility)
  await ensure(bank, ProvisionFacilityDaysDocument, { facilityId })
}

/**
 * The age of a new loan, in days: between three and four months, so that three installments are
 * due.
 */
const daysSinceOpened = 100

/** Creates a customer with a current account. Both IDs are derived from `id`. */
async function provisionAccountFor(bank: Bank, id: string) {
  const [customerId, arrangementId] = [companionOf('cus', id), companionOf('arr', id)]
  await provisionCustomer(bank, customerId)
  await provisionProduct(bank, accountProductId)
  const productId = accountProductId
  await ensure(bank, ProvisionAccountDocument, { arrangementId, customerId, productId })
  return { customerId, arrangementId }
}

const maxIdLength = 64

/**
 * Derives an ID from another ID. The prefix of the other ID is kept, so that `loan_x` and `fac_x`
 * result in different IDs.
 */
function companionOf(prefix: string, id: string): string {
  const derivedId = `${prefix}_${id}`
  if (derivedId.length <= maxIdLength) return derivedId
  return `${prefix}_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}

const maxAttempts = 10
const retryAfterMs = 20

/**
 * Runs a step. Retryable errors are retried. Any other error with status 409 counts as success: the
 * step was already run, because the record exists or has a later state.
 */
async function ensure<Variables>(
  bank: Bank,
  step: TypedDocumentNode<unknown, Variables>,
  variables: Variables,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await bank.queryGraph(step, variables)
      return
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { status, retryable } = catalog[error.code] as { status: number; retryable?: true }
      if (retryable && attempt < maxAttempts) {
        await sleep(Math.random() * retryAfterMs * attempt)
        continue
      }
      if (status === 409 && !retryable) return
      throw error
    }
  }
}
