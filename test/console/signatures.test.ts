import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { staffToken } from '../contract/guide-kit.ts'
import { aConsole, barriersOnPages, ibanOf, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
const account = '/accounts/arr_ada_current'

describe.skipIf(!hasBrowser)('Signatures in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    const { body } = await kit.bank.graph(
      `mutation { addAccountHolder(input: {
      arrangementId: "arr_ada_current", partyId: "pty_grace" }) { isHolder } }`,
      {},
      { token: staffToken(kit.bank, 'tina') },
    )
    expect(body.errors).toBeUndefined()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a rule is proposed by one employee and approved by another', async () => {
    const tina = await kit.open('Tina', account)
    const section = tina.getByRole('region', { name: 'Signatures' })
    await section.getByText('Whoever may pay from the account pays alone.').waitFor()
    await section.getByRole('button', { name: 'Propose a rule' }).click()
    const propose = tina.getByRole('button', { name: 'Propose', exact: true })
    await propose.click()
    await tina.getByText('Required.').waitFor()
    await tina.getByLabel('From this amount in EUR').fill('50')
    const signatories = tina.getByRole('combobox', { name: 'IDs of the signatories' })
    for (const partyId of ['pty_ada', 'pty_grace']) {
      await signatories.fill(partyId)
      await tina.keyboard.press('Enter')
    }
    await tina.getByLabel('Reason').fill('Mandate of the two holders')
    await propose.click()
    await section.getByText('Another person decides').waitFor()

    const cora = await kit.open('Cora', account)
    const row = cora.getByRole('table', { name: 'Signing rules' }).getByRole('row').nth(1)
    await row.getByText('€50.00').waitFor()
    await row.getByRole('button', { name: 'Approve' }).click()
    await row.getByText('Approved').waitFor()
  })

  test('a payment waits for the other signatory, who signs it or declines it', async () => {
    const creditorIban = await ibanOf(kit, 'arr_grace_current')
    const token = kit.bank.token({ partyId: 'pty_grace' })
    const payAsGrace = async (amount: string) => {
      const { body } = await kit.bank.graph(
        `mutation { createTransfer(input: { debtorArrangementId: "arr_ada_current"
          creditorIban: "${creditorIban}", creditorName: "Grace Hopper"
          amount: { amount: "${amount}", currency: "EUR" } }) { state } }`,
        {},
        { token },
      )
      expect(body.data?.createTransfer).toEqual({ state: 'PENDING_SIGNATURES' })
    }
    await payAsGrace('61.00')
    const ada = await kit.open('Ada', '/')
    const waiting = ada.getByRole('region', { name: 'Payments to sign' })
    const row = waiting.getByRole('row', { name: /61\.00/ })
    await row.getByText(/^1 of 2 signatures/).waitFor()
    await row.getByRole('button', { name: 'Sign' }).click()
    await ada.getByText('Payment signed').waitFor()
    await waiting.waitFor({ state: 'detached' })

    // A payment that arrives while the page is open is shown at once.
    await payAsGrace('62.00')
    await waiting
      .getByRole('row', { name: /62\.00/ })
      .getByText('Decline')
      .click()
    await ada.getByRole('button', { name: 'Decline the payment' }).click()
    await ada.getByText('Payment declined').waitFor()
    await waiting.waitFor({ state: 'detached' })

    await ada.goto(`${kit.bank.url}/console${account}?tab=payments`)
    await ada
      .getByRole('row', { name: /61\.00/ })
      .getByText('Settled')
      .waitFor()
    await ada
      .getByRole('row', { name: /62\.00/ })
      .getByText('Rejected')
      .waitFor()
    await ada.goto(`${kit.bank.url}/console${account}/transfer`)
    await ada.getByLabel('IBAN of the recipient').fill(creditorIban)
    await ada.getByLabel('Amount').fill('63')
    await ada.getByRole('button', { name: 'Send money' }).click()
    await ada.getByText('Payment pending signatures').waitFor()
    await ada.goto(`${kit.bank.url}/console${account}?tab=payments`)
    const own = ada.getByRole('row', { name: /63\.00/ })
    await own.getByText(/^1 of 2 signatures/).waitFor()
    expect(await own.getByRole('button', { name: 'Sign' }).count()).toBe(0)

    await payAsGrace('64.00')
    expect(await barriersOnPages(kit, 'Ada', ['/', `${account}?tab=payments`])).toEqual([])
    expect(await barriersOnPages(kit, 'Tina', [account, `${account}?dialog=signing`])).toEqual([])
  })
})
