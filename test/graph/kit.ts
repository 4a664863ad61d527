import type { Platform, RestOptions } from '../kit/platform.ts'

/**
 * Lets the graph go away at a question of a worker, counted from 0: before it is answered, or after, when
 * nobody hears the answer. Answers what brings it back.
 */
export function pullThePlug({ bank }: Platform, at: number, when: 'before' | 'after'): () => void {
  const { ask } = bank
  let asked = 0
  bank.ask = async (...question) => {
    const isNow = asked++ === at
    if (isNow && when === 'before') throw new Error('The plug was pulled.')
    const answer = ask(...question)
    if (!isNow) return answer
    await answer.catch(() => undefined)
    throw new Error('The plug was pulled.')
  }
  return () => void (bank.ask = ask)
}

/** What a mutation of one field answers; throws what it is refused with. */
export async function actIn(bank: Platform, field: string, options: RestOptions = {}) {
  const { body } = await bank.graph(`mutation { act: ${field} }`, {}, options)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.act
}

/** What a query answers, by its fields; throws what it is refused with. */
export async function lookInto(bank: Platform, fields: string, options: RestOptions = {}) {
  const { body } = await bank.graph(`{ ${fields} }`, {}, options)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}
