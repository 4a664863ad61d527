import type { Bank } from '../environment/bank.ts'

/** A list of keys that one caller requests. */
interface Request<Key, Value> {
  keys: readonly Key[]
  resolve(values: Value[] | Promise<never>): void
}

const maxBatchSize = 500
const maxConcurrentReads = 2

/** A read by key that concurrent requests share. */
export interface BatchedRead<Key, Value> {
  (bank: Bank, key: Key): Promise<Value>
  /** Reads several keys with one promise. The values are in the order of the keys. */
  many(bank: Bank, keys: readonly Key[]): Promise<Value[]>
}

/**
 * Creates a batched read that concurrent requests share. Keys that arrive while two reads are
 * running wait for the next read, which includes each key once. A read starts only after its keys
 * were requested, so it never returns older data than a separate read would. `read` must return its
 * values in the order of the keys. It does not check permissions; the callers of the batched read
 * do.
 */
export function batchedRead<Key, Value>(
  idOf: (key: Key) => string,
  read: (bank: Bank, keys: readonly Key[]) => Promise<readonly Value[]>,
): BatchedRead<Key, Value> {
  const perBank = new WeakMap<Bank, Gatherer<Key, Value>>()
  const many = (bank: Bank, keys: readonly Key[]): Promise<Value[]> => {
    let gatherer = perBank.get(bank)
    if (!gatherer) {
      gatherer = new Gatherer(idOf, (batch) => read(bank, batch))
      perBank.set(bank, gatherer)
    }
    return gatherer.load(keys)
  }
  return Object.assign(async (bank: Bank, key: Key) => (await many(bank, [key]))[0]!, { many })
}

class Gatherer<Key, Value> {
  readonly #idOf: (key: Key) => string
  readonly #read: (keys: readonly Key[]) => Promise<readonly Value[]>
  #pending: Request<Key, Value>[] = []
  #reading = 0

  constructor(
    idOf: (key: Key) => string,
    read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  ) {
    this.#idOf = idOf
    this.#read = read
  }

  load(keys: readonly Key[]): Promise<Value[]> {
    if (keys.length === 0) return Promise.resolve([])
    return new Promise((resolve) => {
      this.#pending.push({ keys, resolve })
      if (this.#reading < maxConcurrentReads) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#reading++
    // Wait a microtask, so that keys that the code now running requests next join this batch.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const { keys, requests } = this.#nextBatch()
      const result = this.#read([...keys.values()])
      await result.then(
        (values) => {
          const byId = new Map([...keys.keys()].map((id, index) => [id, values[index]!]))
          for (const request of requests)
            request.resolve(request.keys.map((key) => byId.get(this.#idOf(key))!))
        },
        () => {
          for (const request of requests) request.resolve(result as Promise<never>)
        },
      )
    }
    this.#reading--
  }

  /** Takes requests from the queue until they have `maxBatchSize` different keys or more. */
  #nextBatch(): { keys: Map<string, Key>; requests: Request<Key, Value>[] } {
    const keys = new Map<string, Key>()
    let count = 0
    for (; count < this.#pending.length && keys.size < maxBatchSize; count++) {
      for (const key of this.#pending[count]!.keys) keys.set(this.#idOf(key), key)
    }
    return { keys, requests: this.#pending.splice(0, count) }
  }
}
