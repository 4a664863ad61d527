/** One query over all cells. */
import { Kind, parse } from 'graphql'
import { cells, silenceMs } from './cells.js'
import { Refusal } from './routing.js'

/**
 * The queries whose answers can be joined: lists without pages, whose entries name no other entry.
 * The lists of the cells follow each other. A list with pages is refused, because the cursor of one
 * cell means nothing in another; so is a total, because each needs a rule of its own.
 */
const joinable = ['generalLedgerFindings', 'ledgerFindings', 'lendingFindings', 'trialBalances']

/**
 * Sends a query to all cells and joins the lists. `extensions.cells` has the length of each cell's
 * part. If a cell fails, its answer is the answer: a part is never presented as the whole.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<{ status: number, body: object }>}
 */
export async function askAll(request) {
  if (request.method !== 'POST' || request.url !== '/graphql') {
    throw refusal('only a query of the graph can be sent to all cells')
  }
  const text = await read(request)
  const fields = fieldsOf(text)
  const answers = await Promise.all(cells.map((cell) => ask(cell, request.headers, text)))
  const failed = answers.find(({ status, body }) => status !== 200 || body.errors)
  if (failed) return failed
  const data = Object.fromEntries(
    fields.map((field) => [field, answers.flatMap(({ body }) => body.data[field])]),
  )
  const lengths = answers.map(({ cell, body }) => ({
    cell,
    ...Object.fromEntries(fields.map((field) => [field, body.data[field].length])),
  }))
  return { status: 200, body: { data, extensions: { cells: lengths } } }
}

/**
 * Returns the names of the root fields in the answer. Throws a Refusal if they cannot be joined.
 * @param {string} text
 */
function fieldsOf(text) {
  const [operation, ...others] = definitionsIn(text)
  if (others.length > 0 || operation?.kind !== Kind.OPERATION_DEFINITION) {
    throw refusal('send one operation, without fragments')
  }
  if (operation.operation !== 'query') throw refusal('a write belongs to one cell')
  return operation.selectionSet.selections.map((selection) => {
    if (selection.kind !== Kind.FIELD || !joinable.includes(selection.name.value)) {
      throw refusal(`only these lists can be joined: ${joinable.join(', ')}`)
    }
    // A list that is skipped in the answer cannot be joined.
    if (selection.directives?.length) throw refusal('send lists without directives')
    return selection.alias?.value ?? selection.name.value
  })
}

/** @param {string} text */
function definitionsIn(text) {
  try {
    return parse(JSON.parse(text).query).definitions
  } catch {
    throw refusal('the body is not a query')
  }
}

const refusal = (reason) =>
  new Refusal(400, 'NOT_ACROSS_CELLS', `Name one cell in the header Cell: ${reason}.`)

/**
 * @param {import('./cells.js').Cell} cell
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 * @returns {Promise<{ cell: string, status: number, body: any }>}
 */
async function ask(cell, { authorization = '' }, body) {
  const response = await fetch(new URL('/graphql', cell.url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(silenceMs),
  })
  return { cell: cell.name, status: response.status, body: await response.json() }
}

const maxBytes = 100_000

/** @param {import('node:http').IncomingMessage} request */
async function read(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBytes) throw refusal('the query is too long')
  }
  return text
}
