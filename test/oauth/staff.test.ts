/** Employees: log-in with the rights of their roles, which follow every change of the roles. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delegableScopes } from '../../kernel/domain/scopes.ts'
import { scopesOf } from '../../subgraphs/staff/domain/roles.ts'
import { ada, eventually } from '../kit/platform.ts'
import { aStaffedBank, type StaffedBank } from './staff-kit.ts'

const password = 'a long walk home'
let kit: StaffedBank
beforeAll(async () => {
  kit = await aStaffedBank()
})
afterAll(() => kit.bank.stop())

test('an employee logs in to the console without consent, with the scopes of the roles', async () => {
  await kit.hired('liam', 'LOAN_OFFICER, TELLER')
  expect((await kit.staffLogIn('liam')).browser.page).toContain('wrong')
  await kit.approve('liam')
  const { tokens } = await kit.staffLogIn('liam')
  const { claims } = tokens!
  expect(claims).toMatchObject({ sub: 'liam', roles: ['teller', 'loan-officer'] })
  expect(claims!['party_id']).toBe(undefined)
  expect(new Set(claims!['scope'].split(' '))).toEqual(
    new Set(scopesOf(['loan-officer', 'teller'])),
  )
  expect(await kit.statusOf(tokens!.token)).toBe(200)
})

test('what an employee does is done in the name of the person', async () => {
  await kit.hired('adam', 'ADMINISTRATOR')
  await kit.approve('adam')
  const { tokens } = await kit.staffLogIn('adam')
  const hire = `hireEmployee(input: { employeeId: "emp_new", username: "new.person", name: "N",
    roles: [TELLER] })`
  await kit.change(hire, tokens!.token)
  const { body } = await eventually(async () => {
    const answer = await kit.bank.graph(
      '{ businessEvents(subject: "employee/emp_new") { nodes { actor type } } }',
    )
    return answer.body.data.businessEvents.nodes.length > 0 && answer
  })
  expect(body.data.businessEvents.nodes).toEqual([{ actor: 'adam', type: 'staff.employee.hired' }])
  const own = kit.bank.graph(
    'mutation { approveEmployee(employeeId: "emp_new") { status } }',
    {},
    { token: tokens!.token },
  )
  expect((await own).body.errors[0].extensions.code).toBe('SEGREGATION_OF_DUTIES')
})

test('a lost role ends all tokens at once, and a new log-in gives the remaining rights', async () => {
  await kit.hired('omar', 'OPERATIONS, AUDITOR')
  await kit.approve('omar')
  const { tokens } = await kit.staffLogIn('omar')
  await kit.change('changeEmployeeRoles(employeeId: "emp_omar", roles: [AUDITOR])', kit.manager)
  expect(await kit.statusOf(tokens!.token)).toBe(401)
  expect((await kit.refresh(tokens!.refreshToken)).error).toBe('invalid_grant')
  const { tokens: renewed } = await eventually(async () => {
    const next = await kit.staffLogIn('omar')
    return (await kit.statusOf(next.tokens?.token)) === 200 && next
  })
  expect(renewed!.claims!['roles']).toEqual(['auditor'])
  expect(renewed!.claims!['scope'].split(' ')).not.toContain('operations:manage')
})

test('a suspended employee gets no token, neither by refresh nor by log-in', async () => {
  await kit.hired('cora', 'COMPLIANCE')
  await kit.approve('cora')
  const { browser, tokens } = await kit.staffLogIn('cora')
  await kit.change('suspendEmployee(employeeId: "emp_cora", reason: "An inquiry.")', kit.manager)
  expect(await kit.statusOf(tokens!.token)).toBe(401)
  expect((await kit.refresh(tokens!.refreshToken)).error).toBe('invalid_grant')
  const { browser: again, tokens: none } = await kit.staffLogIn('cora', {}, browser)
  expect(none).toBe(undefined)
  expect(again.page).toContain('The user name or the password is wrong.')
})

test('a role that is added while a session lasts is in the next tokens', async () => {
  await kit.hired('carl', 'CONTACT_CENTER_AGENT')
  await kit.approve('carl')
  const { browser, tokens } = await kit.staffLogIn('carl')
  await kit.change(
    'changeEmployeeRoles(employeeId: "emp_carl", roles: [CONTACT_CENTER_AGENT, TELLER])',
    kit.manager,
  )
  await kit.approve('carl')
  const { tokens: after } = await kit.staffLogIn('carl', {}, browser)
  expect(after!.claims!['scope'].split(' ')).toContain('postings:write')
  expect(tokens!.claims!['scope'].split(' ')).not.toContain('postings:write')
})

test('a customer in the console gets only what a person can delegate', async () => {
  const { tokens } = await kit.logIn({ username: ada.username, password: ada.password })
  expect(tokens!.claims).toMatchObject({ sub: ada.username, party_id: ada.partyId })
  expect(tokens!.claims!['roles']).toBe(undefined)
  expect(new Set(tokens!.claims!['scope'].split(' '))).toEqual(new Set(delegableScopes))
})

test('neither an employee nor a customer gets scopes by asking for them', async () => {
  await kit.hired('aron', 'AUDITOR')
  await kit.approve('aron')
  const wish = 'products:read credit:decide staff:manage'
  for (const person of [
    { username: 'aron', password: kit.passwordOf('aron') },
    { username: ada.username, password: ada.password },
  ]) {
    const { tokens } = await kit.logIn({ ...person, scope: wish })
    expect(tokens!.claims!['scope']).toBe('products:read')
  }
  const { at } = await kit.staffLogIn('aron', { scope: 'everything' })
  expect(at.searchParams.get('error')).toBe('invalid_scope')
})

test('an employee cannot use an app of somebody else, neither by log-in nor by a session', async () => {
  await kit.hired('tina', 'TELLER')
  await kit.approve('tina')
  const refused = await kit.staffLogIn('tina', { client: kit.theWebApp() })
  expect(refused.tokens).toBe(undefined)
  expect(refused.browser.page).toContain('Employees of the bank cannot log in to this app.')
  const { browser, tokens } = await kit.staffLogIn('tina')
  expect(tokens).toBeDefined()
  const at = await browser.visit(kit.authorizeUrl(kit.theWebApp(), 'c'.repeat(43)))
  expect(at.searchParams.get('code')).toBe(null)
  expect(browser.page).toContain('Log in')
})

test('two employees do not share idempotency keys, pages or rate limits', async () => {
  const tokenOf = async (name: string) => {
    await kit.hired(name, 'ADMINISTRATOR')
    await kit.approve(name)
    await kit.setPassword({ username: name, code: await kit.issueCode(name), password })
    return (await kit.logIn({ username: name, password })).tokens!.token
  }
  const vera = await tokenOf('vera')
  const walt = await tokenOf('walt')
  const hire = `mutation { hireEmployee(input: { username: "same.key", name: "N", roles: [TELLER] }) {
    proposedBy } }`
  const run = (token: string) => kit.bank.graph(hire, {}, { token, key: 'one-key' })
  expect((await run(vera)).body.data.hireEmployee).toEqual({ proposedBy: 'vera' })
  // The same key of another person is another request, which finds the name taken.
  expect((await run(walt)).body.errors[0].extensions.code).toBe('NAME_TAKEN')
  expect((await run(vera)).body.data.hireEmployee).toEqual({ proposedBy: 'vera' })
  const page = (after: string, token: string) =>
    kit.bank.graph(`{ employees(first: 1${after}) { pageInfo { endCursor } } }`, {}, { token })
  const { endCursor } = (await page('', vera)).body.data.employees.pageInfo
  const stolen = await page(`, after: "${endCursor}"`, walt)
  expect(stolen.body.errors[0].extensions.code).toBe('PAGE_TOKEN_INVALID')
})
