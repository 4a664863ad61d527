import * as fc from 'fast-check'
import { expect } from 'vitest'
import { command } from '../../../kernel/writing/command.ts'
import { changeGuard } from '../../../ledger/book.ts'
import { readBalanceAmounts } from '../../../ledger/entries.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { expireAuthorizations } from '../../../subgraphs/payments/workers/ledger.ts'
import type { Answer, TestBank, RunningSubgraph } from '../../kit/subgraph.ts'
import { contextOf, post } from '../payments/kit.ts'
import { request } from './arbitrary-request.ts'
import { available, type LedgerRequest, type Reference } from './reference.ts'
import { wire } from './wire.ts'

/** What a run of the model knows about the real ledger. */
export interface Real {
  bank: RunningSubgraph
  /** Two processes on one database; each step chooses the one that it posts through. */
  testBanks: readonly [TestBank, TestBank]
  /** A prefix of every name, so that runs share a database but no records. */
  prefix: string
  sent: { key: string; input: object; answer: Answer }[]
  /** Ids of the accepted postings, in their order. */
  posted: string[]
}

type Step = fc.AsyncCommand<Reference, Real>

/** Fills in what the generator left open: the account's own currency for '', a posting id for a number. */
function resolve(request: LedgerRequest, model: Reference, real: Real): LedgerRequest {
  const own = (currency: string, account: string | undefined) =>
    currency || (model.accounts.get(account ?? '')?.currency ?? 'EUR')
  switch (request.does) {
    case 'in':
    case 'out':
    case 'authorize':
      return { ...request, currency: own(request.currency, request.account) }
    case 'adjust':
    case 'settle':
      return {
        ...request,
        currency: own(request.currency, model.chains.get(request.chain)?.account),
      }
    case 'transfer': {
      const { arrives, to, from, currency } = request
      const into = arrives && { ...arrives, currency: own(arrives.currency, to) }
      return { ...request, currency: own(currency, from), arrives: into }
    }
    case 'custom': {
      const lines = request.lines.map((line) => ({
        ...line,
        currency: own(line.currency, line.account),
      }))
      return { ...request, lines }
    }
    case 'reverse': {
      const { posted } = real
      return {
        ...request,
        posting: posted[Number(request.posting) % posted.length] ?? 'pin_nobody',
      }
    }
    default:
      return request
  }
}

let serial = 0
const newKey = (real: Real) => `${real.prefix}key-${++serial}`

async function send(
  real: Real,
  testBank: number,
  input: object,
  key = newKey(real),
): Promise<Answer> {
  const answer = await post(real.testBanks[testBank]!, input, { idempotencyKey: key })
  real.sent.push({ key, input, answer })
  return answer
}

/** The ids of the accepted postings; none when the request was rejected. */
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

/** Compares every account with the model. */
async function expectBalances(model: Reference, real: Real) {
  const ids = [...model.accounts.keys()]
  const standings = await readBalanceAmounts(
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

/** A step that prints its input, so that a failure can be read. */
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

const testBank = fc.constantFrom(0, 0, 0, 1)

const single = fc.record({ instruction: request, bankIndex: testBank }).map((made) =>
  step(made, async (model, real) => {
    const one = resolve(made.instruction, model, real)
    const answer = await send(real, made.bankIndex, wire(one, real.prefix))
    const names = namesOf(answer)
    expectSame(answer, model.post([one], names))
    real.posted.push(...names)
  }),
)

const batch = fc
  .record({ batch: fc.array(request, { minLength: 1, maxLength: 5 }), bankIndex: testBank })
  .map((made) =>
    step(made, async (model, real) => {
      const all = made.batch.map((one) => resolve(one, model, real))
      const input = { instructions: all.map((one) => wire(one, real.prefix)) }
      const answer = await send(real, made.bankIndex, input)
      const names = namesOf(answer)
      expectSame(answer, model.post(all, names))
      real.posted.push(...names)
    }),
  )

/** The same request several times at once, each under its own key: the number accepted depends on no order. */
const race = fc
  .record({ race: request, testBanks: fc.array(testBank, { minLength: 2, maxLength: 6 }) })
  .map((made) =>
    step(made, async (model, real) => {
      const one = resolve(made.race, model, real)
      const input = wire(one, real.prefix)
      const answers = await Promise.all(made.testBanks.map((at) => send(real, at, input)))
      const accepted = answers.filter(({ code }) => code === undefined)
      const refused = answers.filter(({ code }) => code !== undefined)
      for (const answer of [...accepted, ...refused]) {
        const names = namesOf(answer)
        expectSame(answer, model.post([one], names))
        real.posted.push(...names)
      }
    }),
  )

/** One key several times at once: one effect, one response. */
const twins = fc
  .record({ twins: request, testBanks: fc.array(testBank, { minLength: 2, maxLength: 4 }) })
  .map((made) =>
    step(made, async (model, real) => {
      const one = resolve(made.twins, model, real)
      const [key, input] = [newKey(real), wire(one, real.prefix)]
      const answers = await Promise.all(made.testBanks.map((at) => send(real, at, input, key)))
      for (const { data, errors } of answers) {
        expect({ data, errors }).toEqual({ data: answers[0]!.data, errors: answers[0]!.errors })
      }
      expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
      const names = namesOf(answers[0]!)
      expectSame(answers[0]!, model.post([one], names))
      real.posted.push(...names)
    }),
  )

const replay = fc.record({ replay: fc.nat(100), bankIndex: testBank }).map((made) =>
  step(made, async (_model, real) => {
    const before = real.sent[made.replay % real.sent.length]
    if (!before) return
    const { key, input, answer } = before
    const again = await post(real.testBanks[made.bankIndex]!, input, { idempotencyKey: key })
    expect(again).toEqual({ ...answer, isReplayed: true })
    const other =
      'instructions' in input
        ? { ...input, clientBatchId: key }
        : { ...input, metadata: { other: 'body' } }
    const refused = await post(real.testBanks[made.bankIndex]!, other, { idempotencyKey: key })
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
    bankIndex: testBank,
  })
  .map((made) =>
    step(made, async (model, real) => {
      const id = made.guard
      // An account with pending amounts cannot be closed.
      const { pendingIn, pendingOut } = model.accounts.get(id)!
      if ('isClosed' in made.changes && pendingIn + pendingOut > 0) return
      const after = { ...model.accounts.get(id)!, ...made.changes }
      model.accounts.set(id, after)
      const context = contextOf(real.testBanks[made.bankIndex]!)
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
  .record({ hours: fc.integer({ min: 1, max: 8 }), isSwept: fc.boolean(), bankIndex: testBank })
  .map((made) =>
    step(made, async (model, real) => {
      real.bank.clock.advance(made.hours * 3_600_000)
      if (!made.isSwept) return
      model.now = real.bank.bank.now().getTime()
      model.expire()
      await expireAuthorizations.run(contextOf(real.testBanks[made.bankIndex]!))
    }),
  )

/** Every kind of step, weighted by how much it reveals. */
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
