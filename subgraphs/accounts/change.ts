import { randomInt } from 'node:crypto'
import { fingerprint } from '../_kernel/answer.ts'
import { maySee, requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { mayUse } from '../_kernel/entitlements.ts'
import { readHeldFacts } from '../_kernel/facts.ts'
import { facilitiesSettledBy, feesOwedBy } from '../_kernel/lifecycle.ts'
import { changeGuard, openLedgerAccount } from '../_ledger/book.ts'
import type { Balance } from '../_ledger/domain/balance.ts'
import { readHeldBalance } from '../_ledger/hold.ts'
import { guardOf, hasEnded, type Arrangement, type ArrangementAct } from './domain/arrangement.ts'
import { ibanOf, numbering } from '../_kernel/domain/iban.ts'
import {
  openArrangement,
  openingState,
  requireGoodCustomer,
  requireOpenable,
  requireRoom,
  type CustomerFact,
  type NewArrangement,
  type ProductFact,
} from './domain/opening.ts'
import { factOf } from './events.ts'
import { accountNumberFact, arrangementFact } from './facts.ts'
import { countOpen, findArrangement, insertArrangement, updateArrangement } from './store.ts'

export interface ArrangementAsked extends NewArrangement {
  arrangementId?: string | null
}

/**
 * Opens an account of a customer. The same id with the same content answers the arrangement that
 * is there.
 * Refuses with INVALID_INITIAL_STATUS, ARRANGEMENT_ALREADY_EXISTS, CUSTOMER_NOT_FOUND,
 * CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE, PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE,
 * PRODUCT_CLASS_NOT_OPENABLE, ARRANGEMENT_LIMIT_REACHED, NOT_FOR_DELEGATED_USERS (an overdraft),
 * and whatever `openArrangement` refuses with.
 */
export function openAccount(context: Context, asked: ArrangementAsked): Promise<Arrangement> {
  return command(context, 'openAccountArrangement', asked, async () => {
    const content = { ...asked, state: openingState(asked) }
    const contentHash = fingerprint('openAccountArrangement', content)
    const existing = asked.arrangementId
      ? await findArrangement(context, asked.arrangementId)
      : null
    if (existing) return answerAgain(context, existing, contentHash)
    const { customer, product } = await readParties(context, asked)
    const now = context.now()
    const today = dateOf(now)
    await requireAlive(context, customer.partyId, '/customerId')
    requireGoodCustomer(customer, today)
    const version = requireOpenable(product, asked.productVersion, today)
    requireRoom(version.maxPerCustomer, await countOpen(context, asked.customerId, asked.productId))
    const arrangementId = asked.arrangementId ?? context.newId('arrangement')
    const arrangement = openArrangement(
      asked,
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
      ],
      ...opened(arrangement),
    }
  })
}

/**
 * Does one act to an arrangement that is the caller's, or that they are entitled to manage.
 * Refuses with ARRANGEMENT_NOT_FOUND, NOT_ENTITLED, SETTLEMENT_ACCOUNT_IN_USE for an account that is
 * to be closed, FEES_OUTSTANDING for one that is closed, and with whatever `decide` refuses with.
 */
export function changeArrangement(
  context: Context,
  operation: string,
  input: { arrangementId: string; [member: string]: unknown },
  act: ArrangementAct,
  decide: (arrangement: Arrangement, balance: Balance, now: Date) => Arrangement,
): Promise<Arrangement> {
  const { arrangementId } = input
  return command(context, operation, input, async () => {
    const found = await findArrangement(context, arrangementId)
    const before = found && (await mayManage(context, found)) ? found : null
    if (!before) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
    if (act === 'requestClosure' || act === 'close') await requireUnused(context, before)
    const now = context.now()
    const balance = await readHeldBalance(context, arrangementId)
    // After the balance: a fee that becomes owed from here on moves its stamp, and this is decided again.
    if (act === 'close') await requireFeesSettled(context, before)
    const decided = decide(before, balance, now)
    const after = { ...decided, version: before.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: arrangementId,
      writes: [
        ...updateArrangement(after, before.version, hasEnded(after)),
        changeGuard(balance, guardOf(after)),
      ],
      ...publish(after, factOf[act]),
    }
  })
}

/** Checks that no facility relies on an account. Rejects with SETTLEMENT_ACCOUNT_IN_USE, naming them. */
async function requireUnused(context: Context, { arrangementId }: Arrangement): Promise<void> {
  const errors = await facilitiesSettledBy(context, arrangementId)
  if (errors.length === 0) return
  const facilities = errors.map((each) => each.resourceId).join(', ')
  const detail = `${arrangementId} is the settlement account of ${facilities}.`
  throw new Problem('SETTLEMENT_ACCOUNT_IN_USE', { detail, resourceId: arrangementId, errors })
}

/** Checks that the account owes no fees. Rejects with FEES_OUTSTANDING, naming them. */
async function requireFeesSettled(context: Context, { arrangementId }: Arrangement): Promise<void> {
  const errors = await feesOwedBy(context, arrangementId)
  if (errors.length === 0) return
  const fees = errors.map((each) => each.resourceId).join(', ')
  const detail = `${arrangementId} owes fees (${fees}). Collect or waive them.`
  throw new Problem('FEES_OUTSTANDING', { detail, resourceId: arrangementId, errors })
}

function mayManage(context: Context, { partyId, arrangementId }: Arrangement): Promise<boolean> {
  return mayUse(context, [partyId], `arrangement/${arrangementId}`, 'manage')
}

function answerAgain(context: Context, existing: Arrangement, contentHash: string) {
  const { arrangementId: resourceId, partyId } = existing
  if (existing.contentHash === contentHash && maySee(context.caller, [partyId])) {
    return { result: existing, resourceId }
  }
  throw new Problem('ARRANGEMENT_ALREADY_EXISTS', { resourceId })
}

/** The customer and the product that the body names, as their owners publish them. */
async function readParties(context: Context, asked: ArrangementAsked) {
  const { customerId, productId, overdraftLimit } = asked
  const subjects = [`customer/${customerId}`, `product/${productId}`]
  const facts = await readHeldFacts(context, subjects)
  const customer = facts[0] as CustomerFact | null
  const product = facts[1] as ProductFact | null
  if (!customer || !maySee(context.caller, [customer.partyId])) {
    throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
  }
  // Nobody grants credit to themselves.
  if (overdraftLimit) requireBank(context)
  if (!product) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  return { customer, product }
}

function opened(arrangement: Arrangement) {
  const { events, facts } = publish(arrangement, 'opened')
  return { events, facts: [...facts, accountNumberFact(arrangement)] }
}

function publish(arrangement: Arrangement, fact: string) {
  const subject = `arrangement/${arrangement.arrangementId}`
  const data = arrangementFact(arrangement)
  const { version, partyId } = arrangement
  const told = { type: `accounts.arrangement.${fact}`, subject, version, data, parties: [partyId] }
  return { events: [told], facts: [{ subject, data }] }
}
