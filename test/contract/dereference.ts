/** The served contract with each reference to one of its own schemas replaced by the schema, as a client generator reads it. */
export function dereference(contract: any): any {
  const read = (value: any): any => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(read)
    const name = /^#\/components\/schemas\/(\w+)$/.exec(value.$ref ?? '')?.[1]
    if (name && name !== 'Problem') return read(contract.components.schemas[name])
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item)]))
  }
  return read(contract)
}
