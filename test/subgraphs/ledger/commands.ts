import * as fc from 'fast-check'
import { expect } from 'vitest'
import { command } from '../../../subgraphs/_kernel/command.ts'
import { changeGuard } from '../../../subgraphs/_ledger/book.ts'
import { readStandings } from '../../../subgraphs/_ledger/entries.ts'
import { readHeldBalance } from '../../../subgraphs/_ledger/hold.ts'
import { expireAuthorisations } from '../../../subgraphs/payments/workers.ts'
import type { Answer, Desk, RunningSubgraph } from '../../kit/subgraph.ts'
import { contextOf, post } from '../payments/kit.ts'
import { asked } from './arbitrary-asked.ts'
import { available, type Asked, type Reference } from './reference.ts'
import { wire } from './wire.ts'

/** What one run of the model knows of the real ledger. */
export interface Real {
  bank: RunningSubgraph
  /** Two processes on one database; each posting says through which it goes. */
  desks: readonly [Desk, Desk]
  /** In front of every name, so that runs share a database and nothing else. */
  prefix: string
  sent: { key: string; input: object; answer: Answer }[]
  /** Ids of what was posted, in order. */
  posted: string[]
}

type Step = fc.AsyncCommand<Reference, Real>

/** What is left open is filled in from the model: an own currency is '', a posting its place. */
function resolve(asked: Asked, model: Reference, real: Real): Asked {
  const own = (currency: string, account: string | undefined) =>
    currency || (model.accounts.get(account ?? '')?.currency ?? 'EUR')
  switch (asked.does) {
    case 'in':
    case 'out':
    case 'authorise':
      return { ...asked, currency: own(asked.currency, asked.account) }
    case 'adjust':
    case 'settle':
      return {
        ...asked,
        currency: own(asked.currency, model.chains.get(asked.chain)?.account),
      }
    case 'transfer': {
      const { arrives, to, from, currency } = asked
      const into = arrives && { ...arrives, currency: own(arrives.currency, to) }
      return { ...asked, currency: own(currency, from), arrives: into }
    }
    case 'custom': {
      const lines = asked.lines.map((line) => ({
        ...line,
        currency: own(line.currency, line.account),
      }))
      return { ...asked, lines }
    }
    case 'reverse': {
      const { posted } = real
      return { ...asked, posting: posted[Number(asked.posting) % posted.length] ?? 'pin_nobody' }
    }
    default:
      return asked
  }
}

let serial = 0
const newKey = (real: Real) => `${real.prefix}key-${++serial}`

async function send(real: Real, desk: number, input: object, key = newKey(real)): Promise<Answer> {
  const answer = await post(real.desks[desk]!, input, { idempotencyKey: key })
  real.sent.push({ key, input, answer })
  return answer
}

/** The ids of what was accepted; none when it was refused with one of the codes. */
function namesOf(answer: Answer): string[] {
  if (answer.code !== undefined) return []
  const done = answer.data.createPostingInstruction
  const all = (done.instructions ?? [done]) as { postingInstructionId: string }[]
  return all.map(({ postingInstructionId }) => postingInstructionId)
}

function expectSame(answer: Answer, refusals: Set<string>) {
  if (refusals.size === 0) expect(answer.errors).toEqual([])
  else expect([...refusals]).toContain(answer.code)
}

/** Holds every account to the model. */
async function expectBalances(model: Reference, real: Real) {
  const ids = [...model.accounts.keys()]
  const standings = await readStandings(
    real.bank.bank.pool,
    ids.map((id) => real.prefix + id),
  )
  for (const id of ids) {
    const { committedMinor, pendingInMinor, pendingOutMinor, availableMinor } = standings.get(
      real.prefix + id,
    )!
    const account = model.accounts.get(id)!
    expect(
      [id, committedMinor, pendingInMinor, pendingOutMinor, availableMinor].map(String),
    ).toEqual(
      [id, account.committed, account.pendingIn, account.pendingOut, available(account)].map(
        String,
      ),
    )
  }
}

/** A step that prints as what it was made of, so that a failure can be read. */
function step(made: object, run: (model: Reference, real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    async run(model, real) {
      model.now = real.bank.bank.now().getTime()
      await run(model, real)
      await expectBalances(model, real)
    },
    toString: () => JSON.stringify(made),
  }
}

const desk = fc.constantFrom(0, 0, 0, 1)

const single = fc.record({ asked, desk }).map((made) =>
  step(made, async (model, real) => {
    const one = resolve(made.asked, model, real)
    const answer = await send(real, made.desk, wire(one, real.prefix))
    const names = namesOf(answer)
    expectSame(answer, model.post([one], names))
    real.posted.push(...names)
  }),
)

const batch = fc
  .record({ batch: fc.array(asked, { minLength: 1, maxLength: 5 }), desk })
  .map((made) =>
    step(made, async (model, real) => {
      const all = made.batch.map((one) => resolve(one, model, real))
      const input = { instructions: all.map((one) => wire(one, real.prefix)) }
      const answer = await send(real, made.desk, input)
      const names = namesOf(answer)
      expectSame(answer, model.post(all, names))
      real.posted.push(...names)
    }),
  )

/** The same wish several times at once, each with a key of its own: whatever the order, so many are granted. */
const race = fc
  .record({ race: asked, desks: fc.array(desk, { minLength: 2, maxLength: 6 }) })
  .map((made) =>
    step(made, async (model, real) => {
      const one = resolve(made.race, model, real)
      const input = wire(one, real.prefix)
      const answers = await Promise.all(made.desks.map((at) => send(real, at, input)))
      const accepted = answers.filter(({ code }) => code === undefined)
      const refused = answers.filter(({ code }) => code !== undefined)
      for (const answer of [...accepted, ...refused]) {
        const names = namesOf(answer)
        expectSame(answer, model.post([one], names))
        real.posted.push(...names)
      }
    }),
  )

/** One key several times at once: one effect, one answer. */
const twins = fc
  .record({ twins: asked, desks: fc.array(desk, { minLength: 2, maxLength: 4 }) })
  .map((made) =>
    step(made, async (model, real) => {
      const one = resolve(made.twins, model, real)
      const [key, input] = [newKey(real), wire(one, real.prefix)]
      const answers = await Promise.all(made.desks.map((at) => send(real, at, input, key)))
      for (const { data, errors } of answers) {
        expect({ data, errors }).toEqual({ data: answers[0]!.data, errors: answers[0]!.errors })
      }
      expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
      const names = namesOf(answers[0]!)
      expectSame(answers[0]!, model.post([one], names))
      real.posted.push(...names)
    }),
  )

const replay = fc.record({ replay: fc.nat(100), desk }).map((made) =>
  step(made, async (_model, real) => {
    const before = real.sent[made.replay % real.sent.length]
    if (!before) return
    const { key, input, answer } = before
    const again = await post(real.desks[made.desk]!, input, { idempotencyKey: key })
    expect(again).toEqual({ ...answer, isReplayed: true })
    const other =
      'instructions' in input
        ? { ...input, clientBatchId: key }
        : { ...input, metadata: { other: 'body' } }
    const refused = await post(real.desks[made.desk]!, other, { idempotencyKey: key })
    expect(refused.code).toBe('IDEMPOTENCY_KEY_REUSED')
  }),
)

const guard = fc
  .record({
    guard: fc.constantFrom('a0', 'a1', 'a2', 'usd', 'jpy'),
    changes: fc.oneof(
      fc.record({ isBlocked: fc.boolean() }),
      fc.record({ isClosed: fc.boolean() }),
      fc.record({ overdraft: fc.nat(800) }),
    ),
    desk,
  })
  .map((made) =>
    step(made, async (model, real) => {
      const id = made.guard
      // Nothing is closed on which something is still promised.
      const { pendingIn, pendingOut } = model.accounts.get(id)!
      if ('isClosed' in made.changes && pendingIn + pendingOut > 0) return
      const after = { ...model.accounts.get(id)!, ...made.changes }
      model.accounts.set(id, after)
      const context = contextOf(real.desks[made.desk]!)
      const guards = {
        blockedFor: after.isBlocked ? ('all' as const) : null,
        isClosed: after.isClosed,
        overdraftLimitMinor: BigInt(after.overdraft),
      }
      await command(context, 'guard', { serial: ++serial }, async () => {
        const balance = await readHeldBalance(context, real.prefix + id)
        return { result: null, writes: [changeGuard(balance, guards)] }
      })
    }),
  )

const clock = fc
  .record({ hours: fc.integer({ min: 1, max: 8 }), isSwept: fc.boolean(), desk })
  .map((made) =>
    step(made, async (model, real) => {
      real.bank.clock.advance(made.hours * 3_600_000)
      if (!made.isSwept) return
      model.now = real.bank.bank.now().getTime()
      model.expire()
      await expireAuthorisations.run(contextOf(real.desks[made.desk]!))
    }),
  )

/** Every kind of step, in the proportions in which they tell most. */
export const steps: fc.Arbitrary<Step>[] = [
  single,
  single,
  single,
  single,
  single,
  single,
  batch,
  batch,
  race,
  twins,
  replay,
  guard,
  clock,
]
