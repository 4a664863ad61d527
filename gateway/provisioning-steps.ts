import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { addDays, dateOf } from '../subgraphs/_kernel/domain/dates.ts'
import { catalogue, Problem } from '../subgraphs/_kernel/domain/problem.ts'
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

/** What each operation on an application needs done to it first. */
export const applicationSteps: Readonly<Record<string, readonly ApplicationStep[]>> = {
  submitCreditApplication: [],
  recordCreditDecision: [ProvisionSubmissionDocument],
  acceptLoanTerms: [ProvisionSubmissionDocument, ProvisionApprovalDocument],
}

export async function provisionParty(bank: Bank, partyId: string): Promise<void> {
  await ensure(bank, ProvisionPartyDocument, { partyId })
}

/** An active customer, whose party has an id that is derived from the customer's. */
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

/** An application of a customer of its own, in the state that the operation needs. */
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

/** A loan with three installments paid and part of its limit left, so that every operation can be tried. */
export async function provisionFacility(bank: Bank, facilityId: string): Promise<void> {
  const { customerId, arrangementId } = await provisionAccountFor(bank, facilityId)
  const openedOn = addDays(dateOf(bank.now()), -daysSinceOpened)
  const facility = { facilityId, customerId, arrangementId, openedOn }
  await ensure(bank, ProvisionFacilityDocument, facility)
  await ensure(bank, ProvisionFacilityDaysDocument, { facilityId })
}

/** More than three months, and less than four. */
const daysSinceOpened = 100

/** A customer with a current account, both with ids that are derived from the record they are for. */
async function provisionAccountFor(bank: Bank, id: string) {
  const [customerId, arrangementId] = [companionOf('cus', id), companionOf('arr', id)]
  await provisionCustomer(bank, customerId)
  await provisionProduct(bank, accountProductId)
  const productId = accountProductId
  await ensure(bank, ProvisionAccountDocument, { arrangementId, customerId, productId })
  return { customerId, arrangementId }
}

const maxIdLength = 64

/** Derived from the whole id, prefix included, so that `loan_x` and `fac_x` do not share a companion. */
function companionOf(prefix: string, id: string): string {
  const derived = `${prefix}_${id}`
  if (derived.length <= maxIdLength) return derived
  return `${prefix}_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}

const maxAttempts = 10
const retryAfterMs = 20

/**
 * Takes a step unless it has been taken: a refusal because the record is there, or further than that,
 * is as good. What is refused for the moment is tried again.
 */
async function ensure<Variables>(
  bank: Bank,
  step: TypedDocumentNode<unknown, Variables>,
  variables: Variables,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await bank.ask(step, variables)
      return
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { status, retryable } = catalogue[error.code] as { status: number; retryable?: true }
      if (retryable && attempt < maxAttempts) {
        await sleep(Math.random() * retryAfterMs * attempt)
        continue
      }
      if (status === 409 && !retryable) return
      throw error
    }
  }
}
