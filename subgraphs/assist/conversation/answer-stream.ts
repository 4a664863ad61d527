import type { EmitFrame } from '../domain/frame.ts'
import type { Masker } from '../domain/masking.ts'
import { outputVerdict } from '../domain/guardrails.ts'
import { Sentences } from '../domain/sentences.ts'

/**
 * Streams the answer of a model sentence by sentence. A sentence is published only if the answer up
 * to the end of the sentence passes the guardrails. After the first violation, nothing more is
 * published and the turn blocks the whole answer.
 */
export class AnswerStream {
  readonly #emit: EmitFrame
  readonly #masker: Masker
  readonly #sources: readonly string[]
  readonly #sentences = new Sentences()
  #text = ''
  #hasPublished = false
  #isStopped = false

  constructor(emit: EmitFrame, masker: Masker, sources: readonly string[]) {
    this.#emit = emit
    this.#masker = masker
    this.#sources = sources
  }

  push(piece: string): void {
    for (const sentence of this.#sentences.push(piece)) this.#send(sentence)
  }

  /** Publishes the last sentence of an answer that passed the guardrails as a whole. */
  end(): void {
    const rest = this.#sentences.rest()
    if (rest) this.#send(rest)
  }

  /** Withdraws the published sentences, because the turn has another answer or none. */
  withdraw(): void {
    if (this.#hasPublished) this.#emit('withdrawn')
    this.#hasPublished = false
    this.#isStopped = true
  }

  #send(sentence: string): void {
    if (this.#isStopped) return
    this.#text += sentence
    if (outputVerdict(this.#text, this.#sources)) {
      this.#isStopped = true
      return
    }
    this.#hasPublished = true
    this.#emit('sentence', { text: this.#masker.unmask(sentence) })
  }
}
