import { expect, test } from 'vitest'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  completeContent,
  defaultBody,
  newTemplate,
  requireReviewer,
  rewrite,
  slotOf,
} from '../../../subgraphs/notifications/domain/template.ts'
import {
  TemplateStatus,
  templateStates,
  type Template,
} from '../../../subgraphs/notifications/model/template.ts'

const now = new Date('2026-03-02T09:00:00Z')

function aTemplate(changes: Partial<Template> = {}): Template {
  const content = completeContent('sms', { body: 'Hello' })
  const made = { templateId: 'tpl_1', edition: 1, content, contentHash: 'c', requestHash: 'r' }
  return { ...newTemplate({ channel: 'sms' }, { ...made, author: 'ada', now }), ...changes }
}

function refusal(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    return error as Problem
  }
  throw new Error('No problem was thrown.')
}

test.each(TemplateStatus.values)('only a draft can be rewritten: %s', (status) => {
  const content = completeContent('sms', { body: 'Other' })
  const act = () => rewrite(aTemplate({ status }), content, 'h', 'grace')
  if (status === 'draft') {
    expect(act()).toMatchObject({ body: 'Other', authoredBy: 'grace', contentHash: 'h' })
  } else {
    expect(refusal(act)).toMatchObject({ code: 'STATE_CONFLICT', status: 409 })
  }
})

test('statuses have the documented transitions', () => {
  expect(templateStates.table).toEqual({
    draft: ['in-review'],
    'in-review': ['approved', 'rejected'],
    rejected: ['draft'],
    approved: ['active'],
    active: ['retired'],
    retired: [],
  })
})

test('submitting, approving, rejecting and reopening record who did it, when and why', () => {
  const request = { now, subject: 'grace' }
  const draft = aTemplate()
  const submitted = applyTransition(templateStates, 'submitNotificationTemplate', draft, request)
  expect(submitted).toMatchObject({ status: 'in-review', submittedAt: now })
  expect(
    applyTransition(templateStates, 'approveNotificationTemplate', submitted, request),
  ).toMatchObject({ status: 'approved', approvedBy: 'grace', approvedAt: now })
  const reason = { rejectionReason: 'No.' }
  const rejected = applyTransition(
    templateStates,
    'rejectNotificationTemplate',
    submitted,
    request,
    reason,
  )
  expect(rejected).toMatchObject({ status: 'rejected', ...reason, submittedAt: now })
  const reopened = applyTransition(templateStates, 'reopenNotificationTemplate', rejected, request)
  expect(reopened).toMatchObject({ status: 'draft', ...reason, submittedAt: null })
})

test('authors cannot review their own template, and only named approvers can', () => {
  const own = aTemplate({ status: 'in-review' })
  const named = aTemplate({ status: 'in-review', approvers: ['edsger'] })
  const refused = { code: 'SEGREGATION_OF_DUTIES', status: 403 }
  expect(refusal(() => requireReviewer(own, 'ada'))).toMatchObject(refused)
  expect(refusal(() => requireReviewer(named, 'grace'))).toMatchObject(refused)
  expect(refusal(() => requireReviewer({ ...named, approvers: ['ada'] }, 'ada'))).toMatchObject(
    refused,
  )
  expect(() => requireReviewer(own, 'grace')).not.toThrow()
  expect(() => requireReviewer(named, 'edsger')).not.toThrow()
})

test.each([
  ['draft', 'draft', null, null],
  ['DRAFT', 'draft', null, null],
  ['In-Review', 'in-review', null, now],
  ['approved', 'approved', 'ada', now],
  ['ACTIVE', 'active', 'ada', now],
  [null, 'draft', null, null],
] as const)(
  'a new template with the status %s becomes %s',
  (status, is, approvedBy, submittedAt) => {
    const content = completeContent('sms', {})
    const made = { templateId: 't', edition: 1, content, contentHash: 'c', requestHash: 'r' }
    const template = newTemplate({ channel: 'sms', status }, { ...made, author: 'ada', now })
    expect(template).toMatchObject({ status: is, approvedBy, submittedAt })
  },
)

test.each(['rejected', 'retired', 'published', ''])(
  'rejects "%s" as the initial status',
  (status) => {
    const content = completeContent('sms', {})
    const made = { templateId: 't', edition: 1, content, contentHash: 'c', requestHash: 'r' }
    const act = () => newTemplate({ channel: 'sms', status }, { ...made, author: 'ada', now })
    expect(refusal(act)).toMatchObject({ code: 'INVALID_INITIAL_STATUS', status: 422 })
  },
)

test.each([
  ['sms', 1530],
  ['push', 240],
  ['email', 16_000],
  ['secure-message', 16_000],
] as const)('a body for %s has at most %i characters', (channel, max) => {
  const request = { subject: 'S', body: 'x'.repeat(max) }
  expect(completeContent(channel, request).body).toHaveLength(max)
  expect(
    refusal(() => completeContent(channel, { ...request, body: `${request.body}x` })),
  ).toMatchObject({ code: 'BODY_TOO_LONG', status: 422 })
})

test('an e-mail with a body needs a subject, other channels do not', () => {
  expect(refusal(() => completeContent('email', { body: 'B' }))).toMatchObject({
    code: 'SUBJECT_REQUIRED_FOR_EMAIL',
  })
  for (const channel of ['sms', 'push', 'secure-message'] as const) {
    expect(completeContent(channel, { body: 'B' }).body).toBe('B')
  }
})

test('a template without a body renders the message of each notification', () => {
  expect(completeContent('email', {})).toMatchObject({
    body: defaultBody,
    variables: [{ name: 'message', required: false }],
  })
  expect(completeContent('sms', {}).subject).toBeNull()
})

test.each([
  ['1st', 'NAME_INVALID'],
  ['a-b', 'NAME_INVALID'],
  ['__proto__', 'NAME_INVALID'],
  ['a'.repeat(65), 'NAME_INVALID'],
  ['subject', 'NAME_TAKEN'],
  ['partyName', 'NAME_TAKEN'],
])('rejects a variable named %s', (name, code) => {
  const problem = refusal(() => completeContent('sms', { body: 'B', variables: [{ name }] }))
  expect(problem).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(problem.members.errors).toMatchObject([{ pointer: '/variables/0/name', code }])
})

test('rejects a duplicate variable and more than 100 variables', () => {
  const variables = Array.from({ length: 101 }, (_, index) => ({ name: `v${index}` }))
  const declare = (some: { name: string }[]) => () =>
    completeContent('sms', { body: 'B', variables: some })
  expect(declare(variables.slice(0, 100))().variables[0]).toEqual({
    name: 'v0',
    type: 'string',
    required: true,
    pii: false,
  })
  expect(refusal(declare(variables)).code).toBe('VALIDATION_FAILED')
  expect(refusal(declare([{ name: 'a' }, { name: 'a' }])).code).toBe('VALIDATION_FAILED')
})

test('template code and language have defaults, and the language is canonicalized', () => {
  expect(slotOf({ channel: 'sms' }, 'tpl_1')).toEqual({
    templateCode: 'tpl_1',
    channel: 'sms',
    language: 'en',
  })
  expect(slotOf({ channel: 'sms', language: 'PT-br' }, 'tpl_1').language).toBe('pt-BR')
  for (const language of ['english!', '', 'e', '../etc']) {
    expect(refusal(() => slotOf({ channel: 'sms', language }, 'tpl_1'))).toMatchObject({
      code: 'INVALID_LANGUAGE',
      status: 422,
    })
  }
})
