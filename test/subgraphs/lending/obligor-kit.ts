import { expect } from 'vitest'
import { aCaller, employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aLender, aLoan, draw, opened, publish } from './facility-kit.ts'
import { anAccount } from '../payments/kit.ts'

/** Ada borrows, Grace owes with her, and Joe guarantees. */
export const joe = aCaller({ partyId: 'pty_joe' })
export const stranger = aCaller({ partyId: 'pty_stranger' })
export const manager = aCaller({ subject: 'manager' })

/** A lender with active parties, and an account of Joe. */
export async function aLenderWithParties(): Promise<RunningSubgraph> {
  const bank = await aLender('2026-04-03T09:00:00Z')
  for (const name of ['ada', 'grace', 'joe', 'stranger']) {
    await publish(bank, `party/pty_${name}`, { status: 'active' })
  }
  await publish(bank, 'party/pty_dead', { status: 'deceased' })
  await publish(bank, 'party/pty_closed', { status: 'closed' })
  await anAccount(bank, 'arr_joe')
  const account = { arrangementId: 'arr_joe', partyId: 'pty_joe', currency: 'EUR' }
  await publish(bank, 'arrangement/arr_joe', account)
  return bank
}

let serial = 0

/** A loan of 12,000.00 of Ada that nobody repays unless the test does. */
export async function aLoanOfAda(bank: RunningSubgraph): Promise<string> {
  const facilityId = `loan_obligor_${++serial}`
  await opened(bank, aLoan({ facilityId, settlementArrangementId: null, disburse: false }))
  const destination = { arrangementId: 'arr_ada' }
  const { errors } = await draw(bank, { facilityId, amount: '12000.00', destination })
  expect(errors).toEqual([])
  return facilityId
}

export const obligorFields = `obligorId role status percentage validUntil documentId endedAt
  addedBy releaseReason releaseProposedBy releaseDecidedBy
  party { partyId } facility { facilityId } amount { amount } guaranteed { amount currency }`

export const aGuarantor = (facilityId: string, more: object = {}) => ({
  facilityId,
  partyId: 'pty_joe',
  role: 'GUARANTOR',
  amount: '5000.00',
  documentId: 'doc_guarantee',
  ...more,
})
export const aCoBorrower = (facilityId: string, more: object = {}) => ({
  facilityId,
  partyId: 'pty_grace',
  role: 'CO_BORROWER',
  ...more,
})

export const add = (bank: RunningSubgraph, input: object, options: object = { caller: employee }) =>
  bank.execute(
    `mutation ($input: AddFacilityObligorInput!) {
      it: addFacilityObligor(input: $input) { ${obligorFields} } }`,
    { input },
    options,
  )

export async function added(bank: RunningSubgraph, input: object) {
  const { data, errors } = await add(bank, input)
  expect(errors).toEqual([])
  return data.it
}

export const obligorOf = async (bank: RunningSubgraph, id: string, options: object = {}) => {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { it: facilityObligor(obligorId: $id) { ${obligorFields} } }`,
    { id },
    options,
  )
  expect(errors).toEqual([])
  return data.it
}

const mutation = (name: string, key: string, more = '') =>
  `mutation ($id: ID!) { it: ${name}(${key}: $id${more}) { status } }`

export const propose = (
  bank: RunningSubgraph,
  id: string,
  options: object = { caller: employee },
) =>
  bank.execute(
    mutation('proposeObligorRelease', 'obligorId', ', reason: "The loan is secured"'),
    { id },
    options,
  )
export const decide = (
  bank: RunningSubgraph,
  decision: 'approve' | 'reject',
  id: string,
  options: object = { caller: manager },
) => bank.execute(mutation(`${decision}ObligorRelease`, 'obligorId'), { id }, options)

const callFields = `guaranteeCallId status dueOn createdAt amount { amount } received { amount }
  obligor { obligorId guaranteed { amount } }`

export const call = (
  bank: RunningSubgraph,
  input: object,
  options: object = { caller: employee },
) =>
  bank.execute(
    `mutation ($input: CallGuaranteeInput!) { it: callGuarantee(input: $input) { ${callFields} } }`,
    { input },
    options,
  )
export async function called(bank: RunningSubgraph, input: object) {
  const { data, errors } = await call(bank, input)
  expect(errors).toEqual([])
  return data.it
}
export const callOf = async (bank: RunningSubgraph, id: string, options: object = {}) => {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { it: guaranteeCall(guaranteeCallId: $id) { ${callFields} } }`,
    { id },
    options,
  )
  expect(errors).toEqual([])
  return data.it
}
export const withdrawCall = (bank: RunningSubgraph, id: string) =>
  bank.execute(
    mutation('withdrawGuaranteeCall', 'guaranteeCallId', ', reason: "Paid by the borrower"'),
    { id },
    { caller: employee },
  )

export const codeOf = ({ errors }: { errors: any[] }): string | undefined =>
  errors[0]?.extensions?.code
export const pointersOf = ({ errors }: { errors: any[] }) =>
  errors[0]?.extensions?.errors?.map(({ pointer, code }: any) => `${pointer} ${code}`)
