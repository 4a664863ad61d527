import { expect, test } from 'vitest'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { newInteraction } from '../../../subgraphs/channels/domain/interaction.ts'
import { interactionStates } from '../../../subgraphs/channels/model/interaction.ts'
import { ago, now } from './kit.ts'

const stamp = { contentHash: '', version: 1, createdAt: ago(60), updatedAt: ago(60) }
const waiting = newInteraction(
  { channel: 'voice', subject: 'A lost card' },
  { ...stamp, interactionId: 'int_1' },
)
const request = { now, subject: 'ada' }

test('statuses have the documented transitions', () => {
  expect(interactionStates.table).toEqual({
    waiting: ['abandoned', 'assigned'],
    assigned: ['waiting', 'completed'],
    completed: [],
    abandoned: [],
  })
})

test('requeuing, completing and abandoning set the agent, the notes and the times', () => {
  const assigned = { ...waiting, status: 'assigned' as const, agentId: 'agt_1', waitingSince: null }
  expect(applyTransition(interactionStates, 'requeueInteraction', assigned, request)).toEqual({
    ...waiting,
    waitingSince: now,
  })
  const notes = { notes: 'Blocked it.' }
  expect(
    applyTransition(interactionStates, 'completeInteraction', assigned, request, notes),
  ).toEqual({ ...assigned, ...notes, status: 'completed', endedAt: now })
  expect(applyTransition(interactionStates, 'abandonInteraction', waiting, request)).toEqual({
    ...waiting,
    status: 'abandoned',
    waitingSince: null,
    endedAt: now,
  })
})
