/** Waits until `check` answers something truthy; tests poll with it instead of sleeping. */
export async function eventually<Value>(
  check: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  withinMs = 10_000,
): Promise<Value> {
  const until = Date.now() + withinMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() > until) throw new Error('It did not become true in time.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
