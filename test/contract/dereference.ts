/** Returns the served contract with references to its own schemas resolved, as a client generator reads it. */
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

/** The schema of a response, with no additional members allowed. */
export function strict(schema: any): any {
  if (schema.type === 'array') return { ...schema, items: strict(schema.items) }
  if (!schema.properties) return schema
  const members = Object.entries(schema.properties).map(([name, member]) => [name, strict(member)])
  return { ...schema, properties: Object.fromEntries(members), additionalProperties: false }
}
