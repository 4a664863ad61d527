import { isDeepStrictEqual } from 'node:util'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { faultPoint } from '../../../kernel/environment/fault-point.ts'
import {
  decodeSegment,
  encodeSegment,
  sha256Of,
  type ArchivedEvent,
} from '../../../kernel/events/segment-file.ts'
import { personalMembers } from '../../../kernel/lifecycle/personal-data.ts'
import type { ContentStore } from '../../../kernel/storage/content-store.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { isRetainedType } from '../../../kernel/writing/consumer.ts'
import { hasMember } from '../domain/retained-event.ts'
import {
  deleteRows,
  insertSegment,
  nextRange,
  readRange,
  recordRemoval,
  unremovedSegment,
  type LogRange,
} from '../store/archive.ts'

/** A reader decodes whole segments, so small ones are read faster, and each needs a row and two objects. */
const segmentSize = 1000
const deletedAtOnce = 1000
const personalNames = new Set(personalMembers.split(' '))

/** Moves old events from the database to the archive. */
export const archiveLog: Worker = {
  name: 'events.archive-log',
  purpose: 'Moves old events from the database to the archive.',
  everyMs: 3_600_000,
  run: (context) => archiveNext(context, segmentSize),
}

/**
 * Moves the next `size` events to the archive, or finishes what a process that ended left over.
 * Returns the number of moved events. Each step can be repeated: the key of an object is its hash, the
 * segment is recorded only after its object was read back, and rows are deleted only when their
 * segment is recorded.
 */
export async function archiveNext(context: Context, size: number): Promise<number> {
  const { archive, config } = context.bank
  const { store } = archive
  const afterDays = config.eventArchive?.afterDays ?? null
  if (!store || afterDays === null) return 0
  await removeRows(context)
  const range = await nextRange(context, size, addMs(context.now(), -afterDays * dayMs))
  if (!range) return 0
  await storeSegment(context, store, range)
  await removeRows(context)
  return size
}

async function storeSegment(
  context: Context,
  store: ContentStore,
  range: LogRange & { previousSha256: string },
): Promise<void> {
  const stored = await readRange(context, range)
  // Another process has archived the range meanwhile.
  if (BigInt(stored.length) < range.upTo - range.after) return
  const retained = stored.filter(isRetained).map(({ position }) => position)
  const events = withoutData(stored, new Set(retained))
  const { environment } = context.bank.archive
  const { previousSha256, after, upTo } = range
  const file = encodeSegment(events, { environment, previousSha256 })
  const sha256 = sha256Of(file)
  const objectKey = `events-${String(after + 1n).padStart(19, '0')}-${sha256}.parquet`
  faultPoint('archive.encoded')
  await store.put(objectKey, file)
  faultPoint('archive.stored')
  await requireStored(store, objectKey, sha256, events)
  const manifest = {
    firstPosition: after + 1n,
    lastPosition: upTo,
    sha256,
    previousSha256,
    retained,
  }
  await store.put(objectKey.replace(/parquet$/, 'json'), Buffer.from(jsonOf(manifest)))
  faultPoint('archive.verified')
  await insertSegment(context, { ...range, objectKey, bytes: file.length, sha256, retained })
  faultPoint('archive.recorded')
}

/** Whether the row of an event stays: text about a party must remain where it can be erased. */
const isRetained = ({ type, data }: ArchivedEvent): boolean =>
  isRetainedType(type) || (data !== null && hasMember(JSON.parse(data), personalNames))

const withoutData = (events: readonly ArchivedEvent[], positions: ReadonlySet<bigint>) =>
  events.map((event) => (positions.has(event.position) ? { ...event, data: null } : event))

/** Reads an object back. Throws an Error if it does not have exactly these events. */
async function requireStored(
  store: ContentStore,
  objectKey: string,
  sha256: string,
  events: readonly ArchivedEvent[],
): Promise<void> {
  const bytes = await store.get(objectKey)
  if (
    bytes &&
    sha256Of(bytes) === sha256 &&
    isDeepStrictEqual(await decodeSegment(bytes), events)
  ) {
    return
  }
  throw new Error(`The storage does not return the object ${objectKey} as it was stored.`)
}

/** Deletes the rows of recorded segments in batches, so that no statement runs long. */
async function removeRows(context: Context): Promise<void> {
  for (let segment; (segment = await unremovedSegment(context));) {
    while ((await deleteRows(context, segment, deletedAtOnce)) > 0) faultPoint('archive.deleted')
    await recordRemoval(context, segment)
    faultPoint('archive.removed')
  }
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
