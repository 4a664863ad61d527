/** The export and the erasure of everything about one employee. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/platform.ts'
import { aStaffedBank, type StaffedBank } from '../oauth/staff-kit.ts'

let kit: StaffedBank
beforeAll(async () => {
  kit = await aStaffedBank()
  await kit.change(
    `hireEmployee(input: { employeeId: "emp_tina", username: "tina", name: "Zmark Tinson",
      roles: [TELLER] })`,
    kit.manager,
  )
  await kit.approve('tina')
  const { tokens } = await kit.staffLogIn('tina')
  expect(tokens).toBeDefined()
  await run(
    `mutation { registerOAuthClient(input: { clientId: "tinas-program", label: "P",
      scopes: ["parties:read"] }) { client { owner } } }`,
    tokens!.token,
    'clients',
  )
})
afterAll(() => kit.bank.stop())

const mia = () => kit.bank.token({ subject: 'mia' })
const noah = () => kit.bank.token({ subject: 'noah' })

async function answer(document: string, token: string, key?: string) {
  return (await kit.bank.graph(document, {}, { token, ...(key && { key }) })).body
}
/** Runs a document; registering a client is the administrator's, not the teller's. */
async function run(document: string, token: string, key?: string) {
  const own = document.includes('registerOAuthClient')
    ? kit.bank.token({ subject: 'tina', clientId: 'bankgraph-console' })
    : token
  const { data, errors } = await answer(document, own, key)
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
const rejected = async (document: string, token: string) =>
  (await answer(document, token)).errors?.[0].extensions

const request =
  'mutation { it: requestDataExport(username: "tina") { dataExportId username partyId } }'

test('an export has all that the bank stores about an employee, as JSON and to read', async () => {
  const { it } = await run(request, mia())
  expect(it).toMatchObject({ username: 'tina', partyId: null })
  const { nodes } = (
    await run(
      `{ it: dataExportRecords(dataExportId: "${it.dataExportId}", first: 100) { nodes {
        table retention data } } }`,
      mia(),
    )
  ).it
  const tables = new Set(nodes.map(({ table }: { table: string }) => table))
  for (const table of [
    'staff.employee',
    'oauth.person',
    'kernel.identity_record',
    'operations.oauth_client',
  ]) {
    expect([table, tables.has(table)]).toEqual([table, true])
  }
  const employee = nodes.find(({ table }: { table: string }) => table === 'staff.employee')
  expect(employee.data).toMatchObject({ username: 'tina', name: 'Zmark Tinson' })
  expect(employee.retention).toMatch(/GDPR article 88/)
  expect(JSON.stringify(nodes)).not.toMatch(/scrypt|passwordHash|logInCodeHash/)
  const page = await run(
    `{ it: dataExportPage(dataExportId: "${it.dataExportId}", first: 100) { html } }`,
    mia(),
  )
  expect(page.it.html).toContain('Zmark Tinson')
})

test('a request names one person, who exists, and no customer exports an employee', async () => {
  const both = 'mutation { requestDataExport(username: "tina", partyId: "pty_ada") { username } }'
  expect((await rejected(both, mia())).code).toBe('VALIDATION_FAILED')
  const none = 'mutation { requestDataExport { username } }'
  expect((await rejected(none, mia())).code).toBe('VALIDATION_FAILED')
  const unknown = 'mutation { requestDataExport(username: "nobody") { username } }'
  expect((await rejected(unknown, mia())).code).toBe('EMPLOYEE_NOT_FOUND')
  const customer = kit.bank.token({ partyId: 'pty_ada' })
  expect((await rejected(request, customer)).code).toBe('EMPLOYEE_NOT_FOUND')
  const { it } = await run(request, mia())
  const records = `{ dataExportRecords(dataExportId: "${it.dataExportId}") { nodes { table } } }`
  for (const token of [customer, noah()]) {
    expect((await answer(records, token)).data).toEqual({ dataExportRecords: null })
  }
})

const propose = `mutation { it: proposeErasure(input: { username: "tina", reason: "Asked" }) {
  erasureRequestId username } }`

test('the data of an employee who works here is not erased', async () => {
  const problem = await rejected(propose, mia())
  expect(problem.code).toBe('ERASURE_BLOCKED')
  expect(problem.errors).toMatchObject([{ pointer: '/input/username', code: 'EMPLOYEE_ACTIVE' }])
})

test('two persons erase a former employee; what the audit needs is kept, and the report says why', async () => {
  await kit.change('dismissEmployee(employeeId: "emp_tina", reason: "Zmark quarrel")', kit.manager)
  const erasureRequestId = await eventually(async () => {
    const { data } = await answer(propose, mia())
    return data?.it?.erasureRequestId
  })
  const approve = `mutation { approveErasure(erasureRequestId: "${erasureRequestId}") { state } }`
  expect((await rejected(approve, mia())).code).toBe('SEGREGATION_OF_DUTIES')
  await run(approve, noah())
  const report = await eventually(async () => {
    const { it } = await run(
      `{ it: erasureRequest(erasureRequestId: "${erasureRequestId}") { state lines {
        tableName columns action rowCount keptCount reason keptUntil } } }`,
      mia(),
    )
    return it.state === 'COMPLETED' && it.lines
  }, 30_000)
  const lineOf = (table: string, column: string) =>
    report.find((line: any) => line.tableName === table && line.columns.includes(column))
  expect(lineOf('oauth.person', 'username')).toMatchObject({ action: 'DELETED', rowCount: 1 })
  expect(lineOf('kernel.identity_record', 'person')).toMatchObject({
    action: 'KEPT',
    keptUntil: null,
  })
  expect(lineOf('staff.employee', 'username')).toMatchObject({ action: 'KEPT' })
  expect(lineOf('staff.employee', 'username').reason).toMatch(/never given to another person/)
  // The claims from the employment are not time-barred yet.
  const name = lineOf('staff.employee', 'name')
  expect(name).toMatchObject({ action: 'KEPT', keptCount: 1 })
  expect(new Date(name.keptUntil).getUTCFullYear()).toBe(new Date().getUTCFullYear() + 4)
})

test('when the period has ended, the name is gone, and the username names nobody else', async () => {
  const { pool } = kit.bank.bank
  await eventually(async () => {
    const ended = `update privacy.relationship_end set ended_at = ended_at - interval '12 years',
      next_due_at = now() - interval '1 day', version = version + 1 where subject = 'employee/tina'`
    return (await pool.query(ended)).rowCount === 1
  }, 30_000)
  await run('mutation { runJob(name: "privacy.erase-expired") { name } }', mia())
  await eventually(async () => {
    const { rows } = await pool.query(
      "select name, status_reason from staff.employee where username = 'tina'",
    )
    return rows[0].name === '[erased]' && rows[0].status_reason === null
  }, 30_000)
  const again =
    'mutation { hireEmployee(input: { username: "tina", name: "N", roles: [TELLER] }) { username } }'
  expect((await rejected(again, kit.manager)).code).toBe('NAME_TAKEN')
})
