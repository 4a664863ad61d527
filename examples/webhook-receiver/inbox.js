/** The received events: a file for each, named after its ID. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @typedef {import('@bankgraph/client').DeliveredEvent} Event */

export const folder = process.env.INBOX_FOLDER ?? 'inbox'
const newFolder = join(folder, 'new')
const processedFolder = join(folder, 'processed')
await mkdir(newFolder, { recursive: true })
await mkdir(processedFolder, { recursive: true })

/** All events that were received, and those that are being stored, by their names. */
const stored = new Map(
  [...(await readdir(newFolder)), ...(await readdir(processedFolder))].map((name) => [
    name,
    Promise.resolve(),
  ]),
)

/**
 * Stores an event. Returns whether it is new.
 * @param {Event} event
 */
export async function storeEvent(event) {
  const name = nameOf(event)
  const earlier = stored.get(name)
  if (earlier) {
    // A second delivery is accepted when the first one is safe.
    await earlier
    return false
  }
  const storing = write(name, JSON.stringify(event))
  stored.set(name, storing)
  try {
    await storing
  } catch (error) {
    stored.delete(name)
    throw error
  }
  return true
}

async function write(name, text) {
  const temporary = join(folder, `${name}.new`)
  await writeFile(temporary, text, { flush: true })
  await rename(temporary, join(newFolder, name))
}

/**
 * Returns the events that are not processed, in the order in which they happened.
 * @returns {Promise<Event[]>}
 */
export async function unprocessedEvents() {
  const names = await readdir(newFolder)
  const texts = await Promise.all(names.map((name) => readFile(join(newFolder, name), 'utf8')))
  /** @type {Event[]} */
  const events = texts.map((text) => JSON.parse(text))
  return events.sort((a, b) => Number(BigInt(a.position) - BigInt(b.position)))
}

export async function markProcessed(event) {
  await rename(join(newFolder, nameOf(event)), join(processedFolder, nameOf(event)))
}

const nameOf = ({ id }) => `${encodeURIComponent(id)}.json`
