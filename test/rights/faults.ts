/** What the probe of foreign access found: responses that tell something of another party. */
export class Faults {
  readonly secrets: ReadonlySet<string>
  readonly faults: string[] = []
  /** Arguments that take ids of which Ada has none. */
  readonly untested = new Set<string>()
  tries = 0

  constructor(secrets: ReadonlySet<string>) {
    this.secrets = secrets
  }

  /** Reports every id of Ada's in a response, except the requested one. */
  look(where: string, answer: unknown, request: string | null): void {
    const walk = (value: unknown): void => {
      if (typeof value === 'string') {
        if (value !== request && this.secrets.has(value))
          this.faults.push(`${where}: returns ${value}`)
      } else if (Array.isArray(value)) value.forEach(walk)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    }
    walk(answer)
  }
}
