import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFailedLogIn } from '../../../subgraphs/_kernel/failed-log-ins.ts'
import { aPlatform, eventually, type Platform } from '../../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox')
})
afterAll(() => bank.stop())

test('wrong client secrets are in the audit of refusals', async () => {
  const { clientId, tokenEndpoint } = bank.credentials
  for (let n = 0; n < 3; n++) {
    await fetch(tokenEndpoint, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:wrong`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
  }
  const refusals = await eventually(async () => {
    const { body } = await bank.graph(
      '{ auditRefusals(first: 50) { nodes { operation code resourceId count } } }',
    )
    const found = body.data?.auditRefusals.nodes.filter(
      ({ code }: { code: string }) => code === 'CLIENT_AUTHENTICATION_FAILED',
    )
    return found?.length > 0 && found
  })
  expect(refusals).toMatchObject([{ operation: 'POST /oauth/token', resourceId: clientId }])
})

test('ten failed log-ins to one name are an event of the person, and in the audit of refusals', async () => {
  for (let count = 1; count <= 10; count++) {
    const failure = { kind: 'person', name: 'ada', partyId: 'pty_ada', isThrottled: false } as const
    recordFailedLogIn(bank.bank, { ...failure, count })
  }
  const event = await eventually(async () => {
    const { body } = await bank.graph(
      '{ businessEvents(first: 50, types: ["operations.log-in.failed-repeatedly"]) { nodes { type data } } }',
    )
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data?.businessEvents.nodes[0]
  })
  expect(event.data).toMatchObject({ username: 'ada', failures: 10 })
  const failed = await eventually(async () => {
    const { body } = await bank.graph(
      '{ auditRefusals(first: 50) { nodes { code resourceId count } } }',
    )
    return body.data.auditRefusals.nodes.find(({ code }: any) => code === 'LOG_IN_FAILED')
  })
  expect(failed).toMatchObject({ resourceId: 'ada' })
})
