import { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrangementStates } from '../../../subgraphs/accounts/model/arrangement.ts'
import {
  openBank,
  arrangementIn,
  bank,
  counts,
  does,
  eventsOf,
  mutationOf,
  transitionOf,
  type ArrangementAction,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

test('the actions of the kit are all declared transitions', () => {
  const actions = Object.keys(mutationOf) as ArrangementAction[]
  expect(actions.map(transitionOf)).toEqual(Object.values(arrangementStates.transitions))
})

describe('State transitions of an account', () => {
  for (const state of ArrangementState.values) {
    for (const act of Object.keys(mutationOf) as ArrangementAction[]) {
      const transition = transitionOf(act)
      const { to } = transition
      const from: readonly ArrangementState[] = transition.from
      const isLegal = from.includes(state)
      test(`${act} from ${state} leads to ${isLegal ? to : 'INVALID_STATE_TRANSITION'}`, async () => {
        const id = await arrangementIn(state)
        const row = async () =>
          (
            await bank.rows('select * from accounts.arrangement where arrangement_id = $1', [id])
          )[0]!
        const before = {
          row: await row(),
          event: await eventsOf(id),
          counts: await counts(),
          fact: await bank.fact(`arrangement/${id}`),
        }
        const answer = await does(act, id)
        const events = await eventsOf(id)
        if (isLegal) {
          expect(answer.errors).toEqual([])
          expect((await row())['state']).toBe(to)
          expect((await row())['version']).toBe(before.row['version'] + 1)
          expect(events.slice(before.event.length)).toMatchObject([{ type: transition.event[0] }])
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
            event: events,
            counts: await counts(),
            fact: await bank.fact(`arrangement/${id}`),
          }).toEqual(before)
        }
      })
    }
  }

  test('shows the kind and reason of a block until it is lifted', async () => {
    const id = await arrangementIn('active')
    const blocked = (await does('block', id)).data.act
    expect(blocked).toMatchObject({ blockedFor: 'DEBIT', stateReason: 'lost card' })
    expect(await bank.fact(`arrangement/${id}`)).toMatchObject({ blockedFor: 'debit' })
    expect((await does('unblock', id)).data.act).toMatchObject({
      blockedFor: null,
      stateReason: null,
    })
  })

  test('permits exactly one of several concurrent transitions', async () => {
    const id = await arrangementIn('pending')
    const answers = await Promise.all([
      does('activate', id),
      does('reject', id),
      does('cancel', id),
    ])
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    expect(await eventsOf(id)).toHaveLength(2)
  })

  test('returns ARRANGEMENT_NOT_FOUND for an unknown account', async () => {
    expect((await does('activate', 'arr_none')).code).toBe('ARRANGEMENT_NOT_FOUND')
  })
})
