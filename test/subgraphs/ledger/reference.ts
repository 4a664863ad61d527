/**
 * A ledger as small as it can be, written from the rules in words and not from the program's code:
 * numbers instead of rows, one thing at a time, no phases, no versions. The model-based test holds
 * the real one to it.
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
  authorised: number
  settled: number
  released: number
  open: number
  isExpired: boolean
  expiresAt: number | null
}

/** What an instruction does to one account of a customer; `out` and `in` are what is pending. */
interface Effect {
  account: string
  currency: string
  committed: number
  out: number
  in: number
}

/** An instruction in the words of the reference; amounts are minor units. */
export type Asked = { advice?: boolean } & (
  | { does: 'in' | 'out'; account: string; amount: number; currency: string }
  | {
      does: 'authorise'
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

/** What becomes of an instruction: what it does, or every reason that may be given against it. */
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
   * Does one instruction, or all of several or none. Answers the codes it may be refused with; an
   * empty set means that it is done. `names` are what the real ledger called the postings.
   */
  post(asked: readonly Asked[], names: readonly string[]): Set<string> {
    const trial = this.#copy()
    const refusals = new Set<string>()
    asked.forEach((one, at) => {
      for (const code of trial.#one(one, names[at] ?? `none-${at}`)) refusals.add(code)
    })
    if (refusals.size === 0) Object.assign(this, trial)
    return refusals
  }

  /** Gives up every chain whose time is over; what the clock does. */
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

  #one(asked: Asked, name: string): Set<string> {
    const verdict = this.#verdict(asked)
    if (verdict.refusals) return verdict.refusals
    const refusals = this.#refusals(verdict.effects, asked.advice ?? false, verdict.isPromised)
    if (refusals.size > 0) return refusals
    for (const one of verdict.effects) this.#apply(one)
    if (verdict.chain) this.chains.set(...verdict.chain)
    const isReversible = ['in', 'out', 'settle', 'transfer', 'custom'].includes(asked.does)
    this.postings.set(name, { isReversible, isReversed: false, effects: verdict.effects })
    if (asked.does === 'reverse') {
      this.postings.set(asked.posting, { ...this.postings.get(asked.posting)!, isReversed: true })
    }
    return refusals
  }

  #verdict(asked: Asked): Verdict {
    if ('amount' in asked && asked.amount !== null) {
      if (asked.amount === 0 || (asked.amount < 0 && asked.does !== 'adjust')) {
        return no('INVALID_AMOUNT')
      }
    }
    switch (asked.does) {
      case 'in':
        return did([effect(asked.account, asked.currency, asked.amount)])
      case 'out':
        return did([effect(asked.account, asked.currency, -asked.amount)])
      case 'authorise':
        return this.#authorise(asked)
      case 'transfer': {
        const { from, to, amount, currency, arrives } = asked
        if (from === to) return no('SAME_ACCOUNT')
        if (arrives && arrives.currency === currency && arrives.amount !== amount) {
          return no('UNBALANCED_ENTRIES')
        }
        const into = arrives ?? { amount, currency }
        return did([effect(from, currency, -amount), effect(to, into.currency, into.amount)])
      }
      case 'custom': {
        const effects = asked.lines.map(({ account, amount, currency }) =>
          effect(account, currency, amount),
        )
        return did(effects)
      }
      case 'reverse': {
        const done = this.postings.get(asked.posting)
        if (!done?.isReversible) return no('POSTING_NOT_REVERSIBLE')
        if (done.isReversed) return no('ALREADY_REVERSED')
        const back = done.effects.map((one) => effect(one.account, one.currency, -one.committed))
        return did(back)
      }
      default:
        return this.#follow(asked)
    }
  }

  #authorise(asked: Extract<Asked, { does: 'authorise' }>): Verdict {
    const { account, isOut, amount, currency, chain, expiresAt } = asked
    if (this.chains.has(chain)) return no('CLIENT_TRANSACTION_ID_REUSED')
    const opened = { account, isOut, currency, authorised: amount, open: amount, expiresAt }
    const effects = [effect(account, currency, 0, isOut ? amount : 0, isOut ? 0 : amount)]
    return did(effects, [chain, { ...opened, settled: 0, released: 0, isExpired: false }])
  }

  #follow(
    asked: Extract<Asked, { chain: string; does: 'adjust' | 'settle' | 'release' }>,
  ): Verdict {
    const chain = this.chains.get(asked.chain)
    if (!chain) return no('AUTHORISATION_NOT_FOUND')
    const isOver = chain.expiresAt !== null && chain.expiresAt <= this.now
    if (chain.isExpired || (isOver && chain.open > 0)) return no('AUTHORISATION_EXPIRED')
    if (chain.open === 0) return no('AUTHORISATION_ALREADY_CLOSED')
    const { account, currency, isOut, open } = chain
    const pending = (change: number, committed = 0) => [
      effect(account, currency, committed, isOut ? change : 0, isOut ? 0 : change),
    ]
    if (asked.does === 'release') {
      const closed = { ...chain, open: 0, released: chain.released + open }
      return did(pending(-open), [asked.chain, closed], true)
    }
    if (asked.amount !== null && asked.currency !== currency) return no('CURRENCY_MISMATCH')
    if (asked.does === 'adjust') {
      if (open + asked.amount <= 0) return no('INVALID_AMOUNT')
      const authorised = chain.authorised + asked.amount
      return did(pending(asked.amount), [
        asked.chain,
        { ...chain, authorised, open: open + asked.amount },
      ])
    }
    const amount = asked.amount ?? open
    if (amount > open && !asked.advice) return no('SETTLEMENT_EXCEEDS_AUTHORISATION')
    const consumed = Math.min(amount, open)
    const freed = asked.isFinal ? open : consumed
    const after = {
      ...chain,
      settled: chain.settled + consumed,
      released: chain.released + freed - consumed,
      open: open - freed,
    }
    return did(pending(-freed, isOut ? -amount : amount), [asked.chain, after], true)
  }

  /** Every rule about accounts that the effects break. */
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
