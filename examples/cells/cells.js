/** The cells, and the directory of their parties. */
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Cell
 * @property {string} name
 * @property {URL} url The origin of the bank.
 */

/**
 * The cells in a fixed order, in which joined lists appear.
 * @type {readonly [Cell, ...Cell[]]}
 */
export const cells = readCells()

/** How long a cell may send nothing, in milliseconds: while it is connected to, before its answer, or within it. */
export const silenceMs = Number(process.env.CELL_TIMEOUT_MS ?? 60_000)

/**
 * Returns the cell with a name, or undefined.
 * @param {string | undefined} name
 */
export const cellNamed = (name) => cells.find((cell) => cell.name === name)

const directory = readDirectory()

/** The cell of requests without a token, such as log-ins, and of parties that the directory lacks. */
export const defaultCell = cellNamed(directory.default) ?? cells[0]

/**
 * Returns the cell that has a party.
 * @param {string} partyId
 */
export function cellOfParty(partyId) {
  return cellNamed(directory.parties[partyId]) ?? defaultCell
}

/** @returns {[Cell, ...Cell[]]} */
function readCells() {
  const { CELLS, BANK_URL = 'http://127.0.0.1:4001/v1' } = process.env
  const urls = CELLS ? JSON.parse(CELLS) : { north: BANK_URL, south: 'http://127.0.0.1:4020' }
  const [first, ...others] = Object.keys(urls).map((name) => ({
    name,
    url: new URL(new URL(urls[name]).origin),
  }))
  if (!first) throw new Error('CELLS names no cell.')
  return [first, ...others]
}

/** @returns {{ default?: string, parties: Record<string, string> }} */
function readDirectory() {
  const path = process.env.DIRECTORY_FILE
  const directory = path ? JSON.parse(readFileSync(path, 'utf8')) : { parties: {} }
  for (const name of [directory.default, ...Object.values(directory.parties)]) {
    if (name && !cellNamed(name))
      throw new Error(`${path} names the cell ${name}, which is unknown.`)
  }
  return directory
}
