import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { attemptOf, command, remembered } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { versioned } from '../_kernel/records.ts'
import type { Posting } from '../_ledger/journal.ts'
import {
  exchangeOf,
  missingRate,
  newExchangeRate,
  requireRate,
  type Exchange,
  type ExchangeRate,
  type NewExchangeRate,
} from './domain/exchange-rate.ts'
import { exchangeRateTable, findRate } from './store/exchange-rate.ts'

const maxTogether = 200

/**
 * Loads exchange rates, all of them or none. Rates are never changed: a newer one replaces an older one.
 * Rejects with NOT_FOR_DELEGATED_USERS, VALIDATION_FAILED.
 */
export function loadExchangeRates(
  context: Context,
  rates: readonly NewExchangeRate[],
): Promise<ExchangeRate[]> {
  requireBank(context)
  if (rates.length < 1 || rates.length > maxTogether) {
    const detail = `${rates.length} rates are not from 1 to ${maxTogether}.`
    const errors = [{ pointer: '/rates', code: 'OUT_OF_RANGE', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return command(context, 'loadExchangeRates', { rates }, () => {
    const now = context.now()
    const loaded = rates.map((asked, index) => {
      const id = context.newId('exchangeRate')
      const contentHash = fingerprint('loadExchangeRates', asked)
      const head = { exchangeRateId: id, loadedBy: context.caller.subject }
      const made = { ...head, ...versioned({ id, contentHash, now }) }
      return newExchangeRate(asked, made, `/rates/${index}`)
    })
    return Promise.resolve({
      result: loaded,
      writes: loaded.map((rate) => exchangeRateTable.insert(rate)),
      events: loaded.map(({ exchangeRateId, baseCurrency, quoteCurrency, ...rate }) => ({
        type: 'payments.exchange-rate.loaded',
        subject: `exchange-rate/${exchangeRateId}`,
        version: 1,
        data: {
          exchangeRateId,
          baseCurrency,
          quoteCurrency,
          rate: rate.rate,
          source: rate.source,
          asOf: rate.asOf,
          validUntil: rate.validUntil,
          tolerancePct: rate.tolerancePct,
          loadedBy: rate.loadedBy,
        },
        parties: [],
      })),
    })
  })
}

/**
 * Checks every posting between two currencies against the rate table, and records in its metadata, as
 * `fx`, the rate it was checked against or the reason it overrides. A request that was answered before is
 * not checked again. Rejects with FX_RATE_MISSING, FX_RATE_OUT_OF_TOLERANCE, FX_POSITION_UNBALANCED, and
 * INSUFFICIENT_SCOPE for an override without `postings:fx-override`.
 */
export async function withRates(
  context: Context,
  operation: string,
  input: unknown,
  postings: readonly Posting[],
  reasons: readonly (string | null)[],
  isBatch: boolean,
): Promise<Posting[]> {
  const places = postings.map((_, index) => (isBatch ? `/instructions/${index}` : ''))
  if (!postings.some(({ instruction }) => mayExchange(instruction))) return [...postings]
  const attempt = attemptOf(context, operation, input)
  if (attempt && (await remembered(context, attempt))) return [...postings]
  return Promise.all(
    postings.map(async (posting, index) => {
      const exchange = exchangeOf(posting.instruction, places[index]!)
      if (!exchange) return posting
      const fx = await checked(context, exchange, reasons[index] ?? null, places[index]!)
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

async function checked(context: Context, exchange: Exchange, reason: string | null, at: string) {
  const { caller } = context
  const pointer = `${at}/creditorAmount`
  const rate = await findRate(
    context,
    exchange.sold.currency,
    exchange.bought.currency,
    context.now(),
  )
  const used = rate && {
    exchangeRateId: rate.exchangeRateId,
    rate: `${rate.baseCurrency}/${rate.quoteCurrency} ${rate.rate}`,
    source: rate.source,
    asOf: rate.asOf.toISOString(),
  }
  if (reason !== null) {
    const scope = 'postings:fx-override'
    if (!caller.scopes.has(scope)) {
      const detail = `The token lacks the scope ${scope}.`
      throw new Problem('INSUFFICIENT_SCOPE', { detail, scope })
    }
    return { ...used, overrideReason: reason, overriddenBy: caller.subject }
  }
  if (!rate) throw missingRate(exchange, pointer)
  requireRate(exchange, rate, caller.partyId !== null, pointer)
  return used
}
