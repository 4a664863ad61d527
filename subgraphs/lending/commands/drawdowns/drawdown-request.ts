import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { isIban, isOwnIban } from '../../../../kernel/domain/iban.ts'
import { missingReference } from '../../../../kernel/domain/problem.ts'
import { requireAlive } from '../../../../kernel/lifecycle/deceased.ts'
import { readFacts, readHeldFacts } from '../../../../kernel/writing/facts.ts'
import { versioned, type CreationStamp } from '../../../../kernel/writing/records.ts'
import { requireOtherBanks } from '../../../../kernel/environment/other-banks.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { valueDateWindowDays } from '../../../../ledger/domain/posting.ts'
import {
  newDrawdown,
  requireDrawable,
  requireDrawableState,
  type CoverageFact,
  type DrawdownPlan,
  type DrawdownTerms,
} from '../../domain/drawdowns/drawdown.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { validationError, validationFailed, inputProblem } from '../../domain/schedules/refusals.ts'
import {
  readAmount,
  requireAccount,
  requireCurrency,
  type AccountFact,
} from '../facilities/customer-account.ts'
import { requireFacility } from '../facilities/require-facility.ts'

export interface DrawdownRequest {
  facilityId: string
  drawdownId?: string | null
  amount: AmountSent
  currency?: string | null
  valueDate?: LocalDate | null
  destination?: {
    arrangementId?: string | null
    externalAccount?: { iban: string; name?: string | null } | null
  } | null
  purpose?: string | null
  trancheId?: string | null
  reference?: string | null
}

const maxDaysAhead = 366

/** Plans a drawdown without creating it. Throws whatever `planDrawdown` throws. */
export function previewDrawdown(context: Context, request: DrawdownRequest): Promise<DrawdownPlan> {
  return planDrawdown(context, request, { id: '', contentHash: '', now: context.now() })
}

/**
 * Plans a drawdown, for the preview and for the commit. Throws FACILITY_NOT_FOUND, PARTY_DECEASED,
 * and whatever `requireDrawable`, `readPayout`, `readDestination` and `newDrawdown` throw.
 */
export async function planDrawdown(
  context: Context,
  request: DrawdownRequest,
  stamp: CreationStamp,
): Promise<DrawdownPlan> {
  const facility = await requireFacility(context, request.facilityId)
  await requireAlive(context, facility.partyId, '/facilityId')
  const payout = readPayout(context, facility, request)
  requireDrawable(facility, payout, await readCoverage(context, facility))
  const { purpose = null, reference = null, trancheId = null } = request
  const destination = await readDestination(context, facility, request)
  const terms = { ...payout, ...destination, purpose, reference, trancheId }
  return newDrawdown(facility, terms, { ...versioned(stamp), drawdownId: stamp.id })
}

/**
 * Reads the amount and the value date of a requested drawdown. Throws FACILITY_NOT_ACTIVE,
 * FACILITY_IN_ARREARS, CURRENCY_MISMATCH, VALIDATION_FAILED, VALUE_DATE_OUT_OF_WINDOW, and
 * BACKDATE_NOT_ALLOWED for delegated users.
 */
function readPayout(
  context: Context,
  facility: Facility,
  { amount, currency, valueDate }: DrawdownRequest,
) {
  requireDrawableState(facility)
  const amountMinor = readAmount(facility, amount, currency)
  const today = dateOf(context.now())
  const on = valueDate ?? today
  if (on < today && context.caller.partyId !== null) {
    throw inputProblem(
      'BACKDATE_NOT_ALLOWED',
      '/valueDate',
      `The value date is ${on}; it must not be before today, ${today}.`,
    )
  }
  const [first, last] = [addDays(today, -valueDateWindowDays), addDays(today, maxDaysAhead)]
  if (on < first || on > last) {
    throw inputProblem(
      'VALUE_DATE_OUT_OF_WINDOW',
      '/valueDate',
      `The value date is ${on}; it must be from ${first} to ${last}.`,
    )
  }
  return { amountMinor, valueDate: on }
}

/** Reads the collateral allocated to a facility. Returns null if none is required or published. */
export async function readCoverage(
  context: Context,
  { facilityId, requiredCoveragePct }: Facility,
): Promise<CoverageFact | null> {
  if (requiredCoveragePct === null) return null
  const [fact] = await readHeldFacts(context, [`collateral-coverage/${facilityId}`])
  return (fact ?? null) as CoverageFact | null
}

type Destination = Pick<DrawdownTerms, `destination${string}` & keyof DrawdownTerms>

/**
 * Returns the requested destination, or the settlement account of the facility if none is
 * requested. Throws VALIDATION_FAILED if there is neither, ARRANGEMENT_NOT_FOUND,
 * CURRENCY_MISMATCH, INVALID_IBAN, ACCOUNT_NUMBER_NOT_FOUND, and RAIL_NOT_CONFIGURED for an account
 * at another bank if the environment cannot pay other banks.
 */
async function readDestination(
  context: Context,
  facility: Facility,
  { destination }: DrawdownRequest,
): Promise<Destination> {
  const externalAccount = destination?.externalAccount
  if (destination && !destination.arrangementId === !externalAccount) {
    throw validationFailed(
      validationError(
        '/destination',
        'ONE_OF',
        'Send exactly one of arrangementId and externalAccount.',
      ),
    )
  }
  if (externalAccount) return readIbanDestination(context, facility, externalAccount)
  const arrangementId = destination?.arrangementId ?? facility.settlementArrangementId
  if (!arrangementId) {
    throw validationFailed(
      validationError(
        '/destination',
        'REQUIRED',
        'The facility has no settlement account. Send a destination.',
      ),
    )
  }
  await requireAccount(context, facility, arrangementId, '/destination/arrangementId')
  return { destinationArrangementId: arrangementId, destinationIban: null, destinationName: null }
}

async function readIbanDestination(
  context: Context,
  facility: Facility,
  { iban: ibanSent, name = null }: { iban: string; name?: string | null },
): Promise<Destination> {
  const pointer = '/destination/externalAccount/iban'
  const iban = ibanSent.replaceAll(' ', '').toUpperCase()
  if (!isIban(iban))
    throw inputProblem('INVALID_IBAN', pointer, `${iban} is not a valid IBAN; check its digits.`)
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
