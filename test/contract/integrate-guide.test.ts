// Runs the commands of the guide to the REST operations exactly as printed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { blocksOf, staffToken, stepsOf } from './guide-kit.ts'

describe('integrate-over-rest.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const [register] = stepsOf('integrate-over-rest.md', bank)
    const person = { token: bank.token({ subject: 'olga' }) }
    const { body } = await bank.graph(register!.query, {}, person)
    const { secret: CLIENT_SECRET, client } = body.data.registerOAuthClient
    const { clientId: CLIENT_ID } = client
    const run = async (command: string, TOKEN = '', LOAN_ID = '') => {
      const env = {
        ...process.env,
        CLIENT_ID,
        CLIENT_SECRET,
        TOKEN,
        LOAN_ID,
        LIAM: staffToken(bank, 'liam'),
        BANKGRAPH_URL: `${bank.url}/v1`,
        BANKGRAPH_TOKEN: bank.token(),
      }
      return (await promisify(execFile)('bash', ['-c', command], { cwd: projectRoot, env })).stdout
    }
    const blocks = blocksOf('integrate-over-rest.md', 'sh', bank)
    const [token, notify, fault, list, arrays, ...lending] = blocks
    const { access_token: good, expires_in: seconds } = JSON.parse(await run(token!))
    expect(seconds).toBe(600)
    const first = await run(notify!, good)
    expect(first).toMatch(/^HTTP\/1.1 201/)
    const again = await run(notify!, good)
    expect(again).toMatch(/idempotent-replayed: true/i)
    expect(again.split('\r\n\r\n')[1]).toBe(first.split('\r\n\r\n')[1])
    expect(JSON.parse(await run(fault!, good))).toMatchObject({
      code: 'VALIDATION_FAILED',
      retryable: false,
      requestId: expect.any(String),
      errors: [{ pointer: '/channel' }],
    })
    const reused = fault!.replace('order-4712', 'order-4711').replace('"fax"', '"email"')
    expect(JSON.parse(await run(reused, good))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      status: 422,
    })
    const { items, pagination } = JSON.parse(await run(list!, good))
    expect(items).toHaveLength(2)
    const next = list!.replace('pageSize=2', `pageSize=2&pageToken=${pagination.nextPageToken}`)
    expect(JSON.parse(await run(next, good)).items).toHaveLength(2)

    // A key belongs to an operation: another one can have it.
    const [submit, decide, accept, booked, draw] = lending as string[]
    const elsewhere = submit!.replace('submit-1', 'order-4711').replace('app_shop_1', 'app_shop_0')
    expect(JSON.parse(await run(elsewhere, good)).status).toBe('submitted')

    const seen: string[] = []
    for (let command = arrays!; command;) {
      const [head, page] = (await run(command, good)).split('\r\n\r\n') as [string, string]
      seen.push(...JSON.parse(page).map(({ arrangementId }: any) => arrangementId))
      const [, address] = /^link: <(\S+)>; rel="next"/im.exec(head) ?? []
      command = address ? arrays!.replace('/v1/accounts?pageSize=2', address) : ''
    }
    expect(seen).toEqual(expect.arrayContaining(['arr_ada_current', 'arr_grace_deposit']))
    expect(new Set(seen).size).toBe(seen.length)

    expect(JSON.parse(await run(submit!, good))).toMatchObject({ status: 'submitted' })
    const { applicationStatus, loanId } = JSON.parse(await run(decide!, good))
    expect(applicationStatus).toBe('approved')
    expect(JSON.parse(await run(accept!, good)).status).toBe('accepted')
    const loan = await eventually(async () => {
      const { data, errors } = JSON.parse(await run(booked!, good))
      expect(errors).toBeUndefined()
      return data.loanApplication.status === 'BOOKED' && data.loanApplication
    })
    expect(loan).toEqual({
      status: 'BOOKED',
      loanId,
      facility: { state: 'APPROVED', outstandingPrincipal: { amount: '0.00' } },
    })
    expect(JSON.parse(await run(draw!, good, loanId))).toMatchObject({
      status: 'disbursed',
      nextInstalment: { dueDate: expect.any(String) },
    })
  })

  test('the latest decision applies until a decline, as the guide says', async () => {
    const [submit, decide] = blocksOf('integrate-over-rest.md', 'sh', bank).slice(5)
    const post = async (command: string, body: object | null, key: string) => {
      const [, path] = /4001(\S+)|:\d+(\/v1\S+)/.exec(command)!.filter(Boolean)
      const [, printed] = /-d '(\{.*\})'/.exec(command)!
      const token = path!.endsWith('/decision') ? staffToken(bank, 'liam') : bank.token()
      const at = path!.replace('app_shop_1', 'app_shop_2')
      return bank.rest('POST', at, body ?? JSON.parse(printed!), { token, key })
    }
    const decline = { outcome: 'declined', reasons: [{ code: 'income-insufficient' }] }
    const answers = [
      await post(submit!, null, 'submit-2'),
      await post(decide!, null, 'decide-2'),
      await post(decide!, decline, 'decide-3'),
      await post(decide!, null, 'decide-4'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409])
    expect(answers[3]!.body.code).toBe('APPLICATION_ALREADY_DECIDED')
  })
})
