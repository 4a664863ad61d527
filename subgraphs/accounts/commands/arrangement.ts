import type { arrangementStates, Arrangement } from '../model/arrangement.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import { randomInt } from 'node:crypto'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { maySee, requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAlive, requireAliveForOthers } from '../../../kernel/lifecycle/deceased.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { mayUse } from '../../../kernel/authorization/entitlements.ts'
import { readHeldFacts, readReferencedFacts } from '../../../kernel/writing/facts.ts'
import { changeGuard, openLedgerAccount } from '../../../ledger/book.ts'
import { balanceAmountsOf } from '../../../ledger/domain/balance.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { guardOf, hasEnded, requireEmpty } from '../domain/arrangement.ts'
import { ibanOf, numbering } from '../../../kernel/domain/iban.ts'
import {
  openArrangement,
  openingState,
  requireEligibleCustomer,
  requireOpenable,
  requireCapacity,
  type CustomerFact,
  type NewArrangement,
  type ProductFact,
} from '../domain/opening.ts'
import type { ArrangementEvent } from '../events.ts'
import { accountNumberFact } from '../facts.ts'
import { openOverdraft } from './overdraft.ts'
import { publish, publishToHolders } from './publish.ts'
import {
  depositRunning,
  findRunningDeposit,
  requireNotSettlementAccount,
} from './require-unused.ts'
import { requireNotWrittenOff } from './require-not-written-off.ts'
import { requireFeesSettled, requireInterestPaid } from './require-settled.ts'
import {
  countOpen,
  findArrangement,
  insertArrangement,
  updateArrangement,
} from '../store/arrangement.ts'

export interface ArrangementRequest extends NewArrangement {
  arrangementId?: string | null
}

/**
 * Opens an account for a customer. A repeated request with the same ID and content returns the
 * existing account. Throws INVALID_INITIAL_STATUS, ARRANGEMENT_ALREADY_EXISTS, CUSTOMER_NOT_FOUND,
 * CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE, PARTY_DECEASED, PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE,
 * PRODUCT_CLASS_NOT_OPENABLE, ARRANGEMENT_LIMIT_REACHED, NOT_FOR_DELEGATED_USERS for an overdraft,
 * and whatever `openArrangement` throws.
 */
export function openAccount(context: Context, request: ArrangementRequest): Promise<Arrangement> {
  return command(context, 'openAccountArrangement', request, async () => {
    const content = { ...request, state: openingState(request) }
    const contentHash = fingerprint('openAccountArrangement', content)
    const existing = request.arrangementId
      ? await findArrangement(context, request.arrangementId)
      : null
    if (existing) return replayOpening(context, existing, contentHash)
    const { customer, product } = await readCustomerAndProduct(context, request)
    const now = context.now()
    const today = dateOf(now)
    await readReferencedFacts(context, [`party/${customer.partyId}`])
    await requireAlive(context, customer.partyId, '/customerId')
    requireEligibleCustomer(customer, today)
    const version = requireOpenable(product, request.productVersion, today)
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
    const overdraft = openOverdraft(context, arrangement, product)
    const { events, facts } = publishOpening(arrangement)
    return {
      result: arrangement,
      resourceId: arrangementId,
      writes: [
        ...insertArrangement(arrangement, version.maxPerCustomer),
        ...openLedgerAccount({
          accountId: arrangementId,
          code: 'customer',
          arrangementId,
          partyId: arrangement.partyId,
          type: 'liability',
          currency: arrangement.currency,
          policy: 'guarded',
          overdraftLimitMinor: arrangement.overdraftLimitMinor,
          blockedFor: guardOf(arrangement).blockedFor,
        }),
        ...overdraft.writes,
      ],
      events: [...events, ...overdraft.events],
      facts: [...facts, ...overdraft.facts],
    }
  })
}

/**
 * The mutations that end an account or request its closure. They fail while the account is the
 * settlement account of an open facility or a running term deposit, or has a term deposit itself.
 */
const endingMutations: ReadonlySet<string> = new Set<
  keyof (typeof arrangementStates)['transitions']
>([
  'rejectAccountArrangement',
  'cancelAccountArrangement',
  'requestAccountArrangementClosure',
  'closeAccountArrangement',
])

/**
 * Changes an account that the caller owns or is entitled to manage. Throws ARRANGEMENT_NOT_FOUND,
 * NOT_ENTITLED, PARTY_DECEASED for a deceased joint holder, OVERDRAFT_WRITTEN_OFF for an unblocking, SETTLEMENT_ACCOUNT_IN_USE and TERM_DEPOSIT_RUNNING for `endingMutations`,
 * FEES_OUTSTANDING, INTEREST_OUTSTANDING and ARRANGEMENT_NOT_EMPTY for a closure, and whatever
 * `decide` throws.
 */
export const changeArrangement: Change<Arrangement, ArrangementEvent> = (
  context,
  operation,
  input,
  arrangementId,
  event,
  decide,
) =>
  command(context, operation, input, async () => {
    const found = await findArrangement(context, arrangementId)
    const before = found && (await mayManage(context, found)) ? found : null
    if (!before) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
    await requireAliveForOthers(context, before.partyId)
    if (endingMutations.has(operation)) await requireNotSettlementAccount(context, before)
    if (operation === 'unblockAccountArrangement')
      await requireNotWrittenOff(context, arrangementId)
    const now = context.now()
    const balance = await readHeldBalance(context, arrangementId)
    // A deposit that begins or ends after this gives the balance a new stamp.
    const deposit = await findRunningDeposit(context, arrangementId)
    if (deposit && endingMutations.has(operation)) throw depositRunning(arrangementId, deposit)
    // Fees and interest are read after the balance. If a fee becomes due or money moves after that,
    // the balance gets a new stamp, so the commit fails and this command is decided again.
    if (event === 'accounts.arrangement.closed') {
      await requireFeesSettled(context, before)
      await requireInterestPaid(context, before)
    }
    const decided = await decide(before, now)
    if (decided.state === 'closed') requireEmpty(before, balanceAmountsOf(balance))
    const after = { ...decided, version: before.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: arrangementId,
      writes: [
        ...updateArrangement(after, before.version, hasEnded(after)),
        changeGuard(balance, guardOf(after, deposit !== null)),
      ],
      ...(await publishToHolders(context, after, event)),
    }
  })

function mayManage(context: Context, { partyId, arrangementId }: Arrangement): Promise<boolean> {
  return mayUse(context, [partyId], `arrangement/${arrangementId}`, 'manage')
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

function publishOpening(arrangement: Arrangement) {
  const { events, facts } = publish(arrangement, 'accounts.arrangement.opened')
  return { events, facts: [...facts, accountNumberFact(arrangement)] }
}
