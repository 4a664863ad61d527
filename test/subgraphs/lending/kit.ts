import { expect } from 'vitest'
import { lending } from '../../../subgraphs/lending/index.ts'
import { aSubgraph, type Answer, type RunningSubgraph } from '../../kit/subgraph.ts'

const scheduleDocument = `query ($input: RepaymentScheduleInput!) {
  repaymentSchedule(input: $input) {
    instalments { number dueDate payment interest principal balance } totalInterest totalPayment } }`
const rateDocument = `query ($input: AnnualPercentageRateInput!) {
  annualPercentageRate(input: $input) { percent } }`

/** The lending subgraph, asked as a test asks it. */
export interface RunningLending extends RunningSubgraph {
  askSchedule(input: object): Promise<Answer>
  askRate(input: object): Promise<Answer>
}

export async function aLendingSubgraph(): Promise<RunningLending> {
  const running = await aSubgraph(lending)
  return {
    ...running,
    askSchedule: (input) => running.execute(scheduleDocument, { input }),
    askRate: (input) => running.execute(rateDocument, { input }),
  }
}

/** The places and codes of what was wrong; the answer is nothing but that. */
export function faults({ data, errors, code }: Answer): string[] {
  expect(Object.values(data ?? {})).not.toContainEqual(expect.anything())
  expect(errors).toHaveLength(1)
  expect(code).toBe('VALIDATION_FAILED')
  const told = (errors[0]!.extensions!['errors'] ?? []) as { pointer: string; code: string }[]
  return told.map(({ pointer, code }) => `${pointer} ${code}`)
}
