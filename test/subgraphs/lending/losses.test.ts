import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLoan,
  booked,
  eur,
  facilityOf,
  findings,
  morningOf,
  opened,
  publish,
  eventsOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(() => bank.drop())

const officer = aCaller({ subject: 'officer' })
const manager = aCaller({ subject: 'manager' })
const reason = 'The borrower is bankrupt.'
let serial = 0

const mutate = (document: string, options: object = { caller: officer }) =>
  bank.execute(`mutation { answer: ${document} }`, {}, options)
const chargeOff = (id: string, more = '') =>
  mutate(`chargeOffFacility(facilityId: "${id}" ${more}) { state }`)
const writeOff = (id: string, more = '') =>
  mutate(`writeOffFacility(facilityId: "${id}" ${more}) { state }`)
const recover = (id: string, amount: string, more = '') =>
  mutate(`recoverFacility(input: { facilityId: "${id}", amount: "${amount}" ${more} }) { state }`)
const propose = (id: string, action: string, options: object = { caller: officer }) =>
  mutate(
    `proposeFacilityLoss(input: { facilityId: "${id}", action: ${action}, reason: "${reason}" })
      { lossProposalId state amount { amount } proposedBy decidedBy facility { facilityId state } }`,
    options,
  )
const decide = (name: string, id: string, caller = manager) =>
  mutate(
    `${name}FacilityLoss(lossProposalId: "${id}") { state decidedBy facility { state } amount { amount } }`,
    { caller },
  )

async function aLentLoan(amount: string, more: object = {}): Promise<string> {
  const facilityId = `loan_loss_${++serial}`
  await opened(bank, aLoan({ facilityId, limit: eur(amount), ...more }))
  return facilityId
}

describe('recovery', () => {
  test('can be repeated until the whole charged-off amount has been recovered', async () => {
    const id = await aLentLoan('900.00')
    expect((await chargeOff(id, `, reason: "${reason}"`)).data.answer.state).toBe('CHARGED_OFF')
    expect((await recover(id, '50.00')).data.answer.state).toBe('CHARGED_OFF')
    expect((await recover(id, '800.00')).data.answer.state).toBe('CHARGED_OFF')
    expect((await recover(id, '50.01')).code).toBe('EXCEEDS_PAYOFF_AMOUNT')
    expect((await recover(id, '0.00')).code).toBe('INVALID_AMOUNT')
    expect((await recover(id, '50.00')).data.answer.state).toBe('RECOVERED')
    const types = await eventsOf(bank, `facility/${id}`)
    expect(types.filter((type) => type === 'recovery-received')).toHaveLength(3)
    expect(types.at(-1)).toBe('recovered')
    expect((await recover(id, '1.00')).code).toBe('INVALID_STATE_TRANSITION')
    expect(await findings(bank)).toEqual([])
  })

  test('leaves a remainder that can be written off', async () => {
    const id = await aLentLoan('900.00')
    await chargeOff(id, `, reason: "${reason}"`)
    await recover(id, '50.00')
    expect((await writeOff(id, `, reason: "${reason}"`)).data.answer.state).toBe('WRITTEN_OFF')
    expect((await recover(id, '1.00')).code).toBe('INVALID_STATE_TRANSITION')
  })
})

describe('charge-offs and write-offs', () => {
  test('require a reason for a performing loan', async () => {
    const id = await aLentLoan('500.00')
    for (const more of ['', ', reason: "  "']) {
      const refused = await chargeOff(id, more)
      expect(refused.code).toBe('LOSS_REASON_REQUIRED')
      expect(refused.errors[0]!.extensions).toMatchObject({ errors: [{ pointer: '/reason' }] })
    }
    expect((await facilityOf(bank, id)).state).toBe('ACTIVE')
    await chargeOff(id, `, reason: "${reason}"`)
    expect((await writeOff(id)).code).toBe('LOSS_REASON_REQUIRED')
  })

  test('require a second person above the limit for one person', async () => {
    const id = await aLentLoan('1000.01')
    const refused = await chargeOff(id, `, reason: "${reason}"`)
    expect(refused.code).toBe('SECOND_PERSON_REQUIRED')
    expect((await facilityOf(bank, id)).state).toBe('ACTIVE')
  })

  test('apply the approval limit of the product if it has one', async () => {
    const parameters = [{ name: 'lossApprovalLimit', default: '99.99' }]
    const versions = [{ version: '1', status: 'active', parameters }]
    await publish(bank, 'product/prd_careful', { versions })
    const id = await aLentLoan('100.00', { productId: 'prd_careful' })
    expect((await chargeOff(id, `, reason: "${reason}"`)).code).toBe('SECOND_PERSON_REQUIRED')
  })

  test('are forbidden to delegated users', async () => {
    const id = await aLentLoan('500.00')
    const options = { caller: ada }
    const documents = [
      `chargeOffFacility(facilityId: "${id}") { state }`,
      `writeOffFacility(facilityId: "${id}") { state }`,
      `recoverFacility(input: { facilityId: "${id}", amount: "1.00" }) { state }`,
      `approveFacilityLoss(lossProposalId: "lsp_x") { state }`,
      `rejectFacilityLoss(lossProposalId: "lsp_x") { state }`,
    ]
    for (const document of documents) {
      expect((await mutate(document, options)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    expect((await propose(id, 'CHARGE_OFF', options)).code).toBe('NOT_FOR_DELEGATED_USERS')
    const read = 'query { lossProposals { nodes { lossProposalId } } }'
    expect((await bank.execute(read, {}, options)).code).toBe('NOT_FOR_DELEGATED_USERS')
  })
})

describe('loss proposal', () => {
  test('is booked when another person approves it', async () => {
    const id = await aLentLoan('12000.00')
    const proposed = (await propose(id, 'CHARGE_OFF')).data.answer
    expect(proposed).toMatchObject({
      state: 'PROPOSED',
      amount: { amount: '12000.00' },
      proposedBy: 'officer',
      decidedBy: null,
      facility: { state: 'ACTIVE' },
    })
    const { lossProposalId } = proposed
    expect((await propose(id, 'CHARGE_OFF')).code).toBe('RESOURCE_EXISTS')
    expect((await decide('approve', lossProposalId, officer)).code).toBe('SEGREGATION_OF_DUTIES')
    expect((await facilityOf(bank, id)).state).toBe('ACTIVE')
    expect((await decide('approve', lossProposalId)).data.answer).toMatchObject({
      state: 'APPROVED',
      decidedBy: 'manager',
      facility: { state: 'CHARGED_OFF' },
    })
    expect((await decide('approve', lossProposalId)).code).toBe('INVALID_STATE_TRANSITION')
    const writtenOff = (await propose(id, 'WRITE_OFF')).data.answer
    await decide('approve', writtenOff.lossProposalId)
    expect((await facilityOf(bank, id)).state).toBe('WRITTEN_OFF')
    expect(await eventsOf(bank, `loss-proposal/${lossProposalId}`)).toEqual([
      'proposed',
      'approved',
    ])
    expect(await findings(bank)).toEqual([])
  })

  test('changes nothing when it is rejected, and leaves room for another', async () => {
    const id = await aLentLoan('12000.00')
    const { lossProposalId } = (await propose(id, 'CHARGE_OFF')).data.answer
    expect((await decide('reject', lossProposalId, officer)).code).toBe('SEGREGATION_OF_DUTIES')
    expect((await decide('reject', lossProposalId)).data.answer.state).toBe('REJECTED')
    expect((await facilityOf(bank, id)).state).toBe('ACTIVE')
    expect((await propose(id, 'CHARGE_OFF')).errors).toEqual([])
    expect((await decide('approve', 'lsp_absent')).code).toBe('LOSS_PROPOSAL_NOT_FOUND')
  })

  test('is found by its id and in the list of its facility', async () => {
    const id = await aLentLoan('12000.00')
    const { lossProposalId } = (await propose(id, 'CHARGE_OFF')).data.answer
    const { data } = await bank.execute(
      `query ($id: ID!, $facilityId: ID!) { lossProposal(lossProposalId: $id) { reason action }
        lossProposals(facilityId: $facilityId, state: PROPOSED) { nodes { lossProposalId } } }`,
      { id: lossProposalId, facilityId: id },
    )
    expect(data).toEqual({
      lossProposal: { reason, action: 'CHARGE_OFF' },
      lossProposals: { nodes: [{ lossProposalId }] },
    })
  })
})

test('a charge-off for arrears needs no reason and takes the debt off the books', async () => {
  const other = await aLender()
  const send = (document: string) =>
    other.execute(`mutation { facility: ${document} { state } }`, {}, { caller: officer })
  const facilityId = 'loan_lost'
  await opened(other, aLoan({ facilityId, limit: eur('900.00') }))
  // Nothing is collected, so that the borrower misses the first installment.
  await other.rows('update lending.facility set settlement_arrangement_id = null')
  await morningOf(other, '2026-04-12')
  expect((await facilityOf(other, facilityId)).state).toBe('IN_ARREARS')
  const lost = (await send(`chargeOffFacility(facilityId: "${facilityId}")`)).data.facility
  expect(lost.state).toBe('CHARGED_OFF')
  for (const address of ['principal', 'accrued', 'interest-due']) {
    expect(await booked(other, `loan@${facilityId}`, address)).toBe(0)
  }
  const loss = await booked(other, 'loan-losses/EUR')
  expect(loss).toBeGreaterThan(89_900)
  const back = `recoverFacility(input: { facilityId: "${facilityId}", amount: "500.00", sourceArrangementId: "arr_ada" })`
  expect((await send(back)).data.facility.state).toBe('CHARGED_OFF')
  expect(await booked(other, 'loan-losses/EUR')).toBe(loss - 50_000)
  expect((await send(`writeOffFacility(facilityId: "${facilityId}")`)).errors).toEqual([])
  expect(await findings(other)).toEqual([])
  await morningOf(other, '2026-06-12')
  expect((await facilityOf(other, facilityId)).state).toBe('WRITTEN_OFF')
  await other.drop()
})
