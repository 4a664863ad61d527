import { expect } from 'vitest'
import {
  aCaller,
  employee,
  type Answer,
  type TestBank,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'
import { publish } from './facility-kit.ts'

/** An employee who submits no requests, so that four-eyes checks pass. */
export const assessor = aCaller({ subject: 'assessor' })

const money = '{ amount currency }'
const effect = `before { installment ${money} maturityDate totalInterest ${money} }
  after { installment ${money} maturityDate totalInterest ${money} }`

export const extraFields = `extraPaymentId facilityId amount ${money} status paymentDate strategy
  allocation { overdue ${money} interest ${money} principal ${money} } prepaymentFee ${money} ${effect}
  interestSaved ${money} scheduleVersion postingInstructionId reasonCode reference note source { arrangementId }`
export const holidayFields = `paymentHolidayId facilityId hardshipRequestId status startDate endDate
  affectedInstallments { number dueDate } type interestTreatment termTreatment reason reasonCode ${effect}
  additionalCost ${money} scheduleVersion`
export const hardshipFields = `hardshipRequestId loanId type reason requestedStartDate requestedEndDate status
  submittedAt decisionDueBy decidedAt declineReasons paymentHolidayId ${effect} scheduleVersion case { caseId }`
const lines = 'installments { number dueDate payment interest principal balance }'

const create =
  (name: string, input: string, fields: string) =>
  (bank: TestBank, request: object, options: object = {}): Promise<Answer> =>
    bank.execute(
      `mutation ($input: ${input}!) { record: ${name}(input: $input) { ${fields} } }`,
      { input: request },
      options,
    )

export const payExtra = create('createExtraPayment', 'CreateExtraPaymentInput', extraFields)
export const createHoliday = create(
  'createPaymentHoliday',
  'CreatePaymentHolidayInput',
  holidayFields,
)
export const createHardshipRequest = create(
  'createHardshipRequest',
  'CreateHardshipRequestInput',
  hardshipFields,
)
const reviewing = create('reviewHardshipRequest', 'ReviewHardshipRequestInput', hardshipFields)

/** Reviews as a different employee from the one who submits. */
export const review = (bank: TestBank, request: object, options: object = { caller: assessor }) =>
  reviewing(bank, request, options)

export const previewExtra = (bank: TestBank, input: object, options: object = {}) =>
  bank.execute(
    `query ($input: CreateExtraPaymentInput!) { preview: extraPaymentPreview(input: $input) {
      facilityId amount ${money} paymentDate strategy allocation { overdue ${money} interest ${money} principal ${money} }
      prepaymentFee ${money} ${effect} interestSaved ${money} ${lines} } }`,
    { input },
    options,
  )

export const previewPause = (bank: TestBank, input: object) =>
  bank.execute(
    `query ($input: CreatePaymentHolidayInput!) { preview: paymentHolidayPreview(input: $input) {
      facilityId startDate endDate affectedInstallments { number dueDate } type interestTreatment termTreatment
      ${effect} additionalCost ${money} ${lines} } }`,
    { input },
  )

export const previewRelief = (bank: TestBank, id: string, relief: object, options: object = {}) =>
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

/** Runs a command on one record by its id. */
export const does = (
  bank: TestBank,
  name: string,
  kind: keyof typeof actions,
  id: string,
  options: object = { caller: employee },
) =>
  bank.execute(
    `mutation ($id: ID!) { record: ${name}(${kind}Id: $id) { ${actions[kind]} } }`,
    { id },
    options,
  )

export const read = (
  bank: TestBank,
  kind: keyof typeof actions,
  id: string,
  options: object = {},
) =>
  bank.execute(
    `query ($id: ID!) { record: ${kind}(${kind}Id: $id) { ${actions[kind]} } }`,
    { id },
    options,
  )

/** Returns the created record; fails the test when the request was rejected. */
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
