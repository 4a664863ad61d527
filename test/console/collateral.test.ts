import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, barriersOn, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Collateral in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('is recorded, valued, perfected, allocated, and released', async () => {
    const liam = await kit.open('Liam', '/collateral')
    const more = async (item: string) => {
      await liam.getByRole('button', { name: 'More' }).click()
      await liam.getByRole('menuitem', { name: item }).click()
    }
    const save = (name: string) => liam.getByRole('button', { name, exact: true }).last().click()
    await liam.getByRole('button', { name: 'New collateral' }).click()
    await liam.getByLabel('Description').fill('A boat house')
    await liam.getByLabel('ID of the owner').fill('pty_ada')
    await save('Record the collateral')
    await liam.getByRole('heading', { name: 'A boat house' }).waitFor()

    await liam.getByRole('button', { name: 'Record a valuation' }).click()
    await liam.getByLabel('Market value in EUR').fill('100000')
    await save('Record the valuation')
    await liam.getByText('€100,000.00').first().waitFor()
    await more('Record the perfection')
    await liam.getByLabel('Register or method').fill('Land register')
    await liam.getByLabel('Perfected on').fill('2099-01-01')
    await save('Record the perfection')
    await liam
      .getByText(/future/)
      .first()
      .waitFor()
    await liam.getByLabel('Perfected on').fill('')
    await save('Record the perfection')
    await liam.getByText('Land register').waitFor()
    await more('Record the insurance')
    await liam.getByLabel('Insurer').fill('Lloyd’s')
    await liam.getByLabel('Insured until').fill('2099-01-01')
    await save('Record the insurance')
    await liam.getByText('Lloyd’s').waitFor()

    await liam.getByRole('button', { name: 'Allocate to a facility' }).click()
    await liam.getByLabel('ID of the loan or credit line').fill('loan_ada')
    await liam.getByLabel('Amount in EUR').fill('5000')
    await save('Allocate')
    await liam.getByText(/Rank 1/).waitFor()
    await liam.getByRole('button', { name: 'Remove' }).click()
    await liam.getByText('It secures no facility yet.').waitFor()
    await more('Request the release')
    await save('Request the release')
    await liam.getByText('Release pending').waitFor()
    await more('Release')
    expect(await barriersOn(liam)).toEqual([])
    await save('Release')
    await liam.getByText('Released', { exact: true }).waitFor()
    expect(await liam.getByRole('button', { name: 'More' }).count()).toBe(0)
  }, 60_000)

  test('is sold, and the proceeds are recorded', async () => {
    const liam = await kit.open('Liam', '/collateral/col_ada_house')
    await liam.getByRole('button', { name: 'More' }).click()
    await liam.getByRole('menuitem', { name: 'Start the sale' }).click()
    await liam.getByLabel('Reason').fill('The loan was charged off')
    await liam.getByRole('button', { name: 'Start the sale' }).click()
    await liam.getByRole('dialog').waitFor({ state: 'hidden' })
    await liam.getByRole('button', { name: 'Record the proceeds' }).click()
    await liam.getByLabel('Proceeds in EUR').fill('90000')
    await liam.getByRole('button', { name: 'Record the proceeds' }).last().click()
    await liam.getByText('Liquidated', { exact: true }).waitFor()
  })
})
