/**
 * Batches writes. While one batch is being written, the next batch accumulates. The promise of an
 * item resolves after its batch is written, and rejects if the write fails.
 */
export class BatchWriter<Item> {
  readonly #write: (items: readonly Item[]) => Promise<unknown>
  #waitingItems: Item[] = []
  #nextBatch: Promise<void> | null = null
  #currentWrite: Promise<unknown> = Promise.resolve()

  constructor(write: (items: readonly Item[]) => Promise<unknown>) {
    this.#write = write
  }

  add(item: Item): Promise<void> {
    this.#waitingItems.push(item)
    this.#nextBatch ??= this.#writeNext(this.#currentWrite)
    return this.#nextBatch
  }

  async #writeNext(previousWrite: Promise<unknown>): Promise<void> {
    await previousWrite.catch(() => undefined)
    const items = this.#waitingItems
    this.#waitingItems = []
    this.#nextBatch = null
    this.#currentWrite = this.#write(items)
    await this.#currentWrite
  }
}
