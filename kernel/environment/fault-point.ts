let armed: { name: string; remainingHits: number } | null = null

/**
 * Arms a fault point for the fault harness: the process kills itself when it reaches the point for
 * the `hit`th time. null disarms it.
 */
export function armFaultPoint(point: { name: string; hit: number } | null): void {
  armed = point && { name: point.name, remainingHits: point.hit }
}

/**
 * Marks a place in the code where tests simulate a crash. Does nothing unless this point is armed.
 */
export function faultPoint(name: string): void {
  if (armed?.name !== name || --armed.remainingHits > 0) return
  process.kill(process.pid, 'SIGKILL')
}
