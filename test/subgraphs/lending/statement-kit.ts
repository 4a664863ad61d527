import 'reflect-metadata'
import { expect } from 'vitest'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { ada, aLoan, draw, opened } from './facility-kit.ts'

const debt = 'principal interest lateFees defaultInterest chargedOff total'
const movement = `kind valueDate bookedAt text amount principal interest lateFees defaultInterest chargedOff fee
  balanceAfter ratePct drawdownId repaymentId extraPaymentId`

/** Reads the statements and certificates of a lender, and opens loans for them. */
export function statementKit(bank: () => RunningSubgraph) {
  const today = () => bank().bank.now().toISOString().slice(0, 10)
  async function read(facilityId: string, fields: string, caller = ada) {
    const { data, code } = await bank().execute(
      `{ facility(facilityId: "${facilityId}") { ${fields} } }`,
      {},
      { caller },
    )
    return { ...data?.facility, code }
  }
  const statement = async (facilityId: string, from: string, to = today()) =>
    (
      await read(
        facilityId,
        `statement(from: "${from}", to: "${to}") { from to currency opening { ${debt} } closing { ${debt} }
        movements { ${movement} } nextInstallment { dueDate payment { amount } } }`,
      )
    ).statement
  const certificate = async (facilityId: string, year: number) =>
    (
      await read(
        facilityId,
        `annualCertificate(year: ${year}) { year currency interestPaid lateFeesPaid defaultInterestPaid feesPaid
        principalRepaid recovered closing { ${debt} } isFinal }`,
      )
    ).annualCertificate
  const mutate = async (document: string) => {
    const { errors } = await bank().execute(`mutation { ${document} }`, {}, { caller: employee })
    expect(errors).toEqual([])
  }

  async function aLentLoan(facilityId: string, more: object = {}) {
    const input = { facilityId, productId: 'prd_late', settlementArrangementId: null, ...more }
    await opened(bank(), aLoan({ ...input, disburse: false }))
    const { data } = await draw(bank(), {
      facilityId,
      amount: '12000.00',
      destination: { arrangementId: 'arr_ada' },
    })
    return { drawdownId: data.drawdown.drawdownId, dueDate: data.drawdown.nextInstallment.dueDate }
  }

  return { today, read, statement, certificate, mutate, aLentLoan }
}
