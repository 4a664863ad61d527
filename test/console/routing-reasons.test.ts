import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../../console/src/areas/channels/routing-reasons.ts'
import { totalRate } from '../../console/src/areas/products/rates.ts'

type Agent = Parameters<typeof verdictsOf>[1][number]
type Decision = Parameters<typeof verdictsOf>[0]

const profile: NonNullable<Agent['routingProfile']> = {
  routingProfileId: 'rtp_1',
  name: 'Retail',
  status: 'ACTIVE',
  queues: [{ queueId: 'que_1', channel: 'VOICE', priority: 1, delaySeconds: 0 }],
  hours: null,
}

const anAgent = (agentId: string, more: Partial<Agent> = {}): Agent => ({
  agentId,
  name: agentId,
  status: 'AVAILABLE',
  routingProfileId: 'rtp_1',
  skills: [],
  languages: [],
  lastActivityAt: '2026-01-01T00:00:00Z',
  load: [],
  routingProfile: profile,
  ...more,
})

const decision: Decision = {
  routingProfileId: 'rtp_1',
  queueId: 'que_1',
  priority: 1,
  agentId: 'chosen',
  reevaluateAt: null,
  reasons: [
    { code: 'QUEUE_CHOSEN', subjects: ['que_1'] },
    { code: 'LACKS_SKILL', subjects: ['unskilled'] },
  ],
}

const outcomes = (of: Decision, agents: readonly Agent[], channel = 'VOICE') =>
  verdictsOf(of, agents, channel).map(({ agent, outcome, reason }) => [
    agent.agentId,
    outcome,
    reason,
  ])

describe('The agents of a routing decision', () => {
  test('are those who got the contact, could have, could not, and were not there', () => {
    const agents = [
      anAgent('away', { status: 'AWAY' }),
      anAgent('unskilled'),
      anAgent('second'),
      anAgent('chosen'),
      anAgent('suspended', { routingProfile: { ...profile, status: 'INACTIVE' } }),
      anAgent('elsewhere', { routingProfile: { ...profile, queues: [] } }),
    ]
    expect(outcomes(decision, agents)).toEqual([
      ['chosen', 'chosen', 'Gets the contact'],
      ['second', 'qualified', 'Could take it, but comes after the chosen one'],
      ['unskilled', 'skipped', 'Lacks a required skill'],
      ['away', 'not considered', 'Away'],
      ['suspended', 'not considered', 'The profile of the agent is not active'],
      ['elsewhere', 'not considered', 'Does not serve the queue for this medium'],
    ])
  })

  test('qualify only where the decision leaves no doubt', () => {
    const unclear = [['second', 'not considered', 'The decision does not say']]
    const subjects = Array.from({ length: 20 }, (_, index) => `agt_${index}`)
    const cut: Decision = { ...decision, reasons: [{ code: 'AT_CAPACITY', subjects }] }
    expect(outcomes(cut, [anAgent('second')])).toEqual(unclear)
    const routingProfile = { ...profile, hours: { zone: 'UTC' } }
    expect(outcomes(decision, [anAgent('second', { routingProfile })])).toEqual(unclear)
    expect(outcomes({ ...decision, agentId: null }, [anAgent('second')])).toEqual([
      ['second', 'not considered', 'Was not there when it was decided'],
    ])
  })
})

test.each([
  ['5.9', '0.25', '6.15'],
  ['0.1', '0.2', '0.3'],
  ['1.75', '-2', '-0.25'],
  ['-0.5', '0.25', '-0.25'],
  ['5', '0', '5'],
])('the rates %s and %s add up to exactly %s', (basePct, marginPct, total) => {
  expect(totalRate({ basePct, marginPct })).toBe(total)
})
