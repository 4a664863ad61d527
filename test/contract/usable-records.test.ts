/**
 * A collateral and a routing profile that were created over REST with only the documented members can
 * be used: GraphQL lists what is missing, and supplying it is enough.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { aSampleBank, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live')
})
afterAll(() => bank.stop())

async function created(path: string, body: object): Promise<any> {
  const answer = await bank.rest('POST', path, body)
  expect(answer, answer.text).toMatchObject({ status: 200, body })
  return answer.body
}

describe('collateral created over REST', () => {
  const read = `query ($id: ID!) { collateral(collateralId: $id) { missing status
    owners { partyId sharePct } } }`
  const collateral = async (id: string) => (await bank.act(read, { id })).collateral

  async function aCoveredFacility(): Promise<string> {
    const id = unique('fac')
    await bank.act(
      `mutation ($id: ID!) { openFacility(input: { facilityId: $id, customerId: "cus_ada",
        kind: REVOLVING, limit: { amount: "1000.00", currency: "EUR" }, ratePct: "7.4",
        requiredCoveragePct: "100", settlementArrangementId: "arr_money" }) { facilityId } }`,
      { id },
    )
    return id
  }

  const value = `mutation ($id: ID!) { valueCollateral(input: { collateralId: $id,
    method: APPRAISAL, marketValue: { amount: "500000.00", currency: "EUR" } }) { missing } }`
  const perfect = `mutation ($id: ID!) { perfectCollateral(input: { collateralId: $id,
    registry: "Land register" }) { missing } }`
  const allocate = `mutation ($id: ID!, $facilityId: ID!) { allocateCollateral(input: {
    collateralId: $id, facilityId: $facilityId }) { missing } }`

  test.each([
    { status: 'active', missing: ['OWNER', 'VALUATION', 'ALLOCATION'] },
    { status: 'proposed', missing: ['OWNER', 'VALUATION', 'PERFECTION', 'ALLOCATION'] },
  ])('created as $status, covers a drawdown once nothing is missing', async (start) => {
    const { status, missing } = start
    const { collateralId: id } = await created('/collateral', {
      collateralId: unique('col'),
      collateralType: 'real-estate',
      status,
    })
    expect(await collateral(id)).toMatchObject({ missing, owners: [] })
    const facilityId = await aCoveredFacility()
    const draw = () =>
      bank.rest('POST', `/facilities/${facilityId}/drawdowns`, { amount: '100.00' })
    expect((await draw()).body.code).toBe('INSUFFICIENT_COLLATERAL')

    await bank.act(value, { id })
    if (status === 'proposed') await bank.act(perfect, { id })
    expect((await collateral(id)).missing).toEqual(['OWNER', 'ALLOCATION'])
    await bank.act(allocate, { id, facilityId })

    const owners = [{ partyId: 'pty_ada', sharePct: '100' }]
    expect(await collateral(id)).toEqual({ missing: [], status: 'ACTIVE', owners })
    const drawn = await draw()
    expect(drawn.status, drawn.text).toBe(200)
  })
})

describe('routing profiles created over REST', () => {
  const read = `query ($id: ID!) { routingProfile(routingProfileId: $id) { missing status
    queues { queueId channel } mediaConcurrencies { channel concurrency } } }`
  const profile = async (id: string) => (await bank.act(read, { id })).routingProfile
  const route = async (routingProfileId: string, channel: string) =>
    (
      await bank.act(`mutation { routeInteraction(input: { channel: ${channel}, partyId: "pty_ada",
        routingProfileId: "${routingProfileId}", subject: "A lost card" }) {
        interactionId status queueId agentId } }`)
    ).routeInteraction
  const hire = async (routingProfileId: string) => {
    const agentId = unique('agt')
    await bank.act(`mutation { createAgent(input: { agentId: "${agentId}", name: "Mary",
      status: "available", routingProfileId: "${routingProfileId}" }) { agentId } }`)
    return agentId
  }
  const media = ['VOICE', 'CHAT', 'TASK', 'EMAIL', 'SECURE_MESSAGE']

  test('an interaction waits in the default queue until the first agent arrives', async () => {
    const { routingProfileId: id } = await created('/routing-profiles', {
      routingProfileId: unique('rtp'),
      name: unique('Retail'),
      status: 'active',
    })
    expect(await profile(id)).toEqual({
      missing: ['AGENT'],
      status: 'ACTIVE',
      queues: media.map((channel) => ({ queueId: 'que_default', channel })),
      mediaConcurrencies: media.map((channel) => ({ channel, concurrency: 1 })),
    })
    const waiting = await route(id, 'VOICE')
    expect(waiting).toMatchObject({ status: 'WAITING', queueId: 'que_default', agentId: null })

    const agentId = await hire(id)
    expect((await profile(id)).missing).toEqual([])
    const assigned = await eventually(async () => {
      const { interaction } = await bank.act(
        'query ($id: ID!) { interaction(interactionId: $id) { status agentId } }',
        { id: waiting.interactionId },
      )
      return interaction.status === 'ASSIGNED' && interaction
    })
    expect(assigned).toEqual({ status: 'ASSIGNED', agentId })
  })

  test.each(media)(
    'a %s interaction is assigned to an available agent at once',
    async (channel) => {
      const body = { name: unique('Retail') }
      const { routingProfileId: id } = await created('/routing-profiles', body)
      await hire(id)
      const routed = await route(id, channel)
      expect(routed).toMatchObject({ status: 'ASSIGNED', queueId: 'que_default' })
    },
  )

  test('a draft can be activated in GraphQL', async () => {
    const body = { name: unique('Draft'), status: 'draft' }
    const { routingProfileId: id } = await created('/routing-profiles', body)
    await hire(id)
    expect((await profile(id)).missing).toEqual(['ACTIVATION'])
    await bank.act(
      'mutation ($id: ID!) { activateRoutingProfile(routingProfileId: $id) { name } }',
      {
        id,
      },
    )
    expect((await profile(id)).missing).toEqual([])
  })
})
