import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, mutate, bank, tryMutation, openBank, eventsOf } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Opening hours of a channel', () => {
  test('rejects calls with the next opening time and accepts tasks, unless the channel is inactive', async () => {
    const hours = 'hours: { zone: "UTC", weekly: [{ day: TUESDAY, from: "09:00", to: "17:00" }] }'
    for (const medium of ['VOICE', 'TASK']) {
      const name = `${medium.toLowerCase()}_tuesdays`
      await mutate(
        `createChannel(input: { channelId: "${name}", name: "Tuesdays", medium: ${medium}, ${hours} }) { channelId }`,
      )
    }
    const channel = await bank.execute(
      '{ channel(channelId: "voice_tuesdays") { isOpen opensAt capabilities } }',
    )
    const opensAt = '2026-03-03T09:00:00.000Z'
    expect(channel.data.channel).toEqual({ isOpen: false, opensAt, capabilities: [] })
    const { errors } = await aCall('channelId: "voice_tuesdays"')
    expect(errors[0]!.extensions).toMatchObject({
      code: 'CHANNEL_CLOSED',
      opensAt,
      errors: [{ pointer: '/channelId' }],
    })
    const task = (channelId: string) =>
      tryMutation(
        `routeInteraction(input: { channel: TASK, subject: "x", channelId: "${channelId}" }) { status }`,
      )
    expect((await task('task_tuesdays')).errors).toEqual([])
    expect((await task('voice_tuesdays')).errors[0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/channel' }],
    })
    const toggle = (name: string) =>
      tryMutation(`${name}(channelId: "task_tuesdays") { status isOpen }`)
    expect((await toggle('activateChannel')).code).toBe('INVALID_STATE_TRANSITION')
    expect((await toggle('deactivateChannel')).data.act).toEqual({
      status: 'INACTIVE',
      isOpen: false,
    })
    expect((await toggle('deactivateChannel')).code).toBe('INVALID_STATE_TRANSITION')
    expect((await task('task_tuesdays')).code).toBe('CHANNEL_CLOSED')
    expect((await toggle('activateChannel')).data.act.status).toBe('ACTIVE')
    await mutate('updateChannel(input: { channelId: "task_tuesdays", name: "Always" }) { name }')
    expect(await eventsOf('channel/task_tuesdays')).toEqual(
      ['created', 'deactivated', 'activated', 'updated'].map((fact) => `channels.channel.${fact}`),
    )
  })
})
