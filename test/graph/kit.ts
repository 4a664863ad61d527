import type { Platform, RestOptions } from '../kit/platform.ts'

/**
 * Makes the graph fail at one request of a worker, counted from 0: before the request is executed,
 * or afterwards, so that its response is lost. Returns a function that restores it.
 */
export function pullThePlug({ bank }: Platform, at: number, when: 'before' | 'after'): () => void {
  const { queryGraph } = bank
  let request = 0
  bank.queryGraph = async (...question) => {
    const isNow = request++ === at
    if (isNow && when === 'before') throw new Error('The plug was pulled.')
    const answer = queryGraph(...question)
    if (!isNow) return answer
    await answer.catch(() => undefined)
    throw new Error('The plug was pulled.')
  }
  return () => void (bank.queryGraph = queryGraph)
}

/** Returns the response of a mutation with one field; throws its errors. */
export async function runMutation(bank: Platform, field: string, options: RestOptions = {}) {
  const { body } = await bank.graph(`mutation { act: ${field} }`, {}, options)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.act
}

/** Returns the fields of a query; throws its errors. */
export async function runQuery(bank: Platform, fields: string, options: RestOptions = {}) {
  const { body } = await bank.graph(`{ ${fields} }`, {}, options)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}
