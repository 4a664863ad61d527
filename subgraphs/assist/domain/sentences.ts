/** Matches the end of a sentence: punctuation and the whitespace after it, or line breaks. */
const sentenceEnd = /[.!?][)\]"'\u201d\u2019]*\s+|\n+/g

/**
 * Splits streamed text into complete sentences without changing it. Guardrails check complete
 * sentences, so that no part of a sentence is published before the whole sentence is checked.
 */
export class Sentences {
  #incomplete = ''

  /** Adds a piece of text and returns the sentences that it completes. */
  push(piece: string): string[] {
    this.#incomplete += piece
    const sentences: string[] = []
    let from = 0
    for (const { 0: mark, index } of this.#incomplete.matchAll(sentenceEnd)) {
      const end = index + mark.length
      // More whitespace may follow; it belongs to this sentence.
      if (end === this.#incomplete.length) break
      sentences.push(this.#incomplete.slice(from, end))
      from = end
    }
    this.#incomplete = this.#incomplete.slice(from)
    return sentences
  }

  /** Returns the incomplete last sentence, at the end of the stream. */
  rest(): string {
    const last = this.#incomplete
    this.#incomplete = ''
    return last
  }
}
