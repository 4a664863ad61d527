import type { Decision } from '../../../subgraphs/channels/model/routing-decision.ts'
import { describe, expect, test } from 'vitest'
import { decideRouting, routeAll } from '../../../subgraphs/channels/domain/routing.ts'
import { aCall, ago, anAgent, aProfile, now, staffOf } from './kit.ts'

const codes = ({ reasons }: Decision) => reasons.map(({ code }) => code)
const why = (decision: Decision, code: string) =>
  decision.reasons.find((reason) => reason.code === code)?.subjects

describe('choice of an agent', () => {
  test('takes the agent who has been idle longest, with the reasons', () => {
    const agents = [anAgent('bea', { lastActivityAt: ago(30) }), anAgent('abe')]
    const decision = decideRouting(aCall(), staffOf([aProfile('retail')], agents), now)
    expect(decision).toEqual({
      routingProfileId: 'retail',
      queueId: 'general',
      priority: 1,
      agentId: 'abe',
      reevaluateAt: null,
      reasons: [
        { code: 'profile-fits', subjects: ['retail'] },
        { code: 'queue-chosen', subjects: ['general'] },
        { code: 'longest-idle', subjects: ['abe'] },
      ],
    })
  })

  test('counts idle time since the last inbound contact when the profile says so', () => {
    const agents = [
      anAgent('bea', { lastActivityAt: ago(1), lastInboundAt: ago(900) }),
      anAgent('abe', { lastActivityAt: ago(800), lastInboundAt: ago(2) }),
    ]
    const profile = aProfile('retail', { agentAvailabilityTimer: 'time-since-last-inbound' })
    expect(decideRouting(aCall(), staffOf([profile], agents), now).agentId).toBe('bea')
  })

  test('prefers an agent whose profile gives the queue a higher priority over a longer idle time', () => {
    const second = aProfile('second', {
      queues: [{ queueId: 'general', channel: 'voice', priority: 5, delaySeconds: 0 }],
    })
    const agents = [
      anAgent('abe', { routingProfileId: 'second', lastActivityAt: ago(900) }),
      anAgent('bea'),
    ]
    const decision = decideRouting(aCall(), staffOf([aProfile('retail'), second], agents), now)
    expect(decision.agentId).toBe('bea')
    expect(why(decision, 'first-priority')).toEqual(['bea'])
  })

  test('prefers the relationship manager, then a deputy, then anyone', () => {
    const profile = aProfile('retail', { relationshipManagerIds: ['deputy', 'manager'] })
    const idle = { lastActivityAt: ago(1) }
    const agents = [anAgent('abe'), anAgent('deputy', idle), anAgent('manager', idle)]
    const call = aCall({ partyId: 'ada' })
    const managed = decideRouting(call, staffOf([profile], agents, { ada: 'manager' }), now)
    expect(managed.agentId).toBe('manager')
    expect(codes(managed)).toContain('relationship-manager')
    const busy = agents.map((agent) =>
      agent.agentId === 'manager' ? { ...agent, load: { voice: 1 } } : agent,
    )
    const deputized = decideRouting(call, staffOf([profile], busy, { ada: 'manager' }), now)
    expect(deputized.agentId).toBe('deputy')
    expect(codes(deputized)).toContain('deputy-relationship-manager')
    expect(why(deputized, 'at-capacity')).toEqual(['manager'])
  })

  test('requires skills and language', () => {
    const agents = [
      anAgent('mute', { languages: ['fr'], skills: ['cards'] }),
      anAgent('clumsy', { languages: ['nl'] }),
      anAgent('right', { languages: ['nl'], skills: ['cards'] }),
    ]
    const call = aCall({ language: 'nl', skills: ['cards'] })
    const decision = decideRouting(call, staffOf([aProfile('retail')], agents), now)
    expect(decision.agentId).toBe('right')
    expect(why(decision, 'lacks-language')).toEqual(['mute'])
    expect(why(decision, 'lacks-skill')).toEqual(['clumsy'])
    const gifted = aProfile('retail', { skills: ['cards'], languages: ['nl'] })
    expect(decideRouting(call, staffOf([gifted], [agents[1]!]), now).agentId).toBe('clumsy')
  })
})

describe('capacity', () => {
  const profile = aProfile('retail')
  const give = (load: object, channel: 'voice' | 'chat' | 'email') => {
    const queues = [{ queueId: 'general', channel, priority: 1, delaySeconds: 0 }]
    const staff = staffOf([{ ...profile, queues }], [anAgent('abe', { load })])
    return decideRouting(aCall({ channel }), staff, now)
  }
  test.each([
    [{}, 'voice', null],
    [{ voice: 1 }, 'voice', 'at-capacity'],
    [{ chat: 1 }, 'chat', null],
    [{ chat: 2 }, 'chat', 'at-capacity'],
    // Chat combines with any medium, voice with none.
    [{ chat: 1 }, 'voice', null],
    [{ voice: 1 }, 'chat', 'busy-elsewhere'],
    [{}, 'email', 'medium-not-handled'],
  ] as const)('an agent with %j and a new %s interaction: %s', (load, channel, fault) => {
    const decision = give(load, channel)
    expect(decision.agentId).toBe(fault === null ? 'abe' : null)
    if (fault !== null) {
      expect(why(decision, fault)).toEqual(['abe'])
      expect(codes(decision)).toContain('nobody-free')
      expect(decision.queueId).toBe('general')
    }
  })
})

describe('choice of a profile and queue', () => {
  test('waits for the delay of a queue and returns when to evaluate again', () => {
    const overflow = aProfile('overflow', {
      queues: [{ queueId: 'general', channel: 'voice', priority: 9, delaySeconds: 30 }],
    })
    const agents = [anAgent('late', { routingProfileId: 'overflow' })]
    const staff = staffOf([aProfile('retail'), overflow], agents)
    const at = (seconds: number) =>
      decideRouting(aCall({ waitingSince: ago(seconds), routingProfileId: 'retail' }), staff, now)
    expect(at(29)).toMatchObject({ agentId: null, queueId: 'general' })
    expect(at(29).reevaluateAt).toEqual(new Date(now.getTime() + 1000))
    expect(why(at(29), 'not-before-delay')).toEqual(['late'])
    expect(at(30)).toMatchObject({ agentId: 'late', priority: 9 })
  })

  test('takes the profile that matches best', () => {
    const profiles = [
      aProfile('any'),
      aProfile('dutch', { languages: ['nl'] }),
      aProfile('private', { segments: ['private'] }),
      aProfile('drafted', { segments: ['private'], languages: ['nl'], status: 'draft' }),
    ]
    const goes = (more: object, managers = {}) =>
      decideRouting(
        aCall(more),
        staffOf(profiles, [anAgent('m', { routingProfileId: 'dutch' })], managers),
        now,
      ).reasons[0]
    expect(goes({})).toEqual({ code: 'profile-fits', subjects: ['any'] })
    expect(goes({ language: 'nl' })).toMatchObject({ subjects: ['dutch'] })
    expect(goes({ language: 'nl', segment: 'private' })).toMatchObject({ subjects: ['private'] })
    const managed = goes({ segment: 'private', partyId: 'ada' }, { ada: 'm' })
    expect(managed).toMatchObject({ subjects: ['dutch'] })
    expect(goes({ channel: 'email' })).toEqual({ code: 'no-profile-fits', subjects: [] })
  })

  test('prefers a profile with a queue of its own over one that only serves the default queue', () => {
    const queues = [
      { queueId: 'que_default', channel: 'voice' as const, priority: 1, delaySeconds: 0 },
    ]
    const profiles = [aProfile('a_catch_all', { queues }), aProfile('b_calls')]
    const staff = staffOf(profiles, [])
    expect(decideRouting(aCall(), staff, now).routingProfileId).toBe('b_calls')
  })

  test('puts an outbound call into the outbound queue', () => {
    const profile = aProfile('retail', { defaultOutboundQueueId: 'out' })
    const decision = decideRouting(
      aCall({ direction: 'outbound' }),
      staffOf([profile], [anAgent('abe')]),
      now,
    )
    expect(decision).toMatchObject({ queueId: 'out', agentId: 'abe' })
  })
})

describe('fallback profile', () => {
  const weekends = {
    zone: 'UTC',
    weekly: [{ day: 'saturday', from: '09:00', to: '17:00' }],
    closedOn: [],
  } as const
  const backup = aProfile('backup', {
    queues: [{ queueId: 'backup', channel: 'voice', priority: 1, delaySeconds: 0 }],
  })
  const agents = [anAgent('bea', { routingProfileId: 'backup' })]
  test.each([
    ['profile-not-active', { status: 'inactive' }],
    ['outside-hours', { hours: weekends }],
    ['channel-not-served', { queues: [] }],
    ['nobody-staffed', {}],
  ] as const)('is used when the first profile is %s', (code, more) => {
    const first = aProfile('first', { fallbackProfileId: 'backup', ...more })
    const call = aCall({ routingProfileId: 'first' })
    const decision = decideRouting(call, staffOf([first, backup], agents), now)
    expect(decision).toMatchObject({ routingProfileId: 'backup', agentId: 'bea' })
    expect(codes(decision)).toEqual(
      expect.arrayContaining(['profile-asked-for', code, 'falls-back']),
    )
  })

  test('is not used while an agent of the first profile is merely busy', () => {
    const first = aProfile('first', { fallbackProfileId: 'backup' })
    const busy = anAgent('abe', { routingProfileId: 'first', load: { voice: 1 } })
    const call = aCall({ routingProfileId: 'first' })
    const decision = decideRouting(call, staffOf([first, backup], [busy, ...agents]), now)
    expect(decision).toMatchObject({ routingProfileId: 'first', queueId: 'general', agentId: null })
  })

  test('leaves the interaction in the first profile until it opens when nobody is available', () => {
    const first = aProfile('first', { fallbackProfileId: 'backup', hours: weekends })
    const decision = decideRouting(
      aCall({ routingProfileId: 'first' }),
      staffOf([first, backup], []),
      now,
    )
    expect(decision).toMatchObject({ routingProfileId: 'first', queueId: 'general', agentId: null })
    expect(decision.reevaluateAt).toEqual(new Date('2026-03-07T09:00:00Z'))
    expect(codes(decision).at(-1)).toBe('waits-in-first-profile')
  })

  test('terminates when two profiles fall back on each other', () => {
    const one = aProfile('one', { fallbackProfileId: 'two' })
    const two = aProfile('two', { fallbackProfileId: 'one' })
    const decision = decideRouting(aCall({ routingProfileId: 'one' }), staffOf([one, two], []), now)
    expect(decision.agentId).toBeNull()
  })
})

describe('assignment of waiting interactions', () => {
  const profile = aProfile('retail', {
    queues: [
      { queueId: 'urgent', channel: 'voice', priority: 1, delaySeconds: 0 },
      { queueId: 'general', channel: 'chat', priority: 2, delaySeconds: 0 },
    ],
  })
  test('goes by priority, then by waiting time, as far as agents have capacity', () => {
    const waiting = [
      { ...aCall({ channel: 'chat', waitingSince: ago(300) }), reference: 'old chat' },
      { ...aCall({ channel: 'chat', waitingSince: ago(200) }), reference: 'chat' },
      { ...aCall({ waitingSince: ago(10) }), reference: 'late call' },
      { ...aCall({ waitingSince: ago(20) }), reference: 'call' },
    ]
    const agents = [anAgent('abe'), anAgent('bea', { lastActivityAt: ago(600), load: { chat: 1 } })]
    const provided = routeAll(waiting, staffOf([profile], agents), now)
    expect(provided.map(({ reference, decision }) => [reference, decision.agentId])).toEqual([
      ['call', 'bea'],
      ['late call', 'abe'],
    ])
    expect(provided.at(-1)!.agents.map(({ load }) => load)).toEqual([
      { voice: 1 },
      { chat: 1, voice: 1 },
    ])
  })

  test('never exceeds the concurrency of the profile', () => {
    const waiting = Array.from({ length: 9 }, (_, at) => ({
      ...aCall({ channel: 'chat', waitingSince: ago(at) }),
      reference: at,
    }))
    const provided = routeAll(waiting, staffOf([profile], [anAgent('abe'), anAgent('bea')]), now)
    expect(provided.map(({ reference }) => reference)).toEqual([8, 7, 6, 5])
    expect(provided.at(-1)!.agents.map(({ load }) => load.chat)).toEqual([2, 2])
  })
})
