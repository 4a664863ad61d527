import type { Tell } from './domain/frame.ts'
import type { Masker } from './domain/masking.ts'
import { outputVerdict } from './domain/rails.ts'
import { Sentences } from './domain/sentences.ts'

/**
 * Streams the answer of a model sentence by sentence. A sentence is published only if everything up
 * to its end passes the guardrails. After the first violation nothing more is published, and the
 * turn blocks the whole answer.
 */
export class Spoken {
  readonly #tell: Tell
  readonly #masker: Masker
  readonly #sources: readonly string[]
  readonly #sentences = new Sentences()
  #said = ''
  #isTold = false
  #isSilent = false

  constructor(tell: Tell, masker: Masker, sources: readonly string[]) {
    this.#tell = tell
    this.#masker = masker
    this.#sources = sources
  }

  push(piece: string): void {
    for (const sentence of this.#sentences.push(piece)) this.#say(sentence)
  }

  /** Publishes the rest of an answer that passed the guardrails as a whole. */
  end(): void {
    const rest = this.#sentences.rest()
    if (rest) this.#say(rest)
  }

  /** Withdraws the published sentences, because they are not the answer. */
  withdraw(): void {
    if (this.#isTold) this.#tell('withdrawn')
    this.#isTold = false
    this.#isSilent = true
  }

  #say(sentence: string): void {
    if (this.#isSilent) return
    this.#said += sentence
    if (outputVerdict(this.#said, this.#sources)) {
      this.#isSilent = true
      return
    }
    this.#isTold = true
    this.#tell('sentence', { text: this.#masker.unmask(sentence) })
  }
}
