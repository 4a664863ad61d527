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

const WindowStatus = enumeration('WindowStatus', 'How a window is.', {
  open: 'It is open.',
  shut: 'It is shut.',
  locked: 'It is locked.',
  gone: 'It is gone.',
})
const Window = entity('Window', 'windowId', 'A window.', {
  windowId: id('The ID.'),
  status: oneOf(WindowStatus, 'How it is.'),
  reason: string('Why.').orNull(),
  shutAt: instant('When.').orNull(),
})
type Window = TypeOf<typeof Window>

const windowStates = stateMachine(
  Window,
  'status',
  {
    shutWindow: {
      description: 'Shuts a window.',
      scope: 'products:read',
      from: ['open'],
      to: 'shut',
      event: ['windows.window.shut', 'A window was shut.'],
      args: { reason: text('Why.').named('because') },
      set: ({ now }) => ({ shutAt: now }),
    },
    unlockWindow: {
      description: 'Unlocks a window.',
      scope: 'products:read',
      from: ['locked'],
      to: 'shut',
      event: ['windows.window.unlocked', 'A window was unlocked.'],
    },
    openWindow: {
      description: 'Opens a window.',
      scope: 'products:read',
      from: ['shut'],
      to: 'open',
      event: ['windows.window.opened', 'A window was opened.'],
    },
  },
  { shut: ['locked'], open: ['gone'] },
)

const now = new Date(0)
const window: Window = { windowId: 'window_1', status: 'open', reason: null, shutAt: null }

test('the table has the transitions of mutations and the others', () => {
  expect(windowStates.table).toEqual({
    open: ['shut', 'gone'],
    shut: ['open', 'locked'],
    locked: ['shut'],
    gone: [],
  })
})

test('a transition changes the state, and sets declared fields and those of its arguments', () => {
  const request = { now, subject: 'ada' }
  expect(applyTransition(windowStates, 'shutWindow', window, request, { reason: 'Cold.' })).toEqual(
    {
      windowId: 'window_1',
      status: 'shut',
      reason: 'Cold.',
      shutAt: now,
    },
  )
  expect(changeState(windowStates, 'shutWindow', window)).toEqual({ ...window, status: 'shut' })
})

test('a transition from another state is rejected, although another operation leads there', () => {
  const locked: Window = { ...window, status: 'locked' }
  let problem: unknown
  try {
    changeState(windowStates, 'shutWindow', locked)
  } catch (error) {
    problem = error
  }
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    members: { resourceId: 'window_1', currentState: 'locked', allowedStates: [] },
  })
})

test('its events are those of its transitions', () => {
  expect(eventsOf(windowStates)).toEqual({
    'windows.window.shut': 'A window was shut.',
    'windows.window.unlocked': 'A window was unlocked.',
    'windows.window.opened': 'A window was opened.',
  })
})

test('two transitions cannot give an event two meanings', () => {
  const { shutWindow, openWindow } = windowStates.transitions
  const machine = stateMachine(Window, 'status', {
    shutWindow,
    openWindow: { ...openWindow, event: ['windows.window.shut', 'Another meaning.'] },
  })
  expect(() => eventsOf(machine)).toThrow('two meanings')
})
