/** A place in the lines of some keys. */
export interface Turn {
  /** Resolves when everyone ahead has finished; null when nobody is. */
  readonly ready: Promise<void> | null
  /** Lets the next ones go. Safe to call more than once. */
  end(): void
}

/**
 * First-come-first-served lines, one per key. Work that needs several keys waits until it is first in
 * all of their lines. It joins all of them at once, so it only ever waits for work that asked
 * earlier, and nobody deadlocks as long as nobody asks for a turn while holding another.
 *
 * `shared` work goes side by side with other shared work, `exclusive` work alone.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()

  take(keys: Iterable<string>, mode: 'shared' | 'exclusive'): Turn {
    const ticket = new Ticket([...keys], this.#lines)
    for (const key of ticket.keys) {
      const line = this.#lineOf(key)
      if (mode === 'shared') {
        if (line.last) ticket.waitFor(line.last)
        line.since.add(ticket)
        continue
      }
      if (line.since.size > 0) for (const ahead of line.since) ticket.waitFor(ahead)
      else if (line.last) ticket.waitFor(line.last)
      line.last = ticket
      line.since = new Set()
    }
    return ticket
  }

  /** How many keys anyone holds or waits for. */
  get size(): number {
    return this.#lines.size
  }

  #lineOf(key: string): Line {
    let line = this.#lines.get(key)
    if (!line) this.#lines.set(key, (line = { last: null, since: new Set() }))
    return line
  }
}

interface Line {
  /** The exclusive work that joined last. */
  last: Ticket | null
  /** The shared work that joined after it. */
  since: Set<Ticket>
}

class Ticket implements Turn {
  readonly keys: readonly string[]
  readonly #lines: Map<string, Line>
  readonly #followers: Ticket[] = []
  #ahead = 0
  #isOver = false
  #ready: Promise<void> | null = null
  #start: () => void = () => undefined

  constructor(keys: readonly string[], lines: Map<string, Line>) {
    this.keys = keys
    this.#lines = lines
  }

  get ready(): Promise<void> | null {
    if (this.#ahead === 0) return null
    return (this.#ready ??= new Promise((resolve) => (this.#start = resolve)))
  }

  waitFor(other: Ticket): void {
    if (other === this) return
    other.#followers.push(this)
    this.#ahead++
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const key of this.keys) {
      const line = this.#lines.get(key)
      if (!line) continue
      if (line.last === this) line.last = null
      line.since.delete(this)
      if (!line.last && line.since.size === 0) this.#lines.delete(key)
    }
    for (const follower of this.#followers) if (--follower.#ahead === 0) follower.#start()
  }
}
