/**
 * A minimal ledger, written from the rules in prose and not from the program's code: numbers instead
 * of rows, one operation at a time, no phases, no versions. The model-based test compares the real
 * ledger with it.
 */

export interface Account {
  currency: string
  committed: number
  pendingIn: number
  pendingOut: number
  overdraft: number
  isBlocked: boolean
  isClosed: boolean
}

export interface Chain {
  account: string
  isOut: boolean
  currency: string
  authorized: number
  settled: number
  released: number
  open: number
  isExpired: boolean
  expiresAt: number | null
}

/** The effect of an instruction on one customer account; `out` and `in` are pending amounts. */
interface Effect {
  account: string
  currency: string
  committed: number
  out: number
  in: number
}

/** An instruction in the terms of the reference; amounts are in minor units. */
export type LedgerRequest = { advice?: boolean } & (
  | { does: 'in' | 'out'; account: string; amount: number; currency: string }
  | {
      does: 'authorize'
      account: string
      isOut: boolean
      amount: number
      currency: string
      chain: string
      expiresAt: number | null
    }
  | { does: 'adjust'; chain: string; amount: number; currency: string }
  | { does: 'settle'; chain: string; amount: number | null; isFinal: boolean; currency: string }
  | { does: 'release'; chain: string }
  | {
      does: 'transfer'
      from: string
      to: string
      amount: number
      currency: string
      arrives: { amount: number; currency: string } | null
    }
  | { does: 'custom'; lines: { account: string; amount: number; currency: string }[] }
  | { does: 'reverse'; posting: string }
)

interface Done {
  isReversible: boolean
  isReversed: boolean
  effects: Effect[]
}

/** The outcome of an instruction: its effects, or every reason for which it may be rejected. */
type Verdict =
  | { refusals: Set<string> }
  | { refusals: null; effects: Effect[]; chain?: [string, Chain]; isPromised?: boolean }

const no = (...codes: string[]): Verdict => ({ refusals: new Set(codes) })
const effect = (account: string, currency: string, committed: number, out = 0, into = 0) => ({
  account,
  currency,
  committed,
  out,
  in: into,
})

export const available = ({ committed, pendingOut, overdraft }: Account) =>
  committed - pendingOut + overdraft

export class Reference {
  accounts = new Map<string, Account>()
  chains = new Map<string, Chain>()
  postings = new Map<string, Done>()
  now = 0

  /**
   * Executes one instruction, or several as a whole. Returns the codes with which the request may be
   * rejected; an empty set means that it succeeded. `names` are the ids that the real ledger assigned.
   */
  post(request: readonly LedgerRequest[], names: readonly string[]): Set<string> {
    const trial = this.#copy()
    const refusals = new Set<string>()
    request.forEach((one, at) => {
      for (const code of trial.#one(one, names[at] ?? `none-${at}`)) refusals.add(code)
    })
    if (refusals.size === 0) Object.assign(this, trial)
    return refusals
  }

  /** Expires every authorization whose time is over, as the passing of time does. */
  expire() {
    for (const [name, chain] of this.chains) {
      if (chain.open === 0 || chain.expiresAt === null || chain.expiresAt > this.now) continue
      const released = chain.released + chain.open
      this.chains.set(name, { ...chain, open: 0, released, isExpired: true })
      const { isOut, open, account, currency } = chain
      this.#apply(effect(account, currency, 0, isOut ? -open : 0, isOut ? 0 : -open))
    }
  }

  #copy(): Reference {
    const copy = new Reference()
    copy.accounts = new Map(this.accounts)
    copy.chains = new Map(this.chains)
    copy.postings = new Map(this.postings)
    copy.now = this.now
    return copy
  }

  #one(request: LedgerRequest, name: string): Set<string> {
    const verdict = this.#verdict(request)
    if (verdict.refusals) return verdict.refusals
    const refusals = this.#refusals(verdict.effects, request.advice ?? false, verdict.isPromised)
    if (refusals.size > 0) return refusals
    for (const one of verdict.effects) this.#apply(one)
    if (verdict.chain) this.chains.set(...verdict.chain)
    const isReversible = ['in', 'out', 'settle', 'transfer', 'custom'].includes(request.does)
    this.postings.set(name, { isReversible, isReversed: false, effects: verdict.effects })
    if (request.does === 'reverse') {
      this.postings.set(request.posting, {
        ...this.postings.get(request.posting)!,
        isReversed: true,
      })
    }
    return refusals
  }

  #verdict(request: LedgerRequest): Verdict {
    if ('amount' in request && request.amount !== null) {
      if (request.amount === 0 || (request.amount < 0 && request.does !== 'adjust')) {
        return no('INVALID_AMOUNT')
      }
    }
    switch (request.does) {
      case 'in':
        return did([effect(request.account, request.currency, request.amount)])
      case 'out':
        return did([effect(request.account, request.currency, -request.amount)])
      case 'authorize':
        return this.#authorize(request)
      case 'transfer': {
        const { from, to, amount, currency, arrives } = request
        if (from === to) return no('SAME_ACCOUNT')
        if (arrives && arrives.currency === currency && arrives.amount !== amount) {
          return no('UNBALANCED_ENTRIES')
        }
        const into = arrives ?? { amount, currency }
        return did([effect(from, currency, -amount), effect(to, into.currency, into.amount)])
      }
      case 'custom': {
        const effects = request.lines.map(({ account, amount, currency }) =>
          effect(account, currency, amount),
        )
        return did(effects)
      }
      case 'reverse': {
        const done = this.postings.get(request.posting)
        if (!done?.isReversible) return no('POSTING_NOT_REVERSIBLE')
        if (done.isReversed) return no('ALREADY_REVERSED')
        const back = done.effects.map((one) => effect(one.account, one.currency, -one.committed))
        return did(back)
      }
      default:
        return this.#follow(request)
    }
  }

  #authorize(request: Extract<LedgerRequest, { does: 'authorize' }>): Verdict {
    const { account, isOut, amount, currency, chain, expiresAt } = request
    if (this.chains.has(chain)) return no('CLIENT_TRANSACTION_ID_REUSED')
    const opened = { account, isOut, currency, authorized: amount, open: amount, expiresAt }
    const effects = [effect(account, currency, 0, isOut ? amount : 0, isOut ? 0 : amount)]
    return did(effects, [chain, { ...opened, settled: 0, released: 0, isExpired: false }])
  }

  #follow(
    request: Extract<LedgerRequest, { chain: string; does: 'adjust' | 'settle' | 'release' }>,
  ): Verdict {
    const chain = this.chains.get(request.chain)
    if (!chain) return no('AUTHORISATION_NOT_FOUND')
    const isOver = chain.expiresAt !== null && chain.expiresAt <= this.now
    if (chain.isExpired || (isOver && chain.open > 0)) return no('AUTHORISATION_EXPIRED')
    if (chain.open === 0) return no('AUTHORISATION_ALREADY_CLOSED')
    const { account, currency, isOut, open } = chain
    const pending = (change: number, committed = 0) => [
      effect(account, currency, committed, isOut ? change : 0, isOut ? 0 : change),
    ]
    if (request.does === 'release') {
      const closed = { ...chain, open: 0, released: chain.released + open }
      return did(pending(-open), [request.chain, closed], true)
    }
    if (request.amount !== null && request.currency !== currency) return no('CURRENCY_MISMATCH')
    if (request.does === 'adjust') {
      if (open + request.amount <= 0) return no('INVALID_AMOUNT')
      const authorized = chain.authorized + request.amount
      return did(pending(request.amount), [
        request.chain,
        { ...chain, authorized, open: open + request.amount },
      ])
    }
    const amount = request.amount ?? open
    if (amount > open && !request.advice) return no('SETTLEMENT_EXCEEDS_AUTHORISATION')
    const consumed = Math.min(amount, open)
    const freed = request.isFinal ? open : consumed
    const after = {
      ...chain,
      settled: chain.settled + consumed,
      released: chain.released + freed - consumed,
      open: open - freed,
    }
    return did(pending(-freed, isOut ? -amount : amount), [request.chain, after], true)
  }

  /** Every account rule that the effects violate. */
  #refusals(effects: readonly Effect[], isAdvice: boolean, isPromised = false): Set<string> {
    const refusals = new Set<string>()
    const sums = new Map<string, { committed: number; out: number }>()
    for (const { account: id, currency, committed, out, in: into } of effects) {
      const account = this.accounts.get(id)
      if (!account) refusals.add('ARRANGEMENT_NOT_FOUND')
      else if (account.currency !== currency) refusals.add('CURRENCY_MISMATCH')
      else if (account.isClosed) refusals.add('ARRANGEMENT_CLOSED')
      else if (account.isBlocked && !isPromised && !isAdvice) {
        if (committed !== 0 || out > 0 || into > 0) refusals.add('ARRANGEMENT_BLOCKED')
      }
      const sum = sums.get(id) ?? { committed: 0, out: 0 }
      sums.set(id, { committed: sum.committed + committed, out: sum.out + out })
    }
    if (refusals.size > 0 || isAdvice) return refusals
    for (const [id, { committed, out }] of sums) {
      const change = committed - out
      const isShort = change < 0 && available(this.accounts.get(id)!) + change < 0
      if (isShort) refusals.add('INSUFFICIENT_FUNDS')
    }
    return refusals
  }

  #apply({ account: id, committed, out, in: into }: Effect) {
    const account = this.accounts.get(id)!
    this.accounts.set(id, {
      ...account,
      committed: account.committed + committed,
      pendingOut: account.pendingOut + out,
      pendingIn: account.pendingIn + into,
    })
  }
}

function did(effects: Effect[], chain?: [string, Chain], isPromised = false): Verdict {
  return { refusals: null, effects, isPromised, ...(chain && { chain }) }
}
