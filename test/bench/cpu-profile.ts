import type { Profiler } from 'node:inspector'

/**
 * Returns the share of the busy time of a CPU profile in functions of a file, and in what these
 * call.
 */
export function shareOf(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  functionNames: readonly string[],
  file: string,
): number {
  const parents = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const isInside = (id: number | undefined): boolean => {
    if (id === undefined) return false
    const { functionName, url } = byId.get(id)!.callFrame
    const isOne = functionNames.includes(functionName) && url.endsWith(file)
    return isOne || isInside(parents.get(id))
  }
  let busy = 0
  let inside = 0
  for (const [index, id] of samples.entries()) {
    if (byId.get(id)!.callFrame.functionName === '(idle)') continue
    busy += timeDeltas[index]!
    if (isInside(id)) inside += timeDeltas[index]!
  }
  return inside / busy
}
