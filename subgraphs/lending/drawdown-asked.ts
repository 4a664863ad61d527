import { maySee } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { isIban, isOwnIban } from '../_kernel/domain/iban.ts'
import { parseAmount } from '../_kernel/domain/money.ts'
import { missingReference, Problem, type ProblemCode } from '../_kernel/domain/problem.ts'
import { readFacts, readHeldFacts } from '../_kernel/facts.ts'
import { requireOtherBanks } from '../_kernel/other-banks.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { valueDateWindowDays } from '../_ledger/domain/posting.ts'
import {
  requireLending,
  type CoverageFact,
  type Drawdown,
  type DrawdownTerms,
} from './domain/drawdown.ts'
import type { Facility } from './domain/facility.ts'
import { fault, invalid } from './domain/refusals.ts'
import { requireCurrency, type AccountFact } from './open-facility.ts'

export interface DestinationAsked {
  arrangementId?: string | null
  externalAccount?: { iban: string; name?: string | null } | null
}

export interface DrawdownAsked {
  facilityId: string
  drawdownId?: string | null
  amount: AmountSent
  currency?: string | null
  valueDate?: LocalDate | null
  destination?: DestinationAsked | null
  purpose?: string | null
  trancheId?: string | null
  reference?: string | null
}

const mostDaysAhead = 366

/**
 * Amount and day of what is asked for, of a facility that lends.
 * Refuses with FACILITY_NOT_ACTIVE, FACILITY_IN_ARREARS, CURRENCY_MISMATCH, VALIDATION_FAILED,
 * BACKDATE_NOT_ALLOWED for customers, VALUE_DATE_OUT_OF_WINDOW.
 */
export function readTerms(
  context: Context,
  facility: Facility,
  { amount, currency, valueDate }: DrawdownAsked,
): DrawdownTerms {
  requireLending(facility)
  const amountMinor = readAmount(facility, amount, currency)
  const today = dateOf(context.now())
  const on = valueDate ?? today
  if (on < today && context.caller.partyId !== null) {
    throw refuse('BACKDATE_NOT_ALLOWED', '/valueDate', `Today is ${today}.`)
  }
  const [first, last] = [addDays(today, -valueDateWindowDays), addDays(today, mostDaysAhead)]
  if (on < first || on > last) {
    throw refuse('VALUE_DATE_OUT_OF_WINDOW', '/valueDate', `From ${first} to ${last}.`)
  }
  return { amountMinor, valueDate: on }
}

/** An amount in the facility's currency, in minor units. Refuses with CURRENCY_MISMATCH, VALIDATION_FAILED. */
export function readAmount(
  facility: Pick<Facility, 'currency'>,
  sent: AmountSent,
  currency?: string | null,
): bigint {
  if (sent.currency) requireCurrency(sent.currency, facility.currency, '/amount/currency')
  if (currency) requireCurrency(currency, facility.currency, '/currency')
  const pointer = sent.currency ? '/amount/amount' : '/amount'
  return parseAmount(sent.amount, facility.currency, pointer)
}

/** What is allocated as collateral; null when nobody published anything. */
export async function readCoverage(
  context: Context,
  { facilityId, requiredCoveragePct }: Facility,
): Promise<CoverageFact | null> {
  if (requiredCoveragePct === null) return null
  const [fact] = await readHeldFacts(context, [`collateral-coverage/${facilityId}`])
  return (fact ?? null) as CoverageFact | null
}

type Destination = Pick<
  Drawdown,
  'destinationArrangementId' | 'destinationIban' | 'destinationName'
>

/**
 * Where the money goes: where it is asked to, else to the facility's settlement account.
 * Refuses with VALIDATION_FAILED unless there is one, ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH,
 * INVALID_IBAN, ACCOUNT_NUMBER_NOT_FOUND, and RAIL_NOT_CONFIGURED an account at another bank that
 * the environment cannot pay.
 */
export async function readDestination(
  context: Context,
  facility: Facility,
  asked: DestinationAsked | null | undefined,
): Promise<Destination> {
  const external = asked?.externalAccount
  if (asked && !asked.arrangementId === !external) {
    throw invalid(fault('/destination', 'ONE_OF', 'Either an arrangement or an external account.'))
  }
  if (external) return readExternal(context, facility, external)
  const arrangementId = asked?.arrangementId ?? facility.settlementArrangementId
  if (!arrangementId) {
    throw invalid(fault('/destination', 'REQUIRED', 'The facility has no settlement account.'))
  }
  const pointer = '/destination/arrangementId'
  const [fact] = (await readFacts(context, [`arrangement/${arrangementId}`])) as [
    AccountFact | null,
  ]
  if (!fact || !maySee(context.caller, [fact.partyId])) {
    throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, pointer)
  }
  requireCurrency(fact.currency, facility.currency, pointer)
  return { destinationArrangementId: arrangementId, destinationIban: null, destinationName: null }
}

async function readExternal(
  context: Context,
  facility: Facility,
  { iban: spelled, name = null }: { iban: string; name?: string | null },
): Promise<Destination> {
  const pointer = '/destination/externalAccount/iban'
  const iban = spelled.replaceAll(' ', '').toUpperCase()
  if (!isIban(iban)) throw refuse('INVALID_IBAN', pointer, 'Its check digits do not fit.')
  if (!isOwnIban(iban)) {
    requireOtherBanks(context.bank, pointer)
    return { destinationArrangementId: null, destinationIban: iban, destinationName: name }
  }
  const [fact] = (await readFacts(context, [`account-number/${iban}`])) as [AccountFact | null]
  if (!fact) throw missingReference('ACCOUNT_NUMBER_NOT_FOUND', iban, pointer)
  requireCurrency(fact.currency, facility.currency, pointer)
  return {
    destinationArrangementId: fact.arrangementId,
    destinationIban: iban,
    destinationName: name,
  }
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
