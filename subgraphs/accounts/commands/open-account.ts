import { randomInt } from 'node:crypto'
import { maySee, requireBank } from '../../../kernel/authorization/auth.ts'
import { requireNotWithheld } from '../../../kernel/authorization/self-service.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { ibanOf, numbering } from '../../../kernel/domain/iban.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { readHeldFacts, readReferencedFacts } from '../../../kernel/writing/facts.ts'
import { openLedgerAccount, type NewAccount } from '../../../ledger/book.ts'
import { guardOf } from '../domain/arrangement.ts'
import {
  openArrangement,
  openingState,
  requireCapacity,
  requireEligibleCustomer,
  requireOpenable,
  type CustomerFact,
  type NewArrangement,
  type ProductFact,
} from '../domain/opening.ts'
import { Problem } from '../domain/problems.ts'
import { accountNumberFact } from '../facts.ts'
import type { Arrangement } from '../model/arrangement.ts'
import { countOpen, findArrangement, insertArrangement } from '../store/arrangement.ts'
import { openOverdraft } from './overdraft.ts'
import { publish } from './publish.ts'

export interface ArrangementRequest extends NewArrangement {
  arrangementId?: string | null
}

/** A new account as it is decided, with what belongs in its commit besides the ledger account. */
export interface DecidedAccount extends Required<
  Pick<Decision<unknown>, 'writes' | 'events' | 'facts'>
> {
  arrangement: Arrangement
  product: ProductFact
  ledgerAccount: NewAccount
}

/**
 * Opens an account for a customer. A repeated request with the same ID and content returns the
 * existing account. Throws INVALID_INITIAL_STATUS, ARRANGEMENT_ALREADY_EXISTS,
 * SELF_SERVICE_NOT_ALLOWED, NOT_FOR_DELEGATED_USERS for an overdraft, and whatever `decideAccount`
 * throws.
 */
export function openAccount(context: Context, request: ArrangementRequest): Promise<Arrangement> {
  return command(context, 'openAccountArrangement', request, async () => {
    const content = { ...request, state: openingState(request) }
    const contentHash = fingerprint('openAccountArrangement', content)
    const existing = request.arrangementId
      ? await findArrangement(context, request.arrangementId)
      : null
    if (existing) return replayOpening(context, existing, contentHash)
    await requireNotWithheld(context, request.productId)
    const decided = await decideAccount(context, request, contentHash)
    const { arrangement, product, ledgerAccount, writes, events, facts } = decided
    const overdraft = openOverdraft(context, arrangement, product)
    return {
      result: arrangement,
      resourceId: arrangement.arrangementId,
      writes: [...writes, ...openLedgerAccount(ledgerAccount), ...overdraft.writes],
      events: [...events, ...overdraft.events],
      facts: [...facts, ...overdraft.facts],
    }
  })
}

/**
 * Decides the account that a customer gets. Throws CUSTOMER_NOT_FOUND, CUSTOMER_NOT_ACTIVE,
 * KYC_INCOMPLETE, PARTY_DECEASED, PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE, PRODUCT_CLASS_NOT_OPENABLE,
 * ARRANGEMENT_LIMIT_REACHED, and whatever `openArrangement` throws.
 */
export async function decideAccount(
  context: Context,
  request: ArrangementRequest,
  contentHash: string,
  versionPointer = '/productVersion',
): Promise<DecidedAccount> {
  const { customer, product } = await readCustomerAndProduct(context, request)
  const now = context.now()
  const today = dateOf(now)
  await readReferencedFacts(context, [`party/${customer.partyId}`])
  await requireAlive(context, customer.partyId, '/customerId')
  requireEligibleCustomer(customer, today)
  const version = requireOpenable(product, request.productVersion, today, versionPointer)
  requireCapacity(
    version.maxPerCustomer,
    await countOpen(context, request.customerId, request.productId),
  )
  const arrangementId = request.arrangementId ?? context.newId('arrangement')
  const arrangement = openArrangement(
    request,
    customer,
    { productId: product.productId, version },
    {
      arrangementId,
      accountNumber: ibanOf(randomInt(10 ** numbering.digits)),
      contentHash,
      now,
      mayBackdate: context.caller.scopes.has('accounts:backdate'),
    },
  )
  const { events, facts } = publish(arrangement, 'accounts.arrangement.opened')
  return {
    arrangement,
    product,
    ledgerAccount: ledgerAccountOf(arrangement),
    writes: insertArrangement(arrangement, version.maxPerCustomer),
    events,
    facts: [...facts, accountNumberFact(arrangement)],
  }
}

function ledgerAccountOf(arrangement: Arrangement): NewAccount {
  return {
    accountId: arrangement.arrangementId,
    code: 'customer',
    arrangementId: arrangement.arrangementId,
    partyId: arrangement.partyId,
    type: 'liability',
    currency: arrangement.currency,
    policy: 'guarded',
    overdraftLimitMinor: arrangement.overdraftLimitMinor,
    blockedFor: guardOf(arrangement).blockedFor,
  }
}

function replayOpening(context: Context, existing: Arrangement, contentHash: string) {
  const { arrangementId: resourceId, partyId } = existing
  if (existing.contentHash === contentHash && maySee(context.caller, [partyId])) {
    return { result: existing, resourceId }
  }
  throw new Problem('ARRANGEMENT_ALREADY_EXISTS', { resourceId })
}

/** Reads the published facts of the customer and the product that the request references. */
async function readCustomerAndProduct(context: Context, request: ArrangementRequest) {
  const { customerId, productId, overdraftLimit } = request
  const [[customerFact], [productFact]] = await Promise.all([
    readReferencedFacts(context, [`customer/${customerId}`]),
    readHeldFacts(context, [`product/${productId}`]),
  ])
  const customer = customerFact as CustomerFact | null
  const product = productFact as ProductFact | null
  if (!customer || !maySee(context.caller, [customer.partyId])) {
    throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
  }
  // An overdraft is credit, and customers cannot grant credit to themselves.
  if (overdraftLimit) requireBank(context)
  if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  return { customer, product }
}
