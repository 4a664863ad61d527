import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import { aNotifier, type Notifier } from './notifications-kit.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { TemplateStatus, templateStates } from '../../subgraphs/notifications/model/template.ts'
import { aCaller } from '../kit/subgraph.ts'

let bank: Notifier
beforeAll(async () => {
  bank = await aNotifier()
})
afterAll(() => bank.drop())

const author = { caller: aCaller({ subject: 'author' }) }
const reviewer = { caller: aCaller({ subject: 'reviewer' }) }
const without = (scope: string) => ({
  caller: aCaller({ scopes: everyScope.filter((each) => each !== scope) }),
})

async function command(name: string, templateId: string, as = reviewer) {
  const isReject = name === 'rejectNotificationTemplate'
  const reason = isReject ? ', reason: "No."' : ''
  const args =
    name === 'updateNotificationTemplate'
      ? 'input: { templateId: $id, body: "New" }'
      : `templateId: $id${reason}`
  return bank.execute(
    `mutation ($id: ID!) { answer: ${name}(${args}) { templateId status version body approval { authoredBy approvedBy rejectionReason } } }`,
    { id: templateId },
    as,
  )
}

const submit = 'submitNotificationTemplate'
const approve = 'approveNotificationTemplate'
const reject = 'rejectNotificationTemplate'
const reopen = 'reopenNotificationTemplate'
const activate = 'activateNotificationTemplate'
const retire = 'retireNotificationTemplate'
const rewrite = 'updateNotificationTemplate'

const paths: Record<TemplateStatus, string[]> = {
  draft: [],
  'in-review': [submit],
  approved: [submit, approve],
  rejected: [submit, reject],
  active: [submit, approve, activate],
  retired: [submit, approve, activate, retire],
}
const leadsTo: Record<string, [TemplateStatus, string]> = {
  [submit]: ['in-review', 'submitted'],
  [approve]: ['approved', 'approved'],
  [reject]: ['rejected', 'rejected'],
  [reopen]: ['draft', 'reopened'],
  [activate]: ['active', 'activated'],
  [retire]: ['retired', 'retired'],
}

let counter = 0
async function templateIn(status: TemplateStatus, input: object = {}): Promise<string> {
  const templateId = `tpl_${++counter}`
  await bank.template({ templateId, channel: 'SMS', body: 'Hello', ...input }, author)
  for (const name of paths[status]) expect((await command(name, templateId)).errors).toEqual([])
  return templateId
}

async function snapshot(templateId: string) {
  const sql = 'select * from notifications.template where template_id = $1'
  const [row] = await bank.rows(sql, [templateId])
  return { row, eventCount: await bank.eventsOf(`template/${templateId}`) }
}

const pairs = TemplateStatus.values.flatMap((status) =>
  [...Object.keys(leadsTo), rewrite].map((name) => [name, status] as const),
)

test.each(pairs)('%s in state %s makes its transition or is rejected', async (name, status) => {
  const templateId = await templateIn(status)
  const before = await snapshot(templateId)
  const { data, errors } = await command(name, templateId, name === rewrite ? author : reviewer)
  const after = await snapshot(templateId)
  const [to, verb] = leadsTo[name] ?? ['draft', 'updated']
  const isLegal = name === rewrite ? status === 'draft' : templateStates.table[status].includes(to)
  if (isLegal) {
    expect(errors).toEqual([])
    expect(data.answer.status).toBe(to.toUpperCase().replace('-', '_'))
    expect(after.row!['version']).toBe(before.row!['version'] + 1)
    expect(after.eventCount).toEqual([...before.eventCount, `notifications.template.${verb}`])
    return
  }
  const code = name === rewrite ? 'STATE_CONFLICT' : 'INVALID_STATE_TRANSITION'
  expect(errors).toMatchObject([{ extensions: { code, currentState: status } }])
  expect(after).toEqual(before)
})

test('denies approval to the author, to anyone but the named approvers, and without the scope', async () => {
  const templateId = await templateIn('in-review', { approval: { approvers: ['somebody'] } })
  expect((await command(approve, templateId, author)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await command(approve, templateId, reviewer)).code).toBe('SEGREGATION_OF_DUTIES')
  const refused = await command(approve, templateId, without('templates:approve'))
  expect(refused.errors[0]!.extensions).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scope: 'templates:approve',
  })
  const named = { caller: aCaller({ subject: 'somebody' }) }
  expect((await command(approve, templateId, named)).data.answer.approval).toMatchObject({
    authoredBy: 'author',
    approvedBy: 'somebody',
  })
})

test('treats whoever last edited a draft as its author', async () => {
  const templateId = await templateIn('draft')
  await command(rewrite, templateId, reviewer)
  await command(submit, templateId, author)
  expect((await command(approve, templateId, reviewer)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await command(approve, templateId, author)).data.answer.status).toBe('APPROVED')
})

test.each(['approved', 'active', 'ACTIVE'])(
  'requires the scope templates:approve to create a template that is %s',
  async (status) => {
    const templateId = `start_${status}`
    const input = { templateId, channel: 'EMAIL', status }
    const refused = await bank.template(input, without('templates:approve'))
    expect(refused.errors[0]!.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      scope: 'templates:approve',
    })
    expect((await snapshot(templateId)).row).toBeUndefined()
    expect((await bank.template(input)).data.answer).toMatchObject({
      templateId,
      templateCode: templateId,
      channel: 'EMAIL',
      status: status.toUpperCase(),
      language: 'en',
      version: 1,
      category: 'SERVICE',
      approval: { authoredBy: 'test-client', approvedBy: 'test-client' },
    })
  },
)

test.each([
  { body: 'Transfer your savings to us.' },
  { subject: 'Act now' },
  { body: 'Hello {{ name }}', variables: [{ name: 'name' }] },
])('requires a second person to approve or activate %j', async (content) => {
  for (const status of ['approved', 'active']) {
    const templateId = `alone_${status}`
    const { errors } = await bank.template({
      templateId,
      channel: 'SECURE_MESSAGE',
      ...content,
      status,
    })
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'SECOND_PERSON_REQUIRED',
          errors: [{ pointer: '/status', code: 'SECOND_PERSON_REQUIRED' }],
        },
      },
    ])
    expect((await snapshot(templateId)).row).toBeUndefined()
  }
})

test('retires the active edition when another is activated', async () => {
  const slot = { templateCode: 'terms', language: 'nl', channel: 'SMS' }
  const first = await templateIn('active', slot)
  const other = await templateIn('active', { ...slot, language: 'en' })
  const second = await templateIn('approved', slot)
  expect((await command(activate, second)).data.answer.version).toBe(2)
  const third = await bank.template({ ...slot, status: 'active' })
  expect(third.data.answer).toMatchObject({ version: 3, status: 'ACTIVE' })
  const states = await bank.rows(
    `select edition, status from notifications.template
     where template_code = 'terms' and language = 'nl' order by edition`,
  )
  expect(states.map(({ edition, status }) => [edition, status])).toEqual([
    [1, 'retired'],
    [2, 'retired'],
    [3, 'active'],
  ])
  expect((await snapshot(other)).row!['status']).toBe('active')
  expect((await snapshot(first)).eventCount.at(-1)).toBe('notifications.template.retired')
  expect((await snapshot(second)).eventCount.slice(-2)).toEqual([
    'notifications.template.activated',
    'notifications.template.retired',
  ])
})

test('leaves one template active when ten are activated at once', async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () =>
      bank.template({ templateCode: 'rush', channel: 'SMS', status: 'active' }),
    ),
  )
  const ok = made.filter(({ errors }) => errors.length === 0).length
  const refused = made.flatMap(({ errors }) => errors.map((error) => error.extensions!['code']))
  expect(refused.every((code) => code === 'VERSION_CONFLICT')).toBe(true)
  const rows = await bank.rows(
    `select status, count(*)::int from notifications.template
     where template_code = 'rush' group by status order by status`,
  )
  expect(rows).toEqual([
    { status: 'active', count: 1 },
    ...(ok > 1 ? [{ status: 'retired', count: ok - 1 }] : []),
  ])
})

test('returns the same template for a repeated id and content, and rejects other content', async () => {
  const input = { templateId: 'same', channel: 'SMS', status: 'in-review', body: 'Hi' }
  const first = await bank.template(input)
  const eventCount = (await bank.events()).length
  expect((await bank.template(input)).data).toEqual(first.data)
  for (const other of [
    { body: 'Ho' },
    { status: 'draft' },
    { channel: 'PUSH' },
    { language: 'nl' },
  ]) {
    const { errors } = await bank.template({ ...input, ...other })
    expect(errors).toMatchObject([
      { extensions: { code: 'TEMPLATE_ALREADY_EXISTS', resourceId: 'same' } },
    ])
  }
  expect(await bank.events()).toHaveLength(eventCount)
})

test.each([
  [{ channel: 'EMAIL', body: 'B' }, 'SUBJECT_REQUIRED_FOR_EMAIL'],
  [{ channel: 'PUSH', body: 'x'.repeat(241) }, 'BODY_TOO_LONG'],
  [{ channel: 'SMS', body: '{{ name }}' }, 'UNDECLARED_VARIABLE'],
  [{ channel: 'SMS', body: '{{ name' }, 'TEMPLATE_INVALID'],
  [{ channel: 'SMS', body: '{% include "x" %}' }, 'TEMPLATE_INVALID'],
  [{ channel: 'EMAIL', subject: '{{ x }}', body: 'B' }, 'UNDECLARED_VARIABLE'],
  [{ channel: 'SMS', language: 'no language' }, 'INVALID_LANGUAGE'],
  [{ channel: 'SMS', status: 'retired' }, 'INVALID_INITIAL_STATUS'],
])('rejects %j with %s and writes nothing', async (input, code) => {
  const count = async () => (await bank.rows('select count(*) from notifications.template'))[0]
  const before = [await count(), (await bank.events()).length]
  expect((await bank.template(input)).code).toBe(code)
  expect([await count(), (await bank.events()).length]).toEqual(before)
})

test('hashes the same text equally and different texts differently', async () => {
  const hash = async (input: object) =>
    (await bank.template({ channel: 'SMS', ...input })).data.answer.contentHash
  const [one, same, other] = [
    await hash({ body: 'A' }),
    await hash({ body: 'A', language: 'fr' }),
    await hash({ body: 'B' }),
  ]
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})

test('denies delegated users writing, listing and reading templates', async () => {
  const ada = { caller: aCaller({ partyId: 'pty_ada' }) }
  expect((await bank.template({ channel: 'SMS' }, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  const list = '{ notificationTemplates { nodes { templateId } } }'
  expect((await bank.execute(list, {}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  const one = await bank.execute('{ notificationTemplate(templateId: "same") { body } }', {}, ada)
  expectAbsent(one)
})

test('lists templates in pages, filtered by code and status', async () => {
  for (let index = 0; index < 5; index++) {
    await bank.template({ templateCode: 'paged', channel: 'SMS', language: `en-x-l${index}` })
  }
  const seen: string[] = []
  for (let after: string | null = null, more = true; more;) {
    const { data, errors } = await bank.execute(
      `query ($after: String) { notificationTemplates(templateCode: "paged", status: DRAFT, first: 2, after: $after) {
         nodes { language } pageInfo { hasNextPage endCursor } } }`,
      { after },
    )
    expect(errors).toEqual([])
    const page: any = data.notificationTemplates
    seen.push(...page.nodes.map(({ language }: { language: string }) => language))
    after = page.pageInfo.endCursor
    more = page.pageInfo.hasNextPage
  }
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((index) => `en-x-l${index}`))
})
