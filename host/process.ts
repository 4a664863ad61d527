const stopTimeoutMs = 20_000

/**
 * Ends the process in order: the first SIGTERM or SIGINT runs `stop` and exits with 0. A second one,
 * a failure of `stop` or 20 s exit with 1, and so does an error that nobody caught.
 */
export function stopOnSignal(
  stop: () => Promise<void>,
  logError: (message: string, error: unknown) => void,
): void {
  let isStopping = false
  const fail = (message: string, error: unknown): void => {
    logError(message, error)
    process.exit(1)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    const overdue = () =>
      fail('The stop took too long.', new Error(`${signal}: gave up after 20 s`))
    setTimeout(overdue, stopTimeoutMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail('The stop failed.', error),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', (error) =>
    fail('An error nobody caught ends the process.', error),
  )
  process.on('unhandledRejection', (error) => fail('A promise nobody awaited failed.', error))
}
