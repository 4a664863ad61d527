/** Where a sentence is over: its mark and the space after it, or the end of a line. */
const sentenceEnd = /[.!?][)\]"'”’]*\s+|\n+/g

/**
 * Takes text as it comes and gives it back in whole sentences, letter by letter the same. Rules look
 * at whole sentences only, so that no part of one is out before the rest is there to be looked at.
 */
export class Sentences {
  #waiting = ''

  /** The sentences that are over with this piece. */
  push(piece: string): string[] {
    this.#waiting += piece
    const over: string[] = []
    let from = 0
    for (const { 0: mark, index } of this.#waiting.matchAll(sentenceEnd)) {
      const end = index + mark.length
      // More of the same space may follow; it belongs to this sentence.
      if (end === this.#waiting.length) break
      over.push(this.#waiting.slice(from, end))
      from = end
    }
    this.#waiting = this.#waiting.slice(from)
    return over
  }

  /** What is left when nothing more comes. */
  rest(): string {
    const left = this.#waiting
    this.#waiting = ''
    return left
  }
}
