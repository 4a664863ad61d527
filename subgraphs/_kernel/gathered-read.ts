import type { Bank } from './bank.ts'

interface Waiting<Key, Value> {
  key: Key
  settle: ((value: Promise<Value> | Value) => void)[]
}

const mostTogether = 500
const mostReading = 2

/**
 * A read that many requests share: while one is under way, whatever is asked for waits and goes
 * with the next, each key once. It starts after it was asked for, so nobody reads anything older
 * than if they had asked alone. `read` answers in the order of the keys, whoever the caller is:
 * what a caller may see is decided after it.
 */
export function gatheredRead<Key, Value>(
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
    return gatherer.ask(idOf(key), key)
  }
}

class Gatherer<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<readonly Value[]>
  #waiting = new Map<string, Waiting<Key, Value>>()
  #reading = 0

  constructor(read: (keys: readonly Key[]) => Promise<readonly Value[]>) {
    this.#read = read
  }

  ask(id: string, key: Key): Promise<Value> {
    return new Promise((settle) => {
      const known = this.#waiting.get(id)
      if (known) known.settle.push(settle)
      else this.#waiting.set(id, { key, settle: [settle] })
      if (this.#reading < mostReading) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#reading++
    // What else is asked in this turn of the event loop goes along.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, mostTogether)
      for (const [id] of batch) this.#waiting.delete(id)
      const asked = batch.map(([, waiting]) => waiting)
      const answer = this.#read(asked.map(({ key }) => key))
      await answer.then(
        (values) => asked.forEach(({ settle }, at) => settle.forEach((one) => one(values[at]!))),
        () => asked.forEach(({ settle }) => settle.forEach((one) => one(answer as never))),
      )
    }
    this.#reading--
  }
}
