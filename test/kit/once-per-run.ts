interface Stoppable {
  stop?(): Promise<void>
}

interface Shared {
  value: Promise<Stoppable>
  users: number
}

/** Each project loads its own copy of this module, so what they share is a property of the process. */
const shared = globalThis as unknown as Record<symbol, Shared | undefined>

/**
 * Starts what several projects of one test run use, for the first of them. The last `release`
 * stops it.
 */
export async function oncePerRun<Value extends Stoppable>(
  name: string,
  start: () => Promise<Value>,
): Promise<{ value: Value; release: () => Promise<void> }> {
  const key = Symbol.for(`bankgraph.test.${name}`)
  const own = (shared[key] ??= { value: start(), users: 0 })
  own.users += 1
  const value = (await own.value) as Value
  return {
    value,
    async release() {
      own.users -= 1
      if (own.users > 0) return
      shared[key] = undefined
      await value.stop?.()
    },
  }
}
