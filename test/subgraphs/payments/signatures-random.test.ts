import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import { random as randomFrom } from '../../kit/random.ts'
import { create } from './kit.ts'
import * as kit from './payments-kit.ts'
import { account, aBankWithSignatories, entitle, setRule, sign, decline } from './signing-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithSignatories()
})
afterAll(async () => {
  expect(await kit.findings(bank)).toEqual([])
  await bank.drop()
})

const parties = ['pty_ada', 'pty_grace', 'pty_alan', 'pty_eve']
const callerOf = (partyId: string) => aCaller({ partyId })

/** What the test knows of the account: who may pay, and the rule. */
interface Model {
  entitled: Set<string>
  rule: { requiredSignatures: number; fromMinor: string | null; signatoryPartyIds: string[] }
}
/** What the test knows of a waiting payment: how many signatures it needs, of whom, and who signed. */
interface Waiting {
  required: number
  signatories: string[]
  signers: Set<string>
}

const needed = ({ rule }: Model, minor: number) =>
  rule.fromMinor !== null && minor < Number(rule.fromMinor) ? 1 : rule.requiredSignatures

test.each([1, 2, 3])(
  'in random lives, no money leaves with fewer signatures (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!
    const model: Model = { entitled: new Set(), rule: {} as Model['rule'] }
    const waiting = new Map<string, Waiting>()
    let made = 0

    const changeRule = async () => {
      const signatoryPartyIds = parties.filter(() => random() < 0.75)
      if (signatoryPartyIds.length === 0) signatoryPartyIds.push('pty_ada')
      const requiredSignatures = 1 + Math.floor(random() * signatoryPartyIds.length)
      model.rule = { requiredSignatures, fromMinor: pick([null, '300']), signatoryPartyIds }
      await setRule(bank, model.rule)
    }
    const changeRight = async () => {
      const partyId = pick(parties.slice(1))
      const right = pick(['transfer', 'transfer', 'view'] as const)
      await entitle(bank, partyId, right)
      model.entitled[right === 'transfer' ? 'add' : 'delete'](partyId)
    }
    const mayPay = (partyId: string) => partyId === 'pty_ada' || model.entitled.has(partyId)
    const isAlone = (partyId: string, minor: number) =>
      model.rule.signatoryPartyIds.includes(partyId) && needed(model, minor) === 1

    /** Whether the signatures allow that money leaves the account by the next operation. */
    const operate = async (): Promise<boolean> => {
      const partyId = pick(parties)
      const caller = callerOf(partyId)
      const minor = pick([100, 299, 300, 500])
      const amount = { amount: (minor / 100).toFixed(2), currency: 'EUR' }
      const kind = pick([
        'transfer',
        'transfer',
        'posting',
        'batch',
        'sign',
        'sign',
        'sign',
        'decline',
      ])
      if (kind === 'transfer') {
        const { data } = await kit.transfer(bank, kit.inside({ amount }), { caller })
        if (data?.payment?.state === 'PENDING_SIGNATURES') {
          const { signatoryPartyIds: signatories } = model.rule
          const signers = new Set(signatories.filter((each) => each === partyId))
          waiting.set(data.payment.paymentId, {
            required: needed(model, minor),
            signatories,
            signers,
          })
        }
        return mayPay(partyId) && isAlone(partyId, minor)
      }
      if (kind === 'posting' || kind === 'batch') {
        const type = 'TRANSFER'
        const one = {
          type,
          debtorArrangementId: account,
          creditorArrangementId: 'arr_grace',
          amount,
        }
        const input = kind === 'batch' ? { instructions: [one, one] } : one
        await bank.execute(create, { input }, { caller })
        return partyId === 'pty_ada' && isAlone(partyId, kind === 'batch' ? 2 * minor : minor)
      }
      if (waiting.size === 0) return false
      const [paymentId, payment] = pick([...waiting])
      if (kind === 'decline') {
        const { data } = await decline(bank, paymentId, caller)
        if (data?.payment) waiting.delete(paymentId)
        return false
      }
      const { data } = await sign(bank, paymentId, caller)
      if (!data?.payment) return false
      expect(payment.signatories).toContain(partyId)
      expect(payment.signers).not.toContain(partyId)
      payment.signers.add(partyId)
      if (data.payment.state === 'SETTLED') {
        waiting.delete(paymentId)
        made += 1
      }
      return [...payment.signers].filter(mayPay).length >= payment.required
    }

    await changeRule()
    for (const partyId of parties.slice(1)) {
      await entitle(bank, partyId, 'transfer')
      model.entitled.add(partyId)
    }
    for (let step = 0; step < 150; step++) {
      if (random() < 0.06) await changeRule()
      if (random() < 0.15) await changeRight()
      const before = (await kit.standing(bank, account)).committed
      const isAllowed = await operate()
      const hasLeft = (await kit.standing(bank, account)).committed < before
      expect(hasLeft, `step ${step}`).toBe(isAllowed)
    }
    expect(made).toBeGreaterThan(0)
  },
  120_000,
)
