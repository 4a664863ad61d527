import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import { createBody, createSql, readSql } from '../work.ts'

// The limit: one hand-written route, one prepared statement, no layers at all.
const [databaseUrl, port] = process.argv.slice(2) as [string, string]
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const app = fastify()

app.post('/notifications', { schema: { body: createBody } }, async (request, reply) => {
  const body = request.body as Record<string, unknown>
  const key = request.headers['idempotency-key'] as string
  const id = `ntf_${randomUUID()}`
  const { rows } = await pool.query({
    name: 'create',
    text: createSql,
    values: [
      key,
      JSON.stringify(body),
      `party/${String(body['partyId'])}`,
      body['templateCode'],
      body['channel'],
      id,
      body['partyId'],
      JSON.stringify(body['personalization'] ?? null),
      body['sendAt'],
      new Date(),
      `evt_${randomUUID()}`,
    ],
  })
  return reply.code(201).send(rows[0].answer)
})

app.get('/notifications', async () => {
  const { rows } = await pool.query({ name: 'read', text: readSql })
  return { nodes: rows }
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.send!({ token: 'none' })
process.on('SIGINT', () => process.exit(0))
