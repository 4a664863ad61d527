import type { Bank } from '../environment/bank.ts'

interface Waiting<Key, Value> {
  key: Key
  settle: ((value: Promise<Value> | Value) => void)[]
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
  #waiting = new Map<string, Waiting<Key, Value>>()
  #reading = 0

  constructor(read: (keys: readonly Key[]) => Promise<readonly Value[]>) {
    this.#read = read
  }

  load(id: string, key: Key): Promise<Value> {
    return new Promise((settle) => {
      const waiting = this.#waiting.get(id)
      if (waiting) waiting.settle.push(settle)
      else this.#waiting.set(id, { key, settle: [settle] })
      if (this.#reading < maxConcurrentReads) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#reading++
    // Wait a microtask, so that other keys requested in the same turn of the event loop join this
    // batch.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, maxBatchSize)
      for (const [id] of batch) this.#waiting.delete(id)
      const requested = batch.map(([, waiting]) => waiting)
      const result = this.#read(requested.map(({ key }) => key))
      await result.then(
        (values) =>
          requested.forEach(({ settle }, index) =>
            settle.forEach((resolve) => resolve(values[index]!)),
          ),
        () =>
          requested.forEach(({ settle }) => settle.forEach((resolve) => resolve(result as never))),
      )
    }
    this.#reading--
  }
}
