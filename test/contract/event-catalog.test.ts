import { Parser } from '@asyncapi/parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownEvents } from '../../kernel/events/events.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform()
})
afterAll(() => bank.stop())

const open = { token: null }

test('/asyncapi.json is valid AsyncAPI 3 and lists every known event type', async () => {
  const { status, text } = await bank.rest('GET', '/asyncapi.json', undefined, open)
  expect(status).toBe(200)
  const { document, diagnostics } = await new Parser().parse(text)
  expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([])
  expect(document!.version()).toBe('3.0.0')
  const names = document!.allMessages().map((message) => message.name())
  expect(new Set(names)).toEqual(new Set(knownEvents.keys()))
  expect(names).toHaveLength(knownEvents.size)
  const queued = document!
    .allMessages()
    .find((each) => each.name() === 'notifications.notification.queued')!
  const [, own] = queued.payload()!.allOf()!
  const data = own!.property('data')!
  expect(Object.keys(data.properties()!)).toContain('notificationId')
})

test('/events documents every event type as an HTML page', async () => {
  const { status, headers, text } = await bank.rest('GET', '/events', undefined, open)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const { type, meaning } of knownEvents.values()) {
    expect(text).toContain(`id="${type}"`)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
    expect(type).toMatch(/^[a-z-]+\.[a-z-]+\.[a-z-]+$/)
  }
})
