/** The end of a sentence: its punctuation and the space after it, or a line break. */
const sentenceEnd = /[.!?][)\]"'”’]*\s+|\n+/g

/**
 * Splits streamed text into complete sentences without changing it. Guardrails check complete
 * sentences, so that no part of one is published before the rest is checked.
 */
export class Sentences {
  #waiting = ''

  /** The sentences that this piece completes. */
  push(piece: string): string[] {
    this.#waiting += piece
    const over: string[] = []
    let from = 0
    for (const { 0: mark, index } of this.#waiting.matchAll(sentenceEnd)) {
      const end = index + mark.length
      // More whitespace may follow; it belongs to this sentence.
      if (end === this.#waiting.length) break
      over.push(this.#waiting.slice(from, end))
      from = end
    }
    this.#waiting = this.#waiting.slice(from)
    return over
  }

  /** The incomplete rest at the end of the stream. */
  rest(): string {
    const left = this.#waiting
    this.#waiting = ''
    return left
  }
}
