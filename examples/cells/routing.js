/** Which cell answers a request. */
import { cellNamed, cellOfParty, cells, defaultCell } from './cells.js'

/** A request that the router answers itself, with a problem (RFC 9457). */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   */
  constructor(status, code, detail) {
    super(detail)
    this.status = status
    this.code = code
  }
}

const names = cells.map(({ name }) => name)

/**
 * Returns the cell that answers a request, or `all`. The customer in the token decides. A program of
 * the bank names the cell in the header `Cell`, because a guess could write into the wrong one.
 * Throws a Refusal.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {import('./cells.js').Cell | 'all'}
 */
export function cellFor(headers) {
  if (!headers.authorization) return defaultCell
  const partyId = partyIn(headers.authorization)
  if (partyId) return cellOfParty(partyId)
  const name = typeof headers.cell === 'string' ? headers.cell : undefined
  if (name === 'all') return 'all'
  const cell = cellNamed(name)
  if (cell) return cell
  const detail = `Send the header Cell with one of ${names.join(', ')}, or all.`
  throw new Refusal(400, name ? 'CELL_UNKNOWN' : 'CELL_REQUIRED', detail)
}

/**
 * Returns the party in a token. It is not verified here: the cell verifies the token, and a forged one
 * is rejected there.
 * @param {string} authorization
 */
function partyIn(authorization) {
  const [, claims = ''] = authorization.split('.')
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')).party_id
  } catch {
    return undefined
  }
}
