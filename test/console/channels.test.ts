import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The contact center in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a preview says who gets a contact, and why somebody else does not', async () => {
    const page = await kit.open('Carl', '/routing?party=pty_ada')
    await page.getByText('Mary Somerville gets the contact').waitFor()
    await page.getByText('The contact enters the queue Retail.').waitFor()
    await page.getByRole('row', { name: /Mary Somerville chosen/ }).waitFor()
    await page.getByRole('combobox', { name: 'Skills that it needs' }).fill('sailing')
    await page.keyboard.press('Enter')
    await page.getByText('The contact waits in the queue Retail').waitFor()
    await page.getByRole('row', { name: /Mary.* skipped .*Lacks a required skill/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('skills')).toBe('sailing')
    await page.goto(`${kit.bank.url}/console/routing?channel=EMAIL`)
    await page.getByText('The contact cannot be routed').waitFor()
    await page.getByText('No active profile serves this medium and segment.').waitFor()
  })

  test('a call is routed, goes back to the queue, and is wrapped up with notes', async () => {
    const page = await kit.open('Carl', '/customers/pty_ada?tab=contacts')
    await page.getByRole('link', { name: 'New contact' }).click()
    await page.getByRole('button', { name: 'Route' }).click()
    await page.getByText('What is it about?', { exact: true }).waitFor()
    await page.getByLabel('Subject').fill('A lost card')
    await page.getByRole('button', { name: 'Route', exact: true }).click()
    await page.getByRole('heading', { name: 'A lost card' }).waitFor()
    await page.getByText('Mary Somerville gets the contact').waitFor()
    await page.getByRole('button', { name: 'Link to a case' }).click()
    await page.getByRole('textbox', { name: 'Case' }).fill('case_none')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await page
      .getByRole('textbox', { name: 'Case' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await page.getByRole('textbox', { name: 'Case' }).fill('case_ada')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await page.getByRole('link', { name: 'Change of address' }).waitFor()
    await page.getByRole('button', { name: 'Wrap up' }).click()
    await page.getByLabel('Notes').fill('A new card is on its way.')
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('Completed').waitFor()
    await page.getByRole('definition').filter({ hasText: 'A new card' }).waitFor()
    await page.goto(`${kit.bank.url}/console/queues/que_retail?status=COMPLETED`)
    await page.getByRole('row', { name: /A lost card.*Ada Lovelace.*Mary Somerville/ }).waitFor()
  })

  test('what nobody can take waits in its queue, and is assigned when an agent returns', async () => {
    const omar = await kit.open('Omar', '/agents/agt_mary')
    await omar.getByRole('button', { name: 'Set away' }).click()
    await omar.getByText('Away', { exact: true }).waitFor()
    const carl = await kit.open('Carl', '/interactions/new')
    await carl.getByLabel('Subject').fill('A long wait')
    await carl.getByRole('button', { name: 'Route', exact: true }).click()
    await carl.getByText('The contact waits in the queue Retail').waitFor()
    const page = await kit.open('Tina', '/contact-center')
    const queue = page.getByRole('row', { name: /Retail/ })
    await queue.getByText('0 of 1').waitFor()
    await queue.getByRole('link').click()
    await page.getByRole('row', { name: /A long wait.*Waiting/ }).waitFor()
    await page.getByRole('row', { name: /Mary Somerville.*Away/ }).waitFor()
    await omar.getByRole('button', { name: 'Set available' }).click()
    await page.getByText('Nothing waits in this queue.').waitFor({ timeout: 20_000 })
    await carl.getByRole('button', { name: 'Back to the queue' }).waitFor()
    await carl.getByRole('button', { name: 'Back to the queue' }).click()
    await carl.getByRole('button', { name: 'Wrap up' }).waitFor({ timeout: 20_000 })
  }, 60_000)

  test('queues, channels, profiles and agents are set up where the graph can', async () => {
    const page = await kit.open('Omar', '/contact-center?dialog=queue')
    await page.getByLabel('Name').fill('Complaints')
    await page.getByRole('button', { name: 'Create the queue' }).click()
    await page.getByRole('link', { name: 'Complaints' }).waitFor()
    await page.getByRole('tab', { name: 'Routing profiles' }).click()
    await page.getByRole('link', { name: 'New profile' }).click()
    await page.getByLabel('Name').fill('Retail')
    await page.getByRole('combobox', { name: 'Queue' }).click()
    await page.getByRole('option', { name: 'Complaints' }).click()
    await page.getByRole('button', { name: 'Create the profile' }).click()
    await page.getByText('ROUTING_PROFILE_NAME_EXISTS').waitFor()
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Name').fill('Complaints desk')
    await page.getByRole('button', { name: 'Create the profile' }).click()
    await page.getByRole('heading', { name: 'Complaints desk' }).waitFor()
    await page.getByText('Still missing: agent.').waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Priority').fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Queues' }).getByText('7', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Archived').waitFor()
    await page.goto(`${kit.bank.url}/console/contact-center?tab=channels`)
    await page.getByRole('button', { name: 'Change Telephone' }).click()
    await page.getByRole('button', { name: 'Add hours' }).click()
    await page.getByLabel('From').fill('9')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A time such as 09:00.').waitFor()
    await page.getByLabel('From').fill('00:00')
    await page.getByLabel('Time zone').fill('Mars/Olympus')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Time zone').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Time zone').fill('Europe/Amsterdam')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { body } = await kit.bank.graph(
      '{ channel(channelId: "chn_phone") { hours { zone weekly { day from to } } } }',
    )
    expect(body.data.channel.hours).toEqual({
      zone: 'Europe/Amsterdam',
      weekly: [{ day: 'MONDAY', from: '00:00', to: '17:00' }],
    })
    await page.getByRole('button', { name: 'Deactivate Telephone' }).click()
    await page.getByRole('button', { name: 'Activate Telephone' }).click()
    await page.getByRole('button', { name: 'Deactivate Telephone' }).waitFor()
    await page.goto(`${kit.bank.url}/console/agents/agt_mary`)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('combobox', { name: 'Skills' }).fill('sailing')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('definition').filter({ hasText: 'sailing' }).waitFor()
  })

  test('has no barriers for people with disabilities on its pages', async () => {
    const paths = [
      '/contact-center',
      '/contact-center?tab=agents',
      '/contact-center?tab=profiles',
      '/contact-center?tab=channels',
      '/contact-center?tab=channels&dialog=channel',
      '/queues/que_retail',
      '/agents/agt_mary',
      '/agents/agt_mary?dialog=edit',
      '/contact-center?tab=channels&dialog=channel:chn_phone',
      '/interactions/new',
      '/routing?party=pty_ada',
      '/routing-profiles/new',
      '/routing-profiles/rtp_retail',
      '/routing-profiles/rtp_retail?dialog=edit',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
  }, 120_000)
})
