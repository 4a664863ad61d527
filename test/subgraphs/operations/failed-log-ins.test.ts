import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordFailedLogin } from '../../../kernel/authorization/failed-log-ins.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { seedFixtures } from '../../../host/fixtures.ts'
import { sendLogInAlerts } from '../../../subgraphs/notifications/workers/log-in-alerts.ts'
import { aPlatform, eventually, theGraph, type Platform } from '../../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox')
})
afterAll(() => bank.stop())

test('records wrong client secrets in the refusal audit', async () => {
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

test('emits an event after ten failed log-ins under one name, and records them in the refusal audit', async () => {
  for (let count = 1; count <= 10; count++) {
    const failure = { kind: 'person', name: 'ada', partyId: 'pty_ada', isThrottled: false } as const
    recordFailedLogin(bank.bank, { ...failure, count })
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

describe('log-in alert', () => {
  const tries = (name: string, partyId: string, counts: number[]) => {
    for (const count of counts) {
      recordFailedLogin(bank.bank, { kind: 'person', name, partyId, isThrottled: false, count })
    }
  }
  const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
  const alertsOf = async (partyId: string): Promise<any[]> => {
    const { body } = await bank.graph(
      `{ party(partyId: "${partyId}") { notifications(first: 50) { nodes { templateCode channel status } } } }`,
    )
    return body.data.party.notifications.nodes.filter(
      ({ templateCode }: any) => templateCode === 'tpl_log_in_alert',
    )
  }
  const alertEvents = async (count: number) =>
    eventually(async () => {
      const { body } = await bank.graph(
        '{ businessEvents(first: 50, types: ["operations.log-in.failed-repeatedly"]) { nodes { position } } }',
      )
      return body.data.businessEvents.nodes.length >= count && body.data.businessEvents.nodes
    })
  /** Runs the worker until it has processed every event. */
  const work = async () => {
    while ((await sendLogInAlerts.run(bankContext(bank.bank))) > 0);
  }

  beforeAll(async () => {
    await seedFixtures(await theGraph(), bank.bank)
    await work()
  }, 60_000)

  test('is sent once per series of failures, over a channel that reaches the person, and is delivered', async () => {
    tries('ada', 'pty_ada', upTo(35))
    await alertEvents(4)
    await work()
    expect(await alertsOf('pty_ada')).toMatchObject([{ channel: 'EMAIL' }])
    await eventually(async () => (await alertsOf('pty_ada'))[0].status === 'DELIVERED')
    const { rows } = await bank.bank.pool.query(
      "select * from notifications.mail where party_id = 'pty_ada' and subject = 'Failed log-ins to your account'",
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows[0])).toMatch(/10 times/)
    tries('ada', 'pty_ada', upTo(10))
    await alertEvents(5)
    await work()
    expect(await alertsOf('pty_ada')).toHaveLength(2)
  })

  test('is sent once when the process dies between the notification and its own checkpoint', async () => {
    const { commits } = bank.bank
    const { commit } = commits
    let pulled = 0
    commits.commit = (prepared) => {
      if (!prepared.statement.values.includes('notifications-log-in-alerts')) {
        return commit.call(commits, prepared)
      }
      pulled++
      return Promise.reject(new Error('The plug was pulled.'))
    }
    bank.bank.log.level = 'silent'
    tries('grace', 'pty_grace', upTo(10))
    await eventually(async () => pulled > 0 && (await alertsOf('pty_grace')).length === 1)
    commits.commit = commit
    await work()
    expect(await alertsOf('pty_grace')).toHaveLength(1)
  })
})
