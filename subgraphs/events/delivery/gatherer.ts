/**
 * Batches writes. While one batch is being written, the next batch accumulates. The promise of an
 * item resolves after its batch is written, and rejects if the write fails.
 */
export class Gatherer<Item> {
  readonly #write: (items: readonly Item[]) => Promise<unknown>
  #waiting: Item[] = []
  #next: Promise<void> | null = null
  #writing: Promise<unknown> = Promise.resolve()

  constructor(write: (items: readonly Item[]) => Promise<unknown>) {
    this.#write = write
  }

  add(item: Item): Promise<void> {
    this.#waiting.push(item)
    this.#next ??= this.#writeNext(this.#writing)
    return this.#next
  }

  async #writeNext(previous: Promise<unknown>): Promise<void> {
    await previous.catch(() => undefined)
    const items = this.#waiting
    this.#waiting = []
    this.#next = null
    this.#writing = this.#write(items)
    await this.#writing
  }
}
