import type { Bank } from '../environment/bank.ts'

interface PendingKey<Key, Value> {
  key: Key
  resolvers: ((value: Promise<Value> | Value) => void)[]
}

const maxBatchSize = 500
const maxConcurrentReads = 2

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
): (bank: Bank, key: Key) => Promise<Value> {
  const perBank = new WeakMap<Bank, Gatherer<Key, Value>>()
  return (bank, key) => {
    let gatherer = perBank.get(bank)
    if (!gatherer) {
      gatherer = new Gatherer((keys: readonly Key[]) => read(bank, keys))
      perBank.set(bank, gatherer)
    }
    return gatherer.load(idOf(key), key)
  }
}

class Gatherer<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<readonly Value[]>
  #pending = new Map<string, PendingKey<Key, Value>>()
  #reading = 0

  constructor(read: (keys: readonly Key[]) => Promise<readonly Value[]>) {
    this.#read = read
  }

  load(id: string, key: Key): Promise<Value> {
    return new Promise((resolve) => {
      const pending = this.#pending.get(id)
      if (pending) pending.resolvers.push(resolve)
      else this.#pending.set(id, { key, resolvers: [resolve] })
      if (this.#reading < maxConcurrentReads) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#reading++
    // Wait a microtask, so that keys that the code now running requests next join this batch.
    await Promise.resolve()
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, maxBatchSize)
      for (const [id] of batch) this.#pending.delete(id)
      const pendingKeys = batch.map(([, pending]) => pending)
      const result = this.#read(pendingKeys.map(({ key }) => key))
      await result.then(
        (values) =>
          pendingKeys.forEach(({ resolvers }, index) =>
            resolvers.forEach((resolve) => resolve(values[index]!)),
          ),
        () =>
          pendingKeys.forEach(({ resolvers }) =>
            resolvers.forEach((resolve) => resolve(result as never)),
          ),
      )
    }
    this.#reading--
  }
}
