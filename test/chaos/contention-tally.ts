import type { Outcome } from './contention-client.ts'
import { movementKinds, type MovementKind } from './contention-movement.ts'

/** The results of the movements of one kind, by the first response to each. */
export interface KindTally {
  done: number
  refused: number
  contention: number
  /** Failed on contention or without a response shortly after an injected fault. */
  afterFault: number
  /** All first attempts unaffected by faults. */
  undisturbed: number
  latenciesMs: number[]
}

/** Counts the first response to each movement, because retries would hide contention from the result. */
export class Tally {
  readonly kinds = new Map<MovementKind, KindTally>()
  /** How often each code was the first response. */
  readonly codes = new Map<string, number>()

  count(
    kind: MovementKind,
    outcome: Outcome,
    code: string | null,
    { latencyMs, isAfterFault }: { latencyMs: number; isAfterFault: boolean },
  ): void {
    const tally = this.#of(kind)
    if (!isAfterFault) tally.undisturbed++
    if (outcome === 'done') {
      tally.done++
      tally.latenciesMs.push(latencyMs)
      return
    }
    const name = `${code ?? 'no response'}${isAfterFault ? ' (after a fault)' : ''}`
    this.codes.set(name, (this.codes.get(name) ?? 0) + 1)
    if (outcome === 'refused') tally.refused++
    else if (isAfterFault) tally.afterFault++
    else tally.contention++
  }

  get movements(): number {
    return this.#sum(({ done, refused, contention, afterFault }) => {
      return done + refused + contention + afterFault
    })
  }

  get undisturbed(): number {
    return this.#sum(({ undisturbed }) => undisturbed)
  }

  /** The share of movements that failed on contention, in percent, among those unaffected by faults. */
  get contentionPct(): number {
    const refused = this.#sum(({ contention }) => contention)
    return this.undisturbed === 0 ? 0 : (100 * refused) / this.undisturbed
  }

  /** One line for each kind of movement, below a header line. */
  lines(): string[] {
    const heading = [
      'movement',
      'done',
      'rejected',
      'contention',
      'after-fault',
      'p50-ms',
      'p99-ms',
    ]
    const rows = movementKinds.flatMap((kind) => {
      const tally = this.kinds.get(kind)
      if (!tally) return []
      const { done, refused, contention, afterFault, latenciesMs } = tally
      const sorted = latenciesMs.toSorted((a, b) => a - b)
      const times = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
      return [[kind, done, refused, contention, afterFault, ...times]]
    })
    return [heading, ...rows].map((row) =>
      row
        .map((cell, at) => (at === 0 ? String(cell).padEnd(16) : String(cell).padStart(12)))
        .join(''),
    )
  }

  #of(kind: MovementKind): KindTally {
    let tally = this.kinds.get(kind)
    if (!tally) {
      const none = { done: 0, refused: 0, contention: 0, afterFault: 0, undisturbed: 0 }
      tally = { ...none, latenciesMs: [] }
      this.kinds.set(kind, tally)
    }
    return tally
  }

  #sum(of: (tally: KindTally) => number): number {
    return [...this.kinds.values()].reduce((sum, tally) => sum + of(tally), 0)
  }
}

function percentile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? '-' : value.toFixed(0)
}
