import { expect } from 'vitest'
import { lending } from '../../../subgraphs/lending/index.ts'
import { aSubgraph, type Answer, type RunningSubgraph } from '../../kit/subgraph.ts'

const scheduleDocument = `query ($input: RepaymentScheduleInput!) {
  repaymentSchedule(input: $input) {
    installments { number dueDate payment interest principal balance } totalInterest totalPayment } }`
const rateDocument = `query ($input: AnnualPercentageRateInput!) {
  annualPercentageRate(input: $input) { percent } }`

/** The lending subgraph with its two calculators. */
export interface RunningLending extends RunningSubgraph {
  previewSchedule(input: object): Promise<Answer>
  previewRate(input: object): Promise<Answer>
}

export async function aLendingSubgraph(): Promise<RunningLending> {
  const running = await aSubgraph(lending)
  return {
    ...running,
    previewSchedule: (input) => running.execute(scheduleDocument, { input }),
    previewRate: (input) => running.execute(rateDocument, { input }),
  }
}

/** The pointers and codes of a validation error; asserts that the response holds nothing else. */
export function faults({ data, errors, code }: Answer): string[] {
  expect(Object.values(data ?? {})).not.toContainEqual(expect.anything())
  expect(errors).toHaveLength(1)
  expect(code).toBe('VALIDATION_FAILED')
  const faultList = (errors[0]!.extensions!['errors'] ?? []) as { pointer: string; code: string }[]
  return faultList.map(({ pointer, code }) => `${pointer} ${code}`)
}
