import { eur, type TestAccounts } from './contention-accounts.ts'
import { postingRequest } from './contention-client.ts'
import {
  inverse,
  pick,
  pickHottest,
  takeOut,
  uniqueId,
  type Effect,
  type Movement,
  type MovementKind,
  type Producer,
} from './contention-movement.ts'

/** An accepted authorization that is still open. */
interface Authorization {
  clientTransactionId: string
  accountId: string
  direction: 'in' | 'out'
  openMinor: number
}

interface Instruction {
  body: object
  effects: Effect[]
}

const maxMinor = 500
const maxReversible = 500
const hotShare = 0.9

export type PostingKind = Extract<
  MovementKind,
  'postings' | 'batches' | 'authorizations' | 'settlements' | 'releases' | 'reversals' | 'charges'
>

/** An account of the mix; most movements use the hot ones. */
export function pickAccount({ hot, cold }: TestAccounts, random: () => number): string {
  return random() < hotShare ? pickHottest(hot, random) : pick(cold, random)
}

/** Two different accounts, debtor first. Half of the pairs have at most one hot account. */
export function pickTwo(accounts: TestAccounts, random: () => number): [string, string] {
  const first = pickAccount(accounts, random)
  for (;;) {
    const second = random() < 0.5 ? pickAccount(accounts, random) : pick(accounts.cold, random)
    if (second !== first) return random() < 0.5 ? [first, second] : [second, first]
  }
}

/** From one cent to five euros. */
export function pickMinor(random: () => number, max = maxMinor): number {
  return 1 + Math.floor(random() * max)
}

/** The movements that are posting instructions of the documented REST operation. */
export function postingProducers(accounts: TestAccounts): Record<PostingKind, Producer> {
  const open: Authorization[] = []
  const reversible: { postingInstructionId: string; effects: readonly Effect[] }[] = []
  const cache = (movement: Movement): Movement => ({
    ...movement,
    onDone: ({ postingInstructionId }) => {
      if (reversible.length >= maxReversible) reversible.shift()
      reversible.push({ postingInstructionId, effects: movement.effects })
    },
  })
  return {
    postings: (random) => cache(single('postings', payment(accounts, random))),
    batches: (random) => batch(accounts, random),
    charges: (random) => cache(single('charges', charge(accounts, random))),
    authorizations: (random) => authorization(accounts, open, random),
    settlements: (random) => settlement(open, random),
    releases: (random) => release(open, random),
    reversals: (random) => {
      const posting = takeOut(reversible, random)
      if (!posting) return null
      const { postingInstructionId: reversesId, effects } = posting
      return single('reversals', { body: { reversesId }, effects: inverse(effects) })
    },
  }
}

function single(kind: PostingKind, { body, effects }: Instruction): Movement {
  const id = uniqueId()
  const request = postingRequest(`key-${id}`, { ...body, endToEndId: id })
  return { kind, request, effects, endToEndIds: [id] }
}

function payment(accounts: TestAccounts, random: () => number): Instruction {
  const minor = pickMinor(random)
  const [from, to] = pickTwo(accounts, random)
  const choice = random()
  const amount = eur(minor)
  if (choice < 0.35) {
    const body = { debtorArrangementId: from, creditorArrangementId: to, amount }
    return { body, effects: [updated(from, -minor), updated(to, minor)] }
  }
  const direction = choice < 0.7 ? 'in' : 'out'
  const signed = direction === 'in' ? minor : -minor
  return { body: { arrangementId: from, direction, amount }, effects: [updated(from, signed)] }
}

function charge(accounts: TestAccounts, random: () => number): Instruction {
  const minor = pickMinor(random, 20)
  const accountId = pickAccount(accounts, random)
  const line = (account: string, side: string) => ({ account, side, amount: eur(minor) })
  const entries = [line(accountId, 'debit'), line('fee-income/EUR', 'credit')]
  return { body: { entries }, effects: [updated(accountId, -minor)] }
}

function batch(accounts: TestAccounts, random: () => number): Movement {
  const count = 2 + Math.floor(random() * 4)
  const parts = Array.from({ length: count }, () => payment(accounts, random))
  const endToEndIds = parts.map(uniqueId)
  const instructions = parts.map(({ body }, at) => ({ ...body, endToEndId: endToEndIds[at] }))
  const effects = parts.flatMap((part) => part.effects)
  const request = postingRequest(`key-${endToEndIds[0]}`, { instructions })
  return { kind: 'batches', request, effects, endToEndIds }
}

function authorization(
  accounts: TestAccounts,
  open: Authorization[],
  random: () => number,
): Movement {
  const clientTransactionId = uniqueId()
  const accountId = pickAccount(accounts, random)
  const openMinor = 1 + pickMinor(random)
  const direction = random() < 0.8 ? 'out' : 'in'
  const type = direction === 'out' ? 'outbound-authorisation' : 'inbound-authorisation'
  const amount = eur(openMinor)
  const body = { type, arrangementId: accountId, amount, clientTransactionId }
  const chain = { clientTransactionId, accountId, direction, openMinor } as const
  const movement = single('authorizations', { body, effects: [pending(chain, openMinor)] })
  return { ...movement, onDone: () => void open.push(chain) }
}

/** Settles an authorization fully or in part, and sometimes releases the rest. */
function settlement(open: Authorization[], random: () => number): Movement | null {
  const chain = takeOut(open, random)
  if (!chain) return null
  const { clientTransactionId, accountId, direction, openMinor } = chain
  const isPart = openMinor > 1 && random() < 0.5
  const settled = isPart ? pickMinor(random, openMinor - 1) : openMinor
  const isFinal = random() < 0.5
  const closed = isFinal ? openMinor : settled
  const amount = eur(settled)
  const body = { type: 'settlement', clientTransactionId, amount, final: isFinal }
  const committed = updated(accountId, direction === 'out' ? -settled : settled)
  const effects = [committed, pending(chain, -closed)]
  return {
    ...single('settlements', { body, effects }),
    onDone: () => {
      if (closed < openMinor) open.push({ ...chain, openMinor: openMinor - closed })
    },
    onRefused: () => void open.push(chain),
  }
}

function release(open: Authorization[], random: () => number): Movement | null {
  const chain = takeOut(open, random)
  if (!chain) return null
  const { clientTransactionId, openMinor } = chain
  const body = { type: 'release', clientTransactionId }
  const movement = single('releases', { body, effects: [pending(chain, -openMinor)] })
  return { ...movement, onRefused: () => void open.push(chain) }
}

function updated(accountId: string, committed: number): Effect {
  return { accountId, committed }
}

function pending({ accountId, direction }: Authorization, minor: number): Effect {
  return direction === 'out' ? { accountId, pendingOut: minor } : { accountId, pendingIn: minor }
}
