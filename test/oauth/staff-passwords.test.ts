/** Employees set their passwords with one-time codes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, eventually } from '../kit/platform.ts'
import { aStaffedBank, type StaffedBank } from './staff-kit.ts'

const password = 'a long walk home'
let kit: StaffedBank
beforeAll(async () => {
  kit = await aStaffedBank()
})
afterAll(() => kit.bank.stop())

test('a new employee sets a password with a one-time code, once', async () => {
  await kit.hired('nina', 'TELLER')
  await kit.approve('nina')
  const replaced = await kit.issueCode('nina')
  const code = await kit.issueCode('nina')
  const form = { username: 'Nina', code, password }
  expect((await kit.setPassword({ ...form, code: replaced })).status).toBe(422)
  expect((await kit.setPassword({ ...form, password: 'short' })).page).toContain('12 to 200')
  expect((await kit.setPassword({ ...form, password: 'nina and more' })).status).toBe(422)
  expect((await kit.setPassword(form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await kit.setPassword(form)).page).toContain('Your password is set')
  expect((await kit.setPassword({ ...form, password: `${password} again` })).status).toBe(422)
  const { tokens } = await kit.logIn({ username: 'nina', password })
  expect(tokens!.claims).toMatchObject({ sub: 'nina', roles: ['teller'] })
})

test('a new password ends the tokens and sessions of the old one', async () => {
  await kit.hired('rosa', 'AUDITOR')
  await kit.approve('rosa')
  const old = 'the old password'
  await kit.setPassword({ username: 'rosa', code: await kit.issueCode('rosa'), password: old })
  const { browser, tokens } = await kit.logIn({ username: 'rosa', password: old })
  // Sessions have the precision of a second.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await kit.setPassword({ username: 'rosa', code: await kit.issueCode('rosa'), password })
  expect(await kit.statusOf(tokens!.token)).toBe(401)
  expect((await kit.refresh(tokens!.refreshToken)).error).toBe('invalid_grant')
  const at = await browser.visit(kit.authorizeUrl(kit.theConsole(), 'c'.repeat(43)))
  expect(at.searchParams.get('code')).toBe(null)
  expect(browser.page).toContain('Log in')
  await eventually(
    async () =>
      (await kit.logIn({ username: 'rosa', password }, browser)).tokens?.claims !== undefined,
  )
})

test('a later code replaces the password, and an ended employment the code', async () => {
  await kit.hired('otto', 'AUDITOR')
  await kit.approve('otto')
  for (const next of [password, `${password}, again`]) {
    await kit.setPassword({ username: 'otto', code: await kit.issueCode('otto'), password: next })
    await eventually(
      async () =>
        (await kit.logIn({ username: 'otto', password: next })).tokens?.claims !== undefined,
    )
  }
  expect((await kit.logIn({ username: 'otto', password })).tokens).toBe(undefined)
  const code = await kit.issueCode('otto')
  await kit.change('dismissEmployee(employeeId: "emp_otto")', kit.manager)
  expect((await kit.setPassword({ username: 'otto', code, password })).status).toBe(422)
})

test('a code is nothing for customers, unknown names or guesses', async () => {
  await kit.hired('paul', 'TELLER')
  await kit.approve('paul')
  const code = await kit.issueCode('paul')
  for (const form of [
    { username: ada.username, code, password },
    { username: 'nobody', code, password },
    { username: 'pa\0ul', code, password },
    { username: 'paul', code: '', password },
    { username: 'paul', code: `${code}x`, password },
    {},
  ]) {
    const { status, page } = await kit.setPassword(form as Record<string, string>)
    expect(status).toBe(422)
    expect(page).not.toContain(code)
  }
  expect((await kit.logIn({ username: ada.username, password: ada.password })).tokens).toBeDefined()
})

test('codes cannot be guessed without end', async () => {
  const statuses = []
  for (let index = 0; index < 8; index++) {
    const form = { username: 'quinn', code: `guess-${index}`, password }
    statuses.push((await kit.setPassword(form)).status)
  }
  expect(statuses).toContain(429)
})
