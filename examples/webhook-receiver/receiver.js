/** Receives the bank's events: verifies, stores, responds, and processes afterwards. */
import Fastify from 'fastify'
import { InvalidDelivery, verifyWebhook } from '@bankgraph/client'
import { registerEndpoint } from './endpoint.js'
import { markProcessed, storeEvent, unprocessedEvents } from './inbox.js'

const port = Number(process.env.PORT ?? 3000)
const secret = await registerEndpoint(`http://127.0.0.1:${port}/events`)
const app = Fastify()

// The signature covers the bytes as they were sent, so that the body is not parsed here.
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

app.post('/events', async (request, reply) => {
  try {
    const body = String(request.body)
    const event = await verifyWebhook({ body, headers: request.headers, secret })
    const isNew = await storeEvent(event)
    // The work begins after the response: the bank waits ten seconds at most.
    if (isNew) setImmediate(() => void processEvents())
    return await reply.code(204).send()
  } catch (error) {
    if (!(error instanceof InvalidDelivery)) throw error
    return reply.code(400).send({ error: error.message })
  }
})

let isProcessing = false

/** Processes the stored events, oldest first. One that fails is tried again with the next event. */
async function processEvents() {
  if (isProcessing) return
  isProcessing = true
  try {
    for (let events = await unprocessedEvents(); events.length > 0;) {
      for (const event of events) {
        await processEvent(event)
        await markProcessed(event)
      }
      events = await unprocessedEvents()
    }
  } catch (error) {
    console.error(error)
  } finally {
    isProcessing = false
  }
}

/**
 * Your work. It may see an event twice, if the program stops before the event is marked.
 * @param {import('@bankgraph/client').DeliveredEvent} event
 */
async function processEvent({ position, type, subject }) {
  console.log(position, type, subject)
}

await app.listen({ host: '127.0.0.1', port })
console.log(`Receiving at http://127.0.0.1:${port}/events`)
await processEvents()
