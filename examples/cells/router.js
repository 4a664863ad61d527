/** One address for all cells. */
import { Agent, createServer, request as httpRequest } from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { cells, silenceMs } from './cells.js'
import { askAll } from './joining.js'
import { cellFor, Refusal } from './routing.js'

const port = process.env.PORT ?? '3000'
const agents = {
  'http:': new Agent({ keepAlive: true }),
  'https:': new SecureAgent({ keepAlive: true }),
}

createServer((request, response) => void respond(request, response)).listen(
  Number(port),
  '127.0.0.1',
  () => console.log(`Routing to ${cells.map(({ name }) => name).join(' and ')} at port ${port}.`),
)
// Any number of routers may run; one of them carries the transfers.
if (process.env.CARRY !== 'off') {
  const { carryTransfers } = await import('./carrier.js')
  carryTransfers()
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond(request, response) {
  try {
    const cell = cellFor(request.headers)
    if (cell !== 'all') return forward(cell, request, response)
    const { status, body } = await askAll(request)
    send(response, status, 'application/json', body)
  } catch (error) {
    if (error instanceof Refusal) refuse(response, error)
    else refuse(response, unavailable(error))
  }
}

/**
 * Passes a request to a cell, and its answer back, as they are. What a cell did not answer may have
 * happened: the client repeats it with its idempotency key.
 * @param {import('./cells.js').Cell} cell
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function forward({ url }, request, response) {
  const { protocol, host, hostname, port } = url
  const send = protocol === 'https:' ? httpsRequest : httpRequest
  const { method, url: path } = request
  const headers = { ...request.headers, host }
  // A cell that switched protocols would leave the client without an answer.
  delete headers.upgrade
  delete headers.connection
  const agent = agents[protocol]
  const forwarded = send({ hostname, port, protocol, path, method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => undefined)
  })
  forwarded.setTimeout(silenceMs, () => forwarded.destroy(new Error('The cell is silent.')))
  forwarded.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else refuse(response, unavailable(error))
  })
  response.on('close', () => forwarded.destroy())
  request.pipe(forwarded)
}

/** @param {Error} error */
const unavailable = (error) => new Refusal(503, 'CELL_UNAVAILABLE', error.message)

/**
 * @param {import('node:http').ServerResponse} response
 * @param {Refusal} refusal
 */
function refuse(response, { status, code, message: detail }) {
  const title = status === 503 ? 'The cell does not answer' : 'The router cannot choose a cell'
  const problem = { title, status, code, detail, retryable: status === 503 }
  send(response, status, 'application/problem+json', problem)
}

function send(response, status, type, body) {
  response.writeHead(status, { 'content-type': type })
  response.end(JSON.stringify(body))
}
