import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import fastify from 'fastify'
import pg from 'pg'
import { PrismaClient } from '../../../prisma/client/client.ts'
import { createBody } from '../work.ts'

// What most would write: Fastify, Prisma, and a transaction that stays open while the code decides.
const [databaseUrl, port] = process.argv.slice(2) as [string, string]
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
const app = fastify()

interface Body {
  partyId: string
  channel: string
  templateCode: string
  personalization?: object
  sendAt?: string
}

app.post('/notifications', { schema: { body: createBody } }, async (request, reply) => {
  const body = request.body as Body
  const key = request.headers['idempotency-key'] as string
  const answer = await prisma.$transaction(
    (tx) => createNotification(tx as unknown as PrismaClient, body, key),
    { maxWait: 30_000, timeout: 30_000 },
  )
  return reply.code(201).send(answer)
})

async function createNotification(tx: PrismaClient, body: Body, key: string) {
  const { partyId, channel, templateCode, personalization, sendAt } = body
  const now = new Date()
  await tx.fact.findUniqueOrThrow({ where: { subject: `party/${partyId}` } })
  const template = await tx.notificationTemplate.findFirstOrThrow({
    where: { templateCode, channel, status: 'active' },
  })
  const id = { notificationId: `ntf_${randomUUID()}`, partyId, channel, templateCode }
  const answer = { ...id, status: 'queued', createdAt: now }
  await tx.idempotency.create({
    data: {
      owner: 'bench',
      operation: 'createNotification',
      key,
      fingerprint: JSON.stringify(body),
      answer: JSON.stringify(answer),
      createdAt: now,
      isRetained: false,
    },
  })
  await tx.notification.create({
    data: {
      ...id,
      templateId: template.templateId,
      category: template.category,
      language: template.language,
      personalization: JSON.stringify(personalization ?? null),
      status: 'queued',
      attempts: [],
      sendAt: sendAt ?? null,
      dueAt: sendAt ?? now,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  })
  const event = {
    event_id: `evt_${randomUUID()}`,
    type: 'notifications.notification.queued',
    subject: `notification/${id.notificationId}`,
    subject_version: 1,
    ordinal: 0,
    time: now,
    data: answer,
    parties: [partyId],
    correlation_id: key,
    actor: 'bench',
  }
  await tx.outbox.create({ data: { eventCount: 1, events: [event] } })
  return answer
}

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.send!({ token: 'none' })
