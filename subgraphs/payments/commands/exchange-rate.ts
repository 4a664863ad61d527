import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { attemptOf, readStoredResponse } from '../../../kernel/writing/attempts.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import type { Posting } from '../../../ledger/journal.ts'
import {
  exchangeOf,
  missingRate,
  newExchangeRate,
  requireWithinTolerance,
  type Exchange,
  type NewExchangeRate,
} from '../domain/exchange-rate.ts'
import { ExchangeRate, type ClosingRate } from '../model/exchange-rate.ts'
import { exchangeRateTable, findClosingRates, findRate } from '../store/exchange-rate.ts'

const maxRatesPerRequest = 200
const maxDaysPerRequest = 366

/**
 * Loads exchange rates, all of them or none. A loaded rate never changes; a newer rate replaces it.
 * Throws NOT_FOR_DELEGATED_USERS, VALIDATION_FAILED.
 */
export function loadExchangeRates(
  context: Context,
  rates: readonly NewExchangeRate[],
): Promise<ExchangeRate[]> {
  requireBank(context)
  requireCount(rates, 'rates', maxRatesPerRequest)
  return command(context, 'loadExchangeRates', { rates }, () => {
    const now = context.now()
    const loadedRates = rates.map((request, index) => {
      const id = context.newId('exchangeRate')
      const contentHash = fingerprint('loadExchangeRates', request)
      const origin = { exchangeRateId: id, loadedBy: context.caller.subject }
      const identity = { ...origin, ...versioned({ id, contentHash, now }) }
      return newExchangeRate(request, identity, `/rates/${index}`)
    })
    return Promise.resolve({
      result: loadedRates,
      writes: loadedRates.map((rate) => exchangeRateTable.insert(rate)),
      events: loadedRates.map((rate) => ({
        type: 'payments.exchange-rate.loaded',
        subject: `exchange-rate/${rate.exchangeRateId}`,
        version: 1,
        data: eventDataOf(ExchangeRate, rate),
        parties: [],
      })),
    })
  })
}

/**
 * Returns the newest rate between two currencies at the end of each of some days, for the days that
 * have one. Throws VALIDATION_FAILED unless there are 1 to 366 days.
 */
export function readClosingRates(
  context: Context,
  currencies: readonly [string, string],
  days: readonly LocalDate[],
): Promise<ClosingRate[]> {
  requireCount(days, 'days', maxDaysPerRequest)
  return findClosingRates(context, currencies, days)
}

function requireCount(items: readonly unknown[], member: string, max: number): void {
  if (items.length >= 1 && items.length <= max) return
  const detail = `The request has ${items.length} ${member}; send 1 to ${max}.`
  const errors = [{ pointer: `/${member}`, code: 'OUT_OF_RANGE', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/**
 * Checks every posting between two currencies against the rate in force, and returns all postings.
 * The metadata of each checked posting contains the rate as `fx`, with the reason if the caller
 * overrides the check. A replayed request is not checked again. Throws FX_RATE_MISSING,
 * FX_RATE_OUT_OF_TOLERANCE and FX_POSITION_UNBALANCED. Throws INSUFFICIENT_SCOPE for an override
 * without the scope `postings:fx-override`.
 */
export async function withRates(
  context: Context,
  operation: string,
  input: unknown,
  postings: readonly Posting[],
  overrideReasons: readonly (string | null)[],
  isBatch: boolean,
): Promise<Posting[]> {
  const pointers = postings.map((_, index) => (isBatch ? `/instructions/${index}` : ''))
  if (!postings.some(({ instruction }) => mayExchange(instruction))) return [...postings]
  const attempt = attemptOf(context, operation, input)
  if (attempt && (await readStoredResponse(context, attempt))) return [...postings]
  return Promise.all(
    postings.map(async (posting, index) => {
      const exchange = exchangeOf(posting.instruction, pointers[index]!)
      if (!exchange) return posting
      const fx = await checkRate(
        context,
        exchange,
        overrideReasons[index] ?? null,
        pointers[index]!,
      )
      const metadata = { ...posting.narrative.metadata, fx }
      return { ...posting, narrative: { ...posting.narrative, metadata } }
    }),
  )
}

function mayExchange(instruction: Posting['instruction']): boolean {
  if (instruction.type === 'transfer') return instruction.creditorMoney !== null
  if (instruction.type !== 'custom') return false
  return instruction.legs.some(({ accountId }) => accountId.startsWith('fx-position/'))
}

async function checkRate(
  context: Context,
  exchange: Exchange,
  overrideReason: string | null,
  basePointer: string,
) {
  const { caller } = context
  const pointer = `${basePointer}/creditorAmount`
  const rate = await findRate(
    context,
    exchange.sold.currency,
    exchange.bought.currency,
    context.now(),
  )
  const rateMetadata = rate && {
    exchangeRateId: rate.exchangeRateId,
    rate: `${rate.baseCurrency}/${rate.quoteCurrency} ${rate.rate}`,
    source: rate.source,
    asOf: rate.asOf.toISOString(),
  }
  if (overrideReason !== null) {
    const scope = 'postings:fx-override'
    if (!caller.scopes.has(scope)) {
      const detail = `The token lacks the scope ${scope}.`
      throw new Problem('INSUFFICIENT_SCOPE', { detail, scope })
    }
    return { ...rateMetadata, overrideReason, overriddenBy: caller.subject }
  }
  if (!rate) throw missingRate(exchange, pointer)
  requireWithinTolerance(exchange, rate, caller.partyId !== null, pointer)
  return rateMetadata
}
