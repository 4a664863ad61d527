import { expect } from 'vitest'
import { aCaller, type Answer, type Desk, type RunningSubgraph } from '../../kit/subgraph.ts'
import { publish } from './facility-kit.ts'

/** Somebody of the bank who submits nothing. */
export const assessor = aCaller({ clientId: 'assessor' })

const money = '{ amount currency }'
const effect = `before { instalment ${money} maturityDate totalInterest ${money} }
  after { instalment ${money} maturityDate totalInterest ${money} }`

export const extraFields = `extraPaymentId facilityId amount ${money} status paymentDate strategy
  allocation { overdue ${money} interest ${money} principal ${money} } prepaymentFee ${money} ${effect}
  interestSaved ${money} scheduleVersion postingInstructionId reasonCode reference note source { arrangementId }`
export const holidayFields = `paymentHolidayId facilityId hardshipRequestId status startDate endDate
  affectedInstalments { number dueDate } type interestTreatment termTreatment reason reasonCode ${effect}
  additionalCost ${money} scheduleVersion`
export const hardshipFields = `hardshipRequestId loanId type reason requestedStartDate requestedEndDate status
  submittedAt decisionDueBy decidedAt declineReasons paymentHolidayId ${effect} scheduleVersion case { caseId }`
const lines = 'instalments { number dueDate payment interest principal balance }'

const create =
  (name: string, input: string, fields: string) =>
  (bank: Desk, asked: object, options: object = {}): Promise<Answer> =>
    bank.execute(
      `mutation ($input: ${input}!) { record: ${name}(input: $input) { ${fields} } }`,
      { input: asked },
      options,
    )

export const payExtra = create('createExtraPayment', 'CreateExtraPaymentInput', extraFields)
export const pause = create('createPaymentHoliday', 'CreatePaymentHolidayInput', holidayFields)
export const plead = create('createHardshipRequest', 'CreateHardshipRequestInput', hardshipFields)
const reviewing = create('reviewHardshipRequest', 'ReviewHardshipRequestInput', hardshipFields)

/** Somebody else of the bank than submits things. */
export const review = (bank: Desk, asked: object, options: object = { caller: assessor }) =>
  reviewing(bank, asked, options)

export const previewExtra = (bank: Desk, input: object, options: object = {}) =>
  bank.execute(
    `query ($input: CreateExtraPaymentInput!) { preview: extraPaymentPreview(input: $input) {
      facilityId amount ${money} paymentDate strategy allocation { overdue ${money} interest ${money} principal ${money} }
      prepaymentFee ${money} ${effect} interestSaved ${money} ${lines} } }`,
    { input },
    options,
  )

export const previewPause = (bank: Desk, input: object) =>
  bank.execute(
    `query ($input: CreatePaymentHolidayInput!) { preview: paymentHolidayPreview(input: $input) {
      facilityId startDate endDate affectedInstalments { number dueDate } type interestTreatment termTreatment
      ${effect} additionalCost ${money} ${lines} } }`,
    { input },
  )

export const previewRelief = (bank: Desk, id: string, relief: object, options: object = {}) =>
  bank.execute(
    `query ($id: ID!, $relief: HardshipReliefInput!) {
      preview: hardshipReliefPreview(hardshipRequestId: $id, relief: $relief) { ${effect} additionalCost ${money} ${lines} } }`,
    { id, relief },
    options,
  )

const actions = {
  extraPayment: extraFields,
  paymentHoliday: holidayFields,
  hardshipRequest: hardshipFields,
}

/** Does something to one record by its id. */
export const does = (
  bank: Desk,
  name: string,
  kind: keyof typeof actions,
  id: string,
  options: object = {},
) =>
  bank.execute(
    `mutation ($id: ID!) { record: ${name}(${kind}Id: $id) { ${actions[kind]} } }`,
    { id },
    options,
  )

export const read = (bank: Desk, kind: keyof typeof actions, id: string, options: object = {}) =>
  bank.execute(
    `query ($id: ID!) { record: ${kind}(${kind}Id: $id) { ${actions[kind]} } }`,
    { id },
    options,
  )

/** Creates and answers the record; fails the test when it is refused. */
export async function made(answer: Promise<Answer>) {
  const { data, errors } = await answer
  expect(errors).toEqual([])
  return data.record
}

/** A product whose active version has these parameters. */
export const aProduct = (
  bank: RunningSubgraph,
  productId: string,
  parameters: Record<string, string>,
) =>
  publish(bank, `product/${productId}`, {
    productId,
    versions: [
      {
        version: '2026.1',
        status: 'active',
        parameters: Object.entries(parameters).map(([name, value]) => ({ name, default: value })),
      },
    ],
  })
