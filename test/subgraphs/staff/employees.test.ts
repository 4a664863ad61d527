import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedPrincipal } from '../../../kernel/authorization/principals.ts'
import { staff } from '../../../subgraphs/staff/index.ts'
import { EmployeeStatus } from '../../../subgraphs/staff/model/employee.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(staff)
})
afterAll(() => bank.drop())

const manager = { caller: aCaller({ subject: 'manager' }) }
const second = { caller: aCaller({ subject: 'second-person' }) }
const fields = 'employeeId username status statusReason roles proposedRoles proposedBy'

async function run(mutation: string, options = manager, key?: string) {
  const request = key ? { ...options, idempotencyKey: key } : options
  const { data, errors } = await bank.execute(
    `mutation { answer: ${mutation} { ${fields} } }`,
    {},
    request,
  )
  return { answer: data?.answer, problem: errors[0]?.extensions }
}

let count = 0
async function hired(roles = 'TELLER') {
  const username = `mary.${++count}`
  const { answer, problem } = await run(
    `hireEmployee(input: { employeeId: "emp_${count}", username: "${username}", name: "Mary",
      roles: [${roles}] })`,
  )
  if (problem) throw new Error(JSON.stringify(problem))
  return { employeeId: answer.employeeId as string, username }
}
const approve = (employeeId: string, options = second) =>
  run(`approveEmployee(employeeId: "${employeeId}")`, options)
async function active(roles = 'TELLER') {
  const employee = await hired(roles)
  await approve(employee.employeeId)
  return employee
}
const rightsOf = (username: string) => bank.fact(`employee/${username}`)
const eventsOf = async (employeeId: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `employee/${employeeId}`)
    .map(({ type }) => type.replace('staff.employee.', ''))
const revocationsOf = (username: string) =>
  bank.rows(`select 1 from kernel.revocation where kind = 'subject' and value = $1`, [username])

test('an employee has no rights until a second person approves them', async () => {
  const { employeeId, username } = await hired('LOAN_OFFICER, TELLER')
  expect(await rightsOf(username)).toMatchObject({ isActive: false, scopes: [] })
  const own = await approve(employeeId, manager)
  expect(own.problem).toMatchObject({ code: 'SEGREGATION_OF_DUTIES', resourceId: employeeId })
  const { answer } = await approve(employeeId)
  expect(answer).toEqual({
    employeeId,
    username,
    status: 'ACTIVE',
    statusReason: null,
    roles: ['TELLER', 'LOAN_OFFICER'],
    proposedRoles: [],
    proposedBy: null,
  })
  const rights = await rightsOf(username)
  expect(rights).toMatchObject({ isActive: true, roles: ['teller', 'loan-officer'] })
  expect(rights!['scopes']).toEqual(expect.arrayContaining(['credit:decide', 'postings:write']))
  expect(rights!['scopes']).not.toContain('staff:manage')
  expect(await eventsOf(employeeId)).toEqual(['hired', 'roles-approved'])
})

test('an approval that names the reviewed proposal does not approve a later one', async () => {
  const { employeeId } = await hired('TELLER')
  const query = `{ employee(employeeId: "${employeeId}") { proposedAt } }`
  const proposedAt = async () => (await bank.execute(query)).data.employee.proposedAt as string
  const propose = (roles: string) =>
    run(`changeEmployeeRoles(employeeId: "${employeeId}", roles: [${roles}])`)
  const approveReviewed = (at: string) =>
    run(`approveEmployee(employeeId: "${employeeId}", proposedAt: "${at}")`, second)
  expect((await approveReviewed(await proposedAt())).problem).toBeUndefined()
  await propose('TELLER, LOAN_OFFICER')
  const reviewed = await proposedAt()
  bank.clock.advance(1)
  await propose('TELLER, ADMINISTRATOR')
  expect((await approveReviewed(reviewed)).problem).toMatchObject({ code: 'STATE_CONFLICT' })
  const { answer } = await approveReviewed(await proposedAt())
  expect(answer.roles).toEqual(['TELLER', 'ADMINISTRATOR'])
})

test('nobody approves their own rights', async () => {
  const { employeeId, username } = await active('APPROVER')
  await run(`changeEmployeeRoles(employeeId: "${employeeId}", roles: [ADMINISTRATOR])`)
  const { problem } = await approve(employeeId, { caller: aCaller({ subject: username }) })
  expect(problem).toMatchObject({ code: 'SEGREGATION_OF_DUTIES' })
})

test('an added role is proposed, and a removed one is removed at once with the tokens', async () => {
  const { employeeId, username } = await active('TELLER, COMPLIANCE')
  const more = await run(
    `changeEmployeeRoles(employeeId: "${employeeId}", roles: [OPERATIONS, TELLER])`,
  )
  expect(more.answer).toMatchObject({
    roles: ['TELLER', 'COMPLIANCE'],
    proposedRoles: ['TELLER', 'OPERATIONS'],
    proposedBy: 'manager',
  })
  expect(await revocationsOf(username)).toEqual([])
  const rejected = await run(`rejectEmployee(employeeId: "${employeeId}")`, second)
  expect(rejected.answer).toMatchObject({ status: 'ACTIVE', proposedRoles: [], proposedBy: null })
  const less = await run(`changeEmployeeRoles(employeeId: "${employeeId}", roles: [TELLER])`)
  expect(less.answer).toMatchObject({ roles: ['TELLER'], proposedRoles: [] })
  expect(await revocationsOf(username)).not.toEqual([])
  expect((await rightsOf(username))!['scopes']).not.toContain('operations:read')
  expect(await eventsOf(employeeId)).toEqual([
    'hired',
    'roles-approved',
    'roles-proposed',
    'roles-rejected',
    'roles-removed',
  ])
})

const codeOf = async (employeeId: string, options = second, key?: string) => {
  const mutation = `mutation { issued: issueEmployeeLogInCode(employeeId: "${employeeId}") {
    code expiresAt employee { logInCodeRequestedBy } } }`
  const request = key ? { ...options, idempotencyKey: key } : options
  const { data, errors } = await bank.execute(mutation, {}, request)
  return { issued: data?.issued, problem: errors[0]?.extensions }
}

test('a one-time code takes two people, and neither is the employee', async () => {
  const { employeeId, username } = await active('APPROVER')
  expect((await codeOf(employeeId)).problem!['code']).toBe('STATE_CONFLICT')
  await run(`requestEmployeeLogInCode(employeeId: "${employeeId}")`)
  for (const caller of [manager, { caller: aCaller({ subject: username }) }]) {
    expect((await codeOf(employeeId, caller)).problem!['code']).toBe('SEGREGATION_OF_DUTIES')
  }
  const { issued } = await codeOf(employeeId, second, 'code-1')
  expect(issued).toMatchObject({ employee: { logInCodeRequestedBy: null } })
  expect(issued.code).toMatch(/^[\w-]{22}$/)
  expect((await codeOf(employeeId, second, 'code-1')).issued).toEqual(issued)
  expect((await codeOf(employeeId)).problem!['code']).toBe('STATE_CONFLICT')
  const stored = JSON.stringify([
    await bank.rows('select * from staff.employee'),
    await bank.rows('select * from kernel.idempotency'),
    await bank.events(),
    await rightsOf(username),
  ])
  expect(stored).not.toContain(issued.code)
  expect((await rightsOf(username))!['logInCodeHash']).toMatch(/^[\w-]{43}$/)
})

test('nobody gets a code for an employee who is not active', async () => {
  const { employeeId } = await hired()
  const { problem } = await run(`requestEmployeeLogInCode(employeeId: "${employeeId}")`)
  expect(problem!['code']).toBe('STATE_CONFLICT')
  const other = await active()
  await run(`requestEmployeeLogInCode(employeeId: "${other.employeeId}")`)
  await run(`suspendEmployee(employeeId: "${other.employeeId}", reason: "No.")`)
  expect((await codeOf(other.employeeId)).problem!['code']).toBe('STATE_CONFLICT')
})

test('a suspension ends all rights, and its end needs a second person', async () => {
  const { employeeId, username } = await active()
  const { answer } = await run(
    `suspendEmployee(employeeId: "${employeeId}", reason: "An inquiry.")`,
  )
  expect(answer).toMatchObject({ status: 'SUSPENDED', roles: [], statusReason: 'An inquiry.' })
  expect(await rightsOf(username)).toMatchObject({ isActive: false, scopes: [] })
  expect(await revocationsOf(username)).not.toEqual([])
  const back = await run(`reinstateEmployee(employeeId: "${employeeId}", roles: [AUDITOR])`)
  expect(back.answer).toMatchObject({ status: 'PENDING', roles: [], statusReason: null })
  expect((await approve(employeeId, manager)).problem!['code']).toBe('SEGREGATION_OF_DUTIES')
  expect((await approve(employeeId)).answer).toMatchObject({ status: 'ACTIVE', roles: ['AUDITOR'] })
})

test('an employee who left keeps the name and no rights', async () => {
  const { employeeId, username } = await active()
  const { answer } = await run(`dismissEmployee(employeeId: "${employeeId}")`)
  expect(answer).toMatchObject({ status: 'LEFT', roles: [], statusReason: null })
  expect(await rightsOf(username)).toMatchObject({ isActive: false, scopes: [] })
  const again = await run(
    `hireEmployee(input: { username: "${username}", name: "Mary", roles: [TELLER] })`,
  )
  expect(again.problem).toMatchObject({ code: 'NAME_TAKEN' })
})

test('a rejected hire never worked here', async () => {
  const { employeeId } = await hired()
  const { answer } = await run(`rejectEmployee(employeeId: "${employeeId}")`, second)
  expect(answer).toMatchObject({ status: 'LEFT', roles: [], proposedRoles: [] })
  expect((await approve(employeeId)).problem!['code']).toBe('STATE_CONFLICT')
})

const paths: Record<string, readonly string[]> = {
  pending: [],
  active: ['approve'],
  suspended: ['approve', 'suspend'],
  left: ['dismiss'],
}
const commands: Record<string, (employeeId: string) => ReturnType<typeof run>> = {
  approve: (id) => approve(id),
  reject: (id) => run(`rejectEmployee(employeeId: "${id}")`, second),
  'request a code for': (id) => run(`requestEmployeeLogInCode(employeeId: "${id}")`),
  'change the roles of': (id) => run(`changeEmployeeRoles(employeeId: "${id}", roles: [AUDITOR])`),
  suspend: (id) => run(`suspendEmployee(employeeId: "${id}", reason: "No.")`),
  reinstate: (id) => run(`reinstateEmployee(employeeId: "${id}", roles: [TELLER])`),
  dismiss: (id) => run(`dismissEmployee(employeeId: "${id}")`),
}
const allowed: Record<string, readonly string[]> = {
  pending: ['approve', 'reject', 'dismiss'],
  active: ['request a code for', 'change the roles of', 'suspend', 'dismiss'],
  suspended: ['reinstate', 'dismiss'],
  left: [],
}
const cases = EmployeeStatus.values.flatMap((status) =>
  Object.keys(commands).map((name) => [name, status] as const),
)
test.each(cases)('to %s a person who is %s is allowed or changes nothing', async (name, status) => {
  const { employeeId, username } = await hired()
  for (const step of paths[status]!) await commands[step]!(employeeId)
  const before = await rightsOf(username)
  const { answer, problem } = await commands[name]!(employeeId)
  if (allowed[status]!.includes(name)) {
    expect(problem).toBe(undefined)
    expect(answer.employeeId).toBe(employeeId)
    return
  }
  expect(['STATE_CONFLICT', 'INVALID_STATE_TRANSITION']).toContain(problem!['code'])
  expect(await rightsOf(username)).toEqual(before)
})

test.each(['a', 'Mary', '1mary', 'mary smith', 'märy', `m${'a'.repeat(64)}`, '../mary'])(
  'rejects the username "%s"',
  async (username) => {
    const { problem } = await run(
      `hireEmployee(input: { username: "${username}", name: "Mary", roles: [TELLER] })`,
    )
    expect(problem!['code']).toBe('VALIDATION_FAILED')
  },
)

test('a username cannot be that of a client or a party, and roles are required', async () => {
  await seedPrincipal(bank.bank.pool, 'web-shop', [])
  const taken = await run(
    'hireEmployee(input: { username: "web-shop", name: "Mary", roles: [TELLER] })',
  )
  expect(taken.problem).toMatchObject({
    code: 'NAME_TAKEN',
    errors: [{ pointer: '/username', code: 'NAME_TAKEN' }],
  })
  const factSql = `insert into kernel.fact (subject, version, data) values ('party/pty_x', 1, '{}')`
  await bank.rows(factSql)
  const party = await run(
    'hireEmployee(input: { username: "pty_x", name: "Mary", roles: [TELLER] })',
  )
  expect(party.problem!['code']).toBe('NAME_TAKEN')
  const none = await run('hireEmployee(input: { username: "no.roles", name: "Mary", roles: [] })')
  expect(none.problem).toMatchObject({ errors: [{ pointer: '/roles' }] })
})

test('one of two people hired at the same time gets a name', async () => {
  const hires = ['emp_twin_1', 'emp_twin_2'].map((id) =>
    run(
      `hireEmployee(input: { employeeId: "${id}", username: "twin", name: "T", roles: [TELLER] })`,
    ),
  )
  const answers = await Promise.all(hires)
  const codes = answers.map(({ problem }) => problem?.['code'])
  expect(codes).toContain('NAME_TAKEN')
  expect(codes).toContain(undefined)
})

test('a repeated hire with its key returns the employee', async () => {
  const hire = 'hireEmployee(input: { username: "once", name: "O", roles: [TELLER] })'
  const first = await run(hire, manager, 'hire-once')
  expect((await run(hire, manager, 'hire-once')).answer).toEqual(first.answer)
})

test('an unknown employee is not found', async () => {
  for (const name of Object.keys(commands)) {
    expect((await commands[name]!('emp_none')).problem!['code']).toBe('EMPLOYEE_NOT_FOUND')
  }
  const { data } = await bank.execute('{ employee(employeeId: "emp_none") { name } }', {}, manager)
  expect(data).toEqual({ employee: null })
})

test('employees are listed by status and role, and only with the scope', async () => {
  const { username } = await active('AUDITOR, OPERATIONS')
  const list = `{ employees(status: ACTIVE, role: OPERATIONS) { nodes { username roles } } }`
  const { data } = await bank.execute(list, {}, manager)
  expect(data.employees.nodes).toEqual([{ username, roles: ['OPERATIONS', 'AUDITOR'] }])
  const reader = { caller: aCaller({ scopes: ['parties:read'] }) }
  expect((await bank.execute(list, {}, reader)).code).toBe('INSUFFICIENT_SCOPE')
  const customer = { caller: aCaller({ partyId: 'pty_ada' }) }
  expect((await bank.execute(list, {}, customer)).code).toBe('NOT_FOR_DELEGATED_USERS')
})
