import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Employees in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('an administrator hires, a second person approves, and the new employee logs in', async () => {
    const adam = await kit.open('Adam', '/employees')
    await adam.getByRole('button', { name: 'Hire somebody' }).click()
    await adam.getByLabel('Full name').fill('Noor Said')
    await adam.getByLabel('User name').fill('NOOR')
    await adam.getByLabel('Teller').check()
    await adam.getByRole('button', { name: 'Propose' }).click()
    await adam
      .getByText(/lowercase/)
      .last()
      .waitFor()
    await adam.getByLabel('User name').fill('noor')
    await adam.getByRole('button', { name: 'Propose' }).click()
    await adam.getByRole('heading', { name: 'Noor Said' }).waitFor()
    expect(await adam.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

    const anna = await kit.open('Anna')
    await anna.getByRole('link', { name: 'Hiring of Noor Said, proposed by adam' }).click()
    await anna.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByText('Roles approved').waitFor()
    await adam.getByRole('button', { name: 'Request a code' }).click()
    await anna.getByRole('button', { name: 'Issue the code' }).click()
    await anna.getByText('This code is shown only once').waitFor()
    const code = await anna.locator('code').last().innerText()

    const noor = await kit.window()
    await noor.goto(`${kit.bank.url}/oauth/password`)
    await noor.getByLabel('User name').fill('noor')
    await noor.getByLabel(/code/i).fill(code)
    await noor
      .getByLabel(/password/i)
      .first()
      .fill('a horse of a different color')
    await noor.getByRole('button').click()
    await noor
      .getByText(/password/i)
      .first()
      .waitFor()
    await noor.goto(`${kit.bank.url}/console/`)
    await noor.getByRole('button', { name: 'Log in as somebody else' }).click()
    await noor.getByLabel('User name').fill('noor')
    await noor.getByLabel('Password').fill('a horse of a different color')
    await noor.getByRole('button', { name: 'Log in', exact: true }).click()
    await noor.getByRole('heading', { name: 'Hello, Noor' }).waitFor()
  }, 60_000)

  test('of two people who approve at once, one does, and the other sees what happened', async () => {
    const input = 'employeeId: "emp_kim", username: "kim", name: "Kim Ito", roles: [TELLER]'
    const token = kit.bank.token({ subject: 'manager' })
    await kit.bank.graph(
      `mutation { hireEmployee(input: { ${input} }) { employeeId } }`,
      {},
      { token },
    )
    const pages = [
      await kit.open('Adam', '/employees/emp_kim'),
      await kit.open('Anna', '/employees/emp_kim'),
    ]
    // The pages follow each other's changes, so the clicks must come before the first answer.
    const buttons = await Promise.all(
      pages.map((page) =>
        page.getByRole('button', { name: 'Approve', exact: true }).elementHandle(),
      ),
    )
    await Promise.all(
      buttons.map((button) => button!.evaluate((each: HTMLElement) => each.click())),
    )
    for (const page of pages) await page.getByText('Active', { exact: true }).waitFor()
    const { body } = await kit.bank.graph(
      '{ businessEvents(subject: "employee/emp_kim") { nodes { type } } }',
    )
    const types = (body.data.businessEvents.nodes as { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'staff.employee.roles-approved')).toHaveLength(1)
  })

  test('have no barriers for people with disabilities on their pages', async () => {
    const paths = [
      '/employees',
      '/employees?dialog=hire',
      '/employees/emp_liam',
      '/employees/emp_liam?dialog=roles',
    ]
    expect(await barriersOnPages(kit, 'Adam', paths)).toEqual([])
  })
})
