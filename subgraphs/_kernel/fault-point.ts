let armed: { name: string; left: number } | null = null

/** Makes this process die at a point, when it gets there for the `hit`th time; the fault harness asks for it. */
export function armFaultPoint(point: { name: string; hit: number } | null): void {
  armed = point && { name: point.name, left: point.hit }
}

/** A place where a crash is worth a test. Nothing happens unless the process was told to die here. */
export function faultPoint(name: string): void {
  if (armed?.name !== name || --armed.left > 0) return
  process.kill(process.pid, 'SIGKILL')
}
