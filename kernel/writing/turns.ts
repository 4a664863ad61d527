/** A place in the queues of one or more keys. */
export interface Turn {
  /** Resolves when all work ahead has ended; null if there is no work ahead. */
  readonly ready: Promise<void> | null
  /** Ends this turn, so that the next work can start. Further calls have no effect. */
  end(): void
}

/**
 * First-come, first-served queues, one per key. Work that needs several keys waits until it is
 * first in all of their queues. It joins all queues at once, so it only waits for work that joined
 * earlier. Deadlocks are therefore impossible, as long as no work joins a queue while it holds a
 * turn.
 *
 * `shared` work runs concurrently with other shared work; `exclusive` work runs alone.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>()

  take(keys: Iterable<string>, mode: 'shared' | 'exclusive'): Turn {
    const ticket = new Ticket([...keys], this.#queues)
    for (const key of ticket.keys) {
      const queue = this.#queueOf(key)
      if (mode === 'shared') {
        if (queue.lastExclusive) ticket.waitFor(queue.lastExclusive)
        queue.sharedAfter.add(ticket)
        continue
      }
      if (queue.sharedAfter.size > 0) for (const ahead of queue.sharedAfter) ticket.waitFor(ahead)
      else if (queue.lastExclusive) ticket.waitFor(queue.lastExclusive)
      queue.lastExclusive = ticket
      queue.sharedAfter = new Set()
    }
    return ticket
  }

  /** The number of keys with running or waiting work. */
  get size(): number {
    return this.#queues.size
  }

  #queueOf(key: string): Queue {
    let queue = this.#queues.get(key)
    if (!queue) this.#queues.set(key, (queue = { lastExclusive: null, sharedAfter: new Set() }))
    return queue
  }
}

interface Queue {
  /** The exclusive work that joined last; null if all exclusive work has ended. */
  lastExclusive: Ticket | null
  /** The shared work that joined after `lastExclusive`. */
  sharedAfter: Set<Ticket>
}

class Ticket implements Turn {
  readonly keys: readonly string[]
  readonly #queues: Map<string, Queue>
  readonly #followers: Ticket[] = []
  #aheadCount = 0
  #isOver = false
  #ready: Promise<void> | null = null
  #start: () => void = () => undefined

  constructor(keys: readonly string[], queues: Map<string, Queue>) {
    this.keys = keys
    this.#queues = queues
  }

  get ready(): Promise<void> | null {
    if (this.#aheadCount === 0) return null
    return (this.#ready ??= new Promise((resolve) => (this.#start = resolve)))
  }

  waitFor(other: Ticket): void {
    if (other === this) return
    other.#followers.push(this)
    this.#aheadCount++
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const key of this.keys) {
      const queue = this.#queues.get(key)
      if (!queue) continue
      if (queue.lastExclusive === this) queue.lastExclusive = null
      queue.sharedAfter.delete(this)
      if (!queue.lastExclusive && queue.sharedAfter.size === 0) this.#queues.delete(key)
    }
    for (const follower of this.#followers) if (--follower.#aheadCount === 0) follower.#start()
  }
}
