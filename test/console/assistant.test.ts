import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

declare global {
  interface Window {
    /** The maximum number of questions of the person that the page showed at once. */
    maxQuestions?: number
  }
}

let kit: ConsoleKit

/** Runs in the page. */
function countQuestions(): void {
  window.maxQuestions = 0
  new MutationObserver(() => {
    const shown = document.querySelectorAll('[role=log] .own').length
    window.maxQuestions = Math.max(window.maxQuestions!, shown)
  }).observe(document.body, { subtree: true, childList: true })
}

const ask = async (page: Page, text: string) => {
  await page.getByLabel('Your message').fill(text)
  await page.getByLabel('Your message').press('Enter')
}
const begin = async (page: Page) => {
  await page.getByRole('button', { name: 'Begin', exact: true }).click()
  await page.getByRole('button', { name: 'End the conversation' }).waitFor()
}

describe.skipIf(!hasBrowser)('The assistant in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('what it wants to change for a customer waits for an approver, and is proven', async () => {
    const ada = await kit.open('Ada', '/assistant')
    await begin(ada)
    await ada.evaluate(countQuestions)
    await ada.getByRole('button', { name: 'How much is in the accounts?' }).click()
    await ada.getByText(/arr_ada_current \(active\): \d+\.\d\d EUR/).waitFor()
    await ada.getByLabel('The assistant is answering').waitFor({ state: 'detached' })
    expect(await ada.evaluate(() => window.maxQuestions)).toBe(1)
    await ask(ada, 'Transfer 12.50 from arr_ada_current to arr_ada_savings')
    await ada.getByText('This waits for the approval of another person').waitFor()
    const anna = await kit.open('Anna', '/approvals')
    const request = anna.getByRole('region', { name: 'Transfer' })
    await request.getByText('12.50').waitFor()
    await request.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByText('Nothing waits').waitFor()
    await ada.getByText(/^The transfer pay_\w+ is settled\.$/).waitFor()
    await ada.getByRole('button', { name: 'Verify the transcript' }).click()
    await ada.getByText('The transcript is complete').waitFor()
  }, 60_000)

  test('changed arguments need another approver, and a rejection says why', async () => {
    const ada = await kit.open('Ada', '/assistant')
    await begin(ada)
    await ask(ada, 'Transfer 7.00 from arr_ada_current to arr_ada_savings')
    await ada.getByText('This waits for the approval of another person').waitFor()
    const anna = await kit.open('Anna', '/approvals')
    const request = anna.getByRole('region', { name: 'Transfer' })
    await request.getByRole('button', { name: 'Change the arguments' }).click()
    await request.getByLabel('amount').fill('6.00')
    await request.getByRole('button', { name: 'Save the arguments' }).click()
    await request.getByText('so another person decides on it').waitFor()
    expect(await request.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await request.getByRole('button', { name: 'Reject' }).click()
    await request.getByLabel('Reason').fill('Not what she wanted')
    await request.getByRole('button', { name: 'Reject' }).click()
    await ada.getByText('The request was not approved, so nothing was done.').waitFor()
  }, 60_000)

  test('a question that was sent is answered once, although the page is loaded again', async () => {
    const ada = await kit.open('Ada', '/assistant')
    await begin(ada)
    await ada.context().setOffline(true)
    await ask(ada, 'How much is in my accounts?')
    await ada.getByLabel('The assistant is answering').waitFor()
    await ada.context().setOffline(false)
    await ada.reload()
    await ada.getByText(/arr_ada_current \(active\)/).waitFor({ timeout: 20_000 })
    const messages = ada.getByRole('log', { name: 'Messages' })
    expect(await messages.getByText('How much is in my accounts?').count()).toBe(1)
    expect(await messages.getByText(/arr_ada_current \(active\)/).count()).toBe(1)
  }, 60_000)

  test('operations stops the assistants of one type at once, and allows them again', async () => {
    const liam = await kit.open('Liam', '/assistant')
    await begin(liam)
    const omar = await kit.open('Omar', '/assistants')
    const stop = omar.getByRole('switch', { name: 'Stop Assistants: servicing agent' })
    const change = async (button: string) => {
      await stop.click({ force: true })
      await omar.getByLabel('Reason').fill('A test of the switch')
      await omar.getByRole('dialog').getByRole('button', { name: button }).click()
    }
    await change('Stop')
    await omar.getByText('Stopped by omar', { exact: false }).waitFor()
    await liam.getByText('This conversation has ended').waitFor()
    await change('Allow')
    await omar.getByText('Allowed again by omar', { exact: false }).waitFor()
  }, 60_000)

  test('a long conversation and its transcript are shown to the end', async () => {
    await kit.bank.graph(`mutation { createAssistSession(input: { sessionId: "ses_long",
      assistantType: "servicing-agent" }) { sessionId } }`)
    for (let number = 1; number <= 101; number += 1) {
      const { body } = await kit.bank.graph(
        'mutation ($input: SendAssistMessageInput!) { sendAssistMessage(input: $input) { status } }',
        { input: { sessionId: 'ses_long', content: `Question ${number}` } },
      )
      expect(body.errors).toBeUndefined()
    }
    const liam = await kit.open('Liam', '/assistant/ses_long')
    await liam.getByText('Question 101', { exact: true }).waitFor()
    await liam.getByRole('button', { name: 'Verify the transcript' }).click()
    const lines = /all (\d+) lines/.exec(await liam.getByText(/of all \d+ lines/).innerText())![1]!
    await liam.getByRole('button', { name: 'Next page' }).click()
    await liam.getByRole('cell', { name: '201', exact: true }).waitFor()
    await liam.getByRole('cell', { name: lines, exact: true }).waitFor()
    expect(await liam.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
  }, 90_000)

  test('an assistant that needs consent gets it, and the customer withdraws it', async () => {
    const liam = await kit.open('Liam', '/assistant?party=pty_ada')
    await liam.getByRole('combobox', { name: 'Assistant' }).click()
    await liam.getByRole('option', { name: 'Credit analyst' }).click()
    await liam.getByLabel('How did the party consent?').fill('Signed form 7')
    await liam.getByRole('button', { name: 'Record the consent' }).click()
    await liam.getByText('The consent is recorded').waitFor()
    await begin(liam)
    const ada = await kit.open('Ada', '/assistant')
    const consents = ada.getByRole('region', { name: 'Your consents' })
    await consents.getByRole('button', { name: 'Withdraw' }).click()
    await consents.getByText('Withdrawn').waitFor()
    await liam.getByText('This conversation has ended').waitFor()
  }, 60_000)

  test('every page can be used by everybody', async () => {
    expect(await barriersOnPages(kit, 'Ada', ['/assistant'])).toEqual([])
    expect(await barriersOnPages(kit, 'Anna', ['/assistant', '/approvals'])).toEqual([])
    expect(await barriersOnPages(kit, 'Liam', ['/assistant/ses_ada'])).toEqual([])
    expect(await barriersOnPages(kit, 'Omar', ['/assistants'])).toEqual([])
  }, 120_000)
})
