import {
  type NewNotification,
  NotificationStatus,
  notificationTransitions,
  type Notification,
} from '../../../subgraphs/notifications/model/notification.ts'
import type { TemplateVariable } from '../../../subgraphs/notifications/model/template.ts'
import { expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import { fallbackLanguages } from '../../../subgraphs/notifications/domain/language.ts'
import {
  accept,
  cancelNotification,
  deliver,
  explainNoTemplate,
  fail,
  queueNotification,
  send,
  suppress,
  type ActiveTemplate,
} from '../../../subgraphs/notifications/domain/notification.ts'
import {
  isQuiet,
  suppressionOf,
  type Reachability,
} from '../../../subgraphs/notifications/domain/suppression.ts'
import type { Category } from '../../../subgraphs/notifications/model/channel.ts'

const now = new Date('2026-03-02T09:00:00Z')
const made = { notificationId: 'ntf_1', now }
const ada: Reachability = {
  partyId: 'pty_ada',
  status: 'active',
  language: 'nl-BE',
  channels: { email: { verified: true }, sms: { verified: false } },
  marketingOptOut: false,
  suppressedChannels: [],
  quietHours: null,
}
const request: NewNotification = { partyId: 'pty_ada', channel: 'email', templateCode: 'welcome' }

function template(language = 'en', changes: Partial<ActiveTemplate> = {}): ActiveTemplate {
  return { templateId: `tpl_${language}`, language, category: 'service', variables: [], ...changes }
}

function queued(changes: Partial<Notification> = {}): Notification {
  return { ...queueNotification(request, ada, [template()], made)!, ...changes }
}

function refusal(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    return error as Problem
  }
  throw new Error('No problem was thrown.')
}

const attempt = { at: now.toISOString(), outcome: 'handed-over', reason: null } as const
const commands: Record<string, [NotificationStatus, (notification: Notification) => Notification]> =
  {
    cancel: ['suppressed', cancelNotification],
    suppress: ['suppressed', (each) => suppress(each, 'opted-out')],
    accept: ['accepted', (each) => accept(each, { subject: null, body: 'B' }, 'mailbox')],
    send: ['sent', (each) => send(each, attempt, true)],
    deliver: ['delivered', (each) => deliver(each, now)],
    fail: ['failed', (each) => fail(each, 'smtp-550')],
  }
const pairs = NotificationStatus.values.flatMap((status) =>
  Object.keys(commands).map((command) => [command, status] as const),
)

test.each(pairs)(
  '%s while the notification is %s follows the table of transitions',
  (command, status) => {
    const [to, act] = commands[command]!
    if (notificationTransitions[status].includes(to)) {
      const after = act(queued({ status, leaseId: 'l' }))
      expect(after.status).toBe(to)
      const isOver = notificationTransitions[to].length === 0
      expect([after.dueAt, after.leaseId]).toEqual(isOver ? [null, null] : [now, 'l'])
      return
    }
    expect(refusal(() => act(queued({ status })))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      status: 409,
      members: { currentState: status, allowedStates: notificationTransitions[status] },
    })
  },
)

test('statuses have the documented transitions', () => {
  expect(notificationTransitions).toEqual({
    queued: ['accepted', 'suppressed', 'failed'],
    accepted: ['sent', 'failed'],
    sent: ['delivered', 'failed'],
    delivered: [],
    failed: [],
    suppressed: [],
  })
})

const deaf = { channels: {}, marketingOptOut: true, suppressedChannels: ['email'] as const }
const night = { from: '00:00', to: '23:59', zone: 'UTC' }
test.each<[string, Partial<Reachability>, Category, string | null]>([
  ['reachable', {}, 'marketing', null],
  ['deceased party', { status: 'deceased' }, 'regulatory', 'deceased'],
  ['deceased party with other reasons', { status: 'deceased', ...deaf }, 'marketing', 'deceased'],
  ['closed party', { status: 'closed' }, 'service', 'party-closed'],
  ['channel suppressed', { suppressedChannels: ['email'] }, 'regulatory', 'suppression-list'],
  ['another channel suppressed', { suppressedChannels: ['sms'] }, 'service', null],
  ['opted out: marketing', { marketingOptOut: true }, 'marketing', 'opted-out'],
  ['opted out: service', { marketingOptOut: true }, 'service', null],
  ['opted out: regulatory', { marketingOptOut: true }, 'regulatory', null],
  ['opted out of this channel', { marketingOptOutChannels: ['email'] }, 'marketing', 'opted-out'],
  ['opted out of another channel', { marketingOptOutChannels: ['sms'] }, 'marketing', null],
  ['no address', { channels: {} }, 'service', 'no-verified-contact'],
  [
    'address not verified',
    { channels: { email: { verified: false } } },
    'service',
    'no-verified-contact',
  ],
  ['quiet hours: marketing', { quietHours: night }, 'marketing', 'quiet-hours'],
  ['quiet hours: service', { quietHours: night }, 'service', null],
  ['quiet hours: regulatory', { quietHours: night }, 'regulatory', null],
])('suppression reason: %s', (_name, changes, category, reason) => {
  expect(suppressionOf({ ...ada, ...changes }, 'email', category, now)).toBe(reason)
})

test.each([
  ['22:00', '07:00', 'UTC', '21:59', false],
  ['22:00', '07:00', 'UTC', '22:00', true],
  ['22:00', '07:00', 'UTC', '00:00', true],
  ['22:00', '07:00', 'UTC', '06:59', true],
  ['22:00', '07:00', 'UTC', '07:00', false],
  ['12:00', '13:00', 'UTC', '11:59', false],
  ['12:00', '13:00', 'UTC', '12:30', true],
  ['12:00', '13:00', 'UTC', '13:00', false],
  ['22:00', '07:00', 'Asia/Tokyo', '13:00', true],
  ['22:00', '07:00', 'Asia/Tokyo', '12:59', false],
  ['22:00', '07:00', 'America/New_York', '03:00', true],
  ['22:00', '07:00', 'America/New_York', '12:00', false],
])('quiet hours from %s to %s in %s at %s UTC: %s', (from, to, zone, at, quiet) => {
  expect(isQuiet({ from, to, zone }, new Date(`2026-03-02T${at}:00Z`))).toBe(quiet)
})

test('quiet hours follow daylight saving time of the zone', () => {
  const hours = { from: '22:00', to: '07:00', zone: 'Europe/Amsterdam' }
  expect(isQuiet(hours, new Date('2026-01-15T20:30:00Z'))).toBe(false)
  expect(isQuiet(hours, new Date('2026-07-15T20:30:00Z'))).toBe(true)
})

test('a notification that must not be sent is suppressed at once and has no due time', () => {
  const notification = queueNotification(request, { ...ada, channels: {} }, [template()], made)
  expect(notification).toMatchObject({
    status: 'suppressed',
    suppressionReason: 'no-verified-contact',
    dueAt: null,
  })
})

test('quiet hours are checked at the time of sending', () => {
  const marketing = [template('en', { category: 'marketing' })]
  const party = { ...ada, quietHours: { from: '22:00', to: '07:00', zone: 'UTC' } }
  const at = (sendAt: string | null) =>
    queueNotification(
      { ...request, sendAt: sendAt === null ? null : new Date(sendAt) },
      party,
      marketing,
      made,
    )!.suppressionReason
  expect(at(null)).toBeNull()
  expect(at('2026-03-02T23:00:00Z')).toBe('quiet-hours')
  expect(at('2026-03-03T07:00:00Z')).toBeNull()
})

test.each([
  ['fr-CA', 'nl-BE', ['fr-CA', 'fr', 'nl-BE', 'nl', 'en']],
  [null, 'nl-BE', ['nl-BE', 'nl', 'en']],
  [null, 'en-GB', ['en-GB', 'en']],
  ['zh-Hant-TW', 'en', ['zh-Hant-TW', 'zh', 'en']],
])('fallback languages for %s of a party with language %s', (own, ofParty, chain) => {
  expect(fallbackLanguages(own, ofParty)).toEqual(chain)
})

test.each([
  [null, ['en', 'nl', 'nl-BE', 'fr'], 'nl-BE'],
  [null, ['en', 'nl', 'fr'], 'nl'],
  [null, ['en', 'fr'], 'en'],
  ['fr', ['en', 'nl', 'fr'], 'fr'],
  ['FR-ca', ['en', 'nl', 'fr'], 'fr'],
  ['de', ['en', 'nl'], 'nl'],
  [null, ['fr', 'de'], null],
])('language %s requested from templates in %j: chooses %s', (language, available, chosen) => {
  const templates = available.map((each) => template(each))
  const notification = queueNotification({ ...request, language }, ada, templates, made)
  expect(notification?.language ?? null).toBe(chosen)
  if (chosen) expect(notification!.templateId).toBe(`tpl_${chosen}`)
})

test.each([
  ['2026-03-02T08:55:00.000Z', null],
  ['2026-03-02T08:54:59.999Z', 'SEND_AT_IN_PAST'],
  ['2026-05-31T09:00:00.000Z', null],
  ['2026-05-31T09:00:00.001Z', 'SEND_AT_TOO_FAR'],
])('sendAt %s: %s', (sendAt, code) => {
  const act = () =>
    queueNotification({ ...request, sendAt: new Date(sendAt) }, ada, [template()], made)
  if (code) expect(refusal(act)).toMatchObject({ code, status: 422 })
  else expect(act()!.dueAt).toEqual(new Date(Math.max(Date.parse(sendAt), now.getTime())))
})

const variable = (
  name: string,
  type: TemplateVariable['type'],
  required = true,
): TemplateVariable => ({
  name,
  type,
  required,
  pii: false,
})
const values = [
  variable('s', 'string'),
  variable('n', 'number', false),
  variable('b', 'boolean', false),
]
test.each<[string, unknown, string | null, string[]]>([
  ['all values present', { s: 'x', n: 1.5, b: false }, null, []],
  ['a number for a string', { s: 12 }, null, []],
  ['undeclared values are ignored', { s: 'x', other: { deep: [1] }, __proto__x: 1 }, null, []],
  ['an empty string is a value', { s: '' }, null, []],
  ['a list for an optional value is ignored', { s: 'x', n: [1] }, null, []],
  ['no values', null, 'MISSING_PERSONALIZATION', ['/personalization/s']],
  ['null', { s: null }, 'MISSING_PERSONALIZATION', ['/personalization/s']],
  ['an object', { s: { s: 'x' } }, 'MISSING_PERSONALIZATION', ['/personalization/s']],
  [
    'an inherited value',
    Object.create({ s: 'x' }),
    'MISSING_PERSONALIZATION',
    ['/personalization/s'],
  ],
  ['not a number', { s: 'x', n: '1' }, 'INVALID_PERSONALIZATION', ['/personalization/n']],
  ['not a boolean', { s: 'x', b: 'true' }, 'INVALID_PERSONALIZATION', ['/personalization/b']],
  ['too long', { s: 'x'.repeat(1001) }, 'INVALID_PERSONALIZATION', ['/personalization/s']],
])('validation of personalization: %s', (_name, personalization, code, pointers) => {
  const act = () =>
    queueNotification(
      { ...request, personalization: personalization as Record<string, unknown> },
      ada,
      [template('en', { variables: values })],
      made,
    )
  if (code === null) {
    expect(act()!.personalization).toBe(personalization)
    return
  }
  const problem = refusal(act)
  expect(problem).toMatchObject({ code, status: 422 })
  expect(problem.members.errors!.map(({ pointer }) => pointer)).toEqual(pointers)
})

test('rejects an unknown party before looking for templates', () => {
  expect(refusal(() => queueNotification(request, null, [], made))).toMatchObject({
    code: 'PARTY_NOT_FOUND',
    status: 422,
    members: { resourceId: 'pty_ada' },
  })
})

test('explains why no template matches', () => {
  const trace = (channel: Notification['channel'], status: string, language = 'en') => ({
    channel,
    status,
    language,
  })
  const explain = (...traces: ReturnType<typeof trace>[]) => {
    const { code, status } = explainNoTemplate(request, traces)
    return `${status} ${code}`
  }
  expect(explain()).toBe('422 TEMPLATE_NOT_FOUND')
  expect(explain(trace('sms', 'active'))).toBe('422 TEMPLATE_CHANNEL_MISMATCH')
  expect(explain(trace('email', 'approved'), trace('sms', 'active'))).toBe(
    '422 TEMPLATE_NOT_ACTIVE',
  )
  expect(explain(trace('email', 'active', 'fr'))).toBe('422 TEMPLATE_NOT_FOUND')
})
