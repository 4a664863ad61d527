/** The received events: a file for each, named after its ID. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @typedef {import('@bankgraph/client').DeliveredEvent} Event */

export const folder = process.env.INBOX_FOLDER ?? 'inbox'
const newFolder = join(folder, 'new')
const processedFolder = join(folder, 'processed')
await mkdir(newFolder, { recursive: true })
await mkdir(processedFolder, { recursive: true })

/** The IDs of all events that were received. */
const ids = new Set([...(await readdir(newFolder)), ...(await readdir(processedFolder))])

/**
 * Stores an event. Returns whether it is new.
 * @param {Event} event
 */
export async function storeEvent(event) {
  const name = nameOf(event)
  if (ids.has(name)) return false
  const temporary = join(folder, `${name}.${crypto.randomUUID()}`)
  await writeFile(temporary, JSON.stringify(event), { flush: true })
  await rename(temporary, join(newFolder, name))
  // A second delivery may have arrived meanwhile; both wrote the same file.
  const isNew = !ids.has(name)
  ids.add(name)
  return isNew
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
