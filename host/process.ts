/**
 * Shuts the process down gracefully. The first SIGTERM or SIGINT runs `stop`, after which the
 * process exits with 0. After a second signal, an error of `stop`, `timeoutMs` or an uncaught error,
 * the process exits with 1.
 */
export function stopOnSignal(
  stop: () => Promise<void>,
  logError: (message: string, error: unknown) => void,
  timeoutMs = 20_000,
): void {
  let isStopping = false
  const fail = (message: string, error: unknown): void => {
    logError(message, error)
    process.exit(1)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    const onTimeout = () =>
      fail('The shutdown took too long.', new Error(`${signal}: timeout after ${timeoutMs} ms`))
    setTimeout(onTimeout, timeoutMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail('The shutdown failed.', error),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', (error) => fail('An uncaught error ends the process.', error))
  process.on('unhandledRejection', (error) =>
    fail('An unhandled promise rejection ends the process.', error),
  )
}
