import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  arrangementActs,
  arrangementStates,
  type ArrangementAct,
  type ArrangementState,
} from '../../../subgraphs/accounts/domain/arrangement.ts'
import { factOf } from '../../../subgraphs/accounts/events.ts'
import { openBank, arrangementIn, bank, counts, does, told } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('moves', () => {
  for (const state of arrangementStates) {
    for (const act of Object.keys(arrangementActs) as ArrangementAct[]) {
      const { from, to }: { from: readonly ArrangementState[]; to: ArrangementState } =
        arrangementActs[act]
      const isLegal = from.includes(state)
      test(`${act} on ${state} is ${isLegal ? to : 'refused'}`, async () => {
        const id = await arrangementIn(state)
        const row = async () =>
          (
            await bank.rows('select * from accounts.arrangement where arrangement_id = $1', [id])
          )[0]!
        const before = {
          row: await row(),
          told: await told(id),
          counts: await counts(),
          fact: await bank.fact(`arrangement/${id}`),
        }
        const answer = await does(act, id)
        const events = await told(id)
        if (isLegal) {
          expect(answer.errors).toEqual([])
          expect((await row())['state']).toBe(to)
          expect((await row())['version']).toBe(before.row['version'] + 1)
          expect(events.slice(before.told.length)).toMatchObject([
            { type: `accounts.arrangement.${factOf[act]}` },
          ])
          expect(await bank.fact(`arrangement/${id}`)).toMatchObject({ state: to })
          const ended = ['closed', 'rejected', 'cancelled'].includes(to) ? 1 : 0
          expect((await counts())!['open']).toBe(before.counts!['open'] - ended)
        } else {
          expect(answer.code).toBe('INVALID_STATE_TRANSITION')
          expect(answer.errors[0]!.extensions).toMatchObject({
            currentState: state,
            resourceId: id,
          })
          expect(answer.errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect({
            row: await row(),
            told: events,
            counts: await counts(),
            fact: await bank.fact(`arrangement/${id}`),
          }).toEqual(before)
        }
      })
    }
  }

  test('a block says what it stops and why, until it is lifted', async () => {
    const id = await arrangementIn('active')
    const blocked = (await does('block', id)).data.act
    expect(blocked).toMatchObject({ blockedFor: 'DEBIT', stateReason: 'lost card' })
    expect(await bank.fact(`arrangement/${id}`)).toMatchObject({ blockedFor: 'debit' })
    expect((await does('unblock', id)).data.act).toMatchObject({
      blockedFor: null,
      stateReason: null,
    })
  })

  test('of two opposite moves at once one happens', async () => {
    const id = await arrangementIn('pending')
    const answers = await Promise.all([
      does('activate', id),
      does('reject', id),
      does('cancel', id),
    ])
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    expect(await told(id)).toHaveLength(2)
  })

  test('an account nobody has is not found', async () => {
    expect((await does('activate', 'arr_none')).code).toBe('ARRANGEMENT_NOT_FOUND')
  })
})
