/** The log-in page of a sandbox on the machine of a developer offers its people as buttons. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLocalSandbox } from '../../host/console.ts'
import { sandboxStaff } from '../../host/staff.ts'
import { secrets } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { aStaffedBank, type StaffedBank } from './staff-kit.ts'

let kit: StaffedBank
beforeAll(async () => {
  kit = await aStaffedBank()
  await kit.hired('liam', 'LOAN_OFFICER')
})
afterAll(() => kit.bank.stop())

/** The log-in page of a client. */
async function logInPage(client: { client_id: string; redirect_uris: string[] }) {
  const browser = new ABrowser()
  await browser.visit(kit.authorizeUrl(client, 'x'.repeat(43)))
  return browser
}
const offered = (page: string) =>
  [...page.matchAll(/name="person" value="(\w+)"/g)].map(([, it]) => it)

test('the console offers customers and one employee of each role; an app, only customers', async () => {
  const staff = sandboxStaff(secrets.cookieKey).map(({ username }) => username)
  expect(offered((await logInPage(kit.theConsole())).page)).toEqual(['ada', ...staff])
  expect(offered((await logInPage(kit.theWebApp())).page)).toEqual(['ada'])
})

test('a button logs in without a password, with the rights that the person has', async () => {
  const browser = await logInPage(kit.theConsole())
  await browser.submit({ person: 'liam' })
  expect(browser.page).toContain('cannot log in')
  await kit.approve('liam')
  const at = await browser.submit({ person: 'liam' })
  expect(at.searchParams.get('code')).toBeTruthy()
})

test('nobody else can log in like this, and no employee to an app of somebody else', async () => {
  const admin = await logInPage(kit.theConsole())
  await admin.submit({ person: 'manager' })
  expect(admin.page).toContain('wrong')
  const app = await logInPage(kit.theWebApp())
  await app.submit({ person: 'liam' })
  expect(app.at.searchParams.get('code')).toBeNull()
  expect(app.page).toContain('cannot log in')
})

test('a live bank, and a sandbox that other machines can reach, offer nobody', () => {
  const local = 'http://127.0.0.1:4001'
  expect(isLocalSandbox('sandbox', '127.0.0.1', local)).toBe(true)
  expect(isLocalSandbox('sandbox', '127.0.0.1', 'http://localhost:4001')).toBe(true)
  expect(isLocalSandbox('live', '127.0.0.1', local)).toBe(false)
  expect(isLocalSandbox('sandbox', '0.0.0.0', local)).toBe(false)
  expect(isLocalSandbox('sandbox', '127.0.0.1', 'https://sandbox.bank.example')).toBe(false)
  expect(isLocalSandbox('sandbox', '127.0.0.1', 'https://127.bank.example')).toBe(false)
})

test('a page of this server chooses the person; other sites, and other clients, cannot', async () => {
  const chosen = async (site: string, client = kit.theConsole(), person = 'ada') => {
    const browser = new ABrowser({ 'sec-fetch-site': site })
    const url = kit.authorizeUrl(client, 'x'.repeat(43))
    url.searchParams.set('login_hint', person)
    return (await browser.visit(url)).searchParams.has('code')
  }
  expect(await chosen('same-origin')).toBe(true)
  for (const site of ['cross-site', 'same-site', 'none', '']) {
    expect([site, await chosen(site)]).toEqual([site, false])
  }
  expect(await chosen('same-origin', kit.theConsole(), 'manager')).toBe(false)
  expect(await chosen('same-origin', kit.theWebApp(), 'liam')).toBe(false)
})

test('another person logs in in the same browser, and the first is logged out', async () => {
  const browser = new ABrowser({ 'sec-fetch-site': 'same-origin' })
  const logIn = async (person: string) => {
    const url = kit.authorizeUrl(kit.theConsole(), 'x'.repeat(43))
    url.searchParams.set('login_hint', person)
    url.searchParams.set('prompt', 'login')
    return browser.visit(url)
  }
  expect((await logIn('ada')).searchParams.has('code')).toBe(true)
  await logIn('liam')
  // oidc-provider ends the session of the first person with a form that sends itself.
  const action = /action="([^"]+)"/.exec(browser.page)![1]!
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(browser.page)![1]!
  const at = await browser.visit(new URL(action, browser.at), { xsrf, logout: 'yes' })
  expect(at.searchParams.has('code')).toBe(true)
})
