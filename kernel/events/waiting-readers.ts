/** Whether a reader waits for events of a type. */
export type EventTypeFilter = (type: string) => boolean

/** The readers of the event log that wait for new events. */
export class WaitingReaders {
  /** Functions that wake the waiting readers, each with a filter; null for any event type. */
  readonly #wakers = new Map<() => void, EventTypeFilter | null>()

  get count(): number {
    return this.#wakers.size
  }

  /** Resolves when an event of a type that passes the filter is read, or when `signal` aborts. */
  async wait(filter: EventTypeFilter | null, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#wakers.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#wakers.set(done, filter)
      signal?.addEventListener('abort', done)
    })
  }

  /** Wakes the readers that wait for one of `types`; all readers if it is omitted. */
  wake(types?: readonly string[]): void {
    for (const [done, filter] of this.#wakers) {
      if (!types || !filter || types.some(filter)) done()
    }
  }
}
