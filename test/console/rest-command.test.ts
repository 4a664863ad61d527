import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restCommand, type OpenApi } from '../../console/src/app/curl.ts'
import type { RecordedOperation } from '../../console/src/graph/record.ts'
import { aSampleBank, type SampleBank } from '../contract/kit.ts'

let bank: SampleBank
let api: OpenApi
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  api = (await (await fetch(`${bank.url}/openapi.json`)).json()) as OpenApi
})
afterAll(() => bank.stop())

const recorded = (kind: string, text: string, variables: object) =>
  ({ kind, text, variables }) as RecordedOperation

/** Runs a command as a developer would who pasted it into a shell. */
async function run(command: string | null): Promise<any> {
  const env = { ...process.env, TOKEN: bank.token() }
  const { stdout } = await promisify(execFile)('bash', ['-c', `${command} -s`], { env })
  return JSON.parse(stdout)
}

test('a command that the console showed does the same over REST', async () => {
  const input = {
    arrangementId: 'arr_money',
    direction: 'in',
    amount: { amount: '1.25', currency: 'EUR' },
    remittanceInformation: "Ada's tea",
  }
  const text = 'mutation Pay($input: X!) { createPostingInstruction(input: $input) { status } }'
  const result = await run(restCommand(recorded('mutation', text, { input }), api))
  expect(result).toMatchObject({ amount: input.amount })
  const query = `{ entries(newestFirst: true, first: 1) {
    nodes { amount remittanceInformation } } }`
  const account = await bank.act(`{ accountArrangement(arrangementId: "arr_money") ${query} }`)
  expect(account.accountArrangement.entries.nodes).toEqual([
    { amount: '1.25', remittanceInformation: input.remittanceInformation },
  ])
})

test('names of states are written as REST writes them, and path members are filled in', () => {
  const text = 'mutation Send { createNotification(input: $input) { status } }'
  const notification = {
    partyId: 'pty_ada',
    channel: 'SECURE_MESSAGE',
    templateCode: 'tpl_welcome',
  }
  const sent = restCommand(recorded('mutation', text, { input: notification }), api)
  expect(sent).toContain('"channel":"secure-message"')
  const relief = 'mutation Pause { createPaymentHoliday(input: $input) { status } }'
  const holiday = { facilityId: 'loan_1', startDate: '2026-01-01' }
  const paused = restCommand(recorded('mutation', relief, { input: holiday }), api)
  expect(paused).toContain('/facilities/loan_1/payment-holidays')
  expect(paused).not.toContain('"facilityId"')
})

test('a list is the same page of the same records, and other operations have no command', async () => {
  const text = 'query Accounts { accountArrangements(customerId: $customerId) { nodes { state } } }'
  const variables = { customerId: 'cus_ada', first: 1, after: null }
  const accounts = await run(restCommand(recorded('query', text, variables), api))
  expect(accounts).toHaveLength(1)
  const other = recorded('query', 'query { collaterals { nodes { collateralId } } }', {})
  expect(restCommand(other, api)).toBeNull()
})
