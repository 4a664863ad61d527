import { expect, test } from 'vitest'
import {
  entity,
  enumeration,
  id,
  instant,
  oneOf,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  applyTransition,
  changeState,
  eventsOf,
  stateMachine,
} from '../../../kernel/domain/state-machine.ts'

const DoorStatus = enumeration('DoorStatus', 'How a door is.', {
  open: 'It is open.',
  shut: 'It is shut.',
  locked: 'It is locked.',
  gone: 'It is gone.',
})
const Door = entity('Door', 'doorId', 'A door.', {
  doorId: id('The ID.'),
  status: oneOf(DoorStatus, 'How it is.'),
  reason: string('Why.').orNull(),
  shutAt: instant('When.').orNull(),
})
type Door = TypeOf<typeof Door>

const doorStates = stateMachine(
  Door,
  'status',
  {
    shutDoor: {
      description: 'Shuts a door.',
      scope: 'products:read',
      from: ['open'],
      to: 'shut',
      event: ['doors.door.shut', 'A door was shut.'],
      args: { reason: text('Why.').named('because') },
      set: ({ now }) => ({ shutAt: now }),
    },
    unlockDoor: {
      description: 'Unlocks a door.',
      scope: 'products:read',
      from: ['locked'],
      to: 'shut',
      event: ['doors.door.unlocked', 'A door was unlocked.'],
    },
    openDoor: {
      description: 'Opens a door.',
      scope: 'products:read',
      from: ['shut'],
      to: 'open',
      event: ['doors.door.opened', 'A door was opened.'],
    },
  },
  { shut: ['locked'], open: ['gone'] },
)

const now = new Date(0)
const door: Door = { doorId: 'door_1', status: 'open', reason: null, shutAt: null }

test('the table has the transitions of mutations and the others', () => {
  expect(doorStates.table).toEqual({
    open: ['shut', 'gone'],
    shut: ['open', 'locked'],
    locked: ['shut'],
    gone: [],
  })
})

test('a transition changes the state, and sets declared fields and those of its arguments', () => {
  const request = { now, subject: 'ada' }
  expect(applyTransition(doorStates, 'shutDoor', door, request, { reason: 'Cold.' })).toEqual({
    doorId: 'door_1',
    status: 'shut',
    reason: 'Cold.',
    shutAt: now,
  })
  expect(changeState(doorStates, 'shutDoor', door)).toEqual({ ...door, status: 'shut' })
})

test('a transition from another state is rejected, although another operation leads there', () => {
  const locked: Door = { ...door, status: 'locked' }
  let problem: unknown
  try {
    changeState(doorStates, 'shutDoor', locked)
  } catch (error) {
    problem = error
  }
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    members: { resourceId: 'door_1', currentState: 'locked', allowedStates: [] },
  })
})

test('its events are those of its transitions', () => {
  expect(eventsOf(doorStates)).toEqual({
    'doors.door.shut': 'A door was shut.',
    'doors.door.unlocked': 'A door was unlocked.',
    'doors.door.opened': 'A door was opened.',
  })
})
