/** The role of one process of the platform. */
export interface Role {
  /** Whether the process serves clients: GraphQL, the REST API and OAuth tokens. */
  hasGateway: boolean
  /** The subgraphs that run in this process. The others are called over HTTP. */
  subgraphs: readonly string[]
  /** Whether the process starts the embedded PostgreSQL if no database is configured. */
  mayEmbedDatabase: boolean
}

const usage = 'Start as: all | gateway | subgraph <name> [<name> …]'

/**
 * Parses the program's arguments. The default is `all`, which runs the subgraphs that `remoteNames`
 * does not contain. Throws an Error for an unknown role, and for an unknown or duplicate subgraph.
 */
export function parseRole(
  args: readonly string[],
  knownNames: readonly string[],
  remoteNames: readonly string[],
): Role {
  const unknownName = remoteNames.find((name) => !knownNames.includes(name))
  if (unknownName !== undefined)
    throw new Error(`SUBGRAPH_URLS names an unknown subgraph: ${unknownName}.`)
  const [role = 'all', ...names] = args
  if (role === 'subgraph') {
    requireSubgraphs(names, knownNames)
    return { hasGateway: false, subgraphs: names, mayEmbedDatabase: false }
  }
  if (names.length > 0 || (role !== 'all' && role !== 'gateway')) throw new Error(usage)
  const isAll = role === 'all'
  const subgraphs = isAll ? knownNames.filter((name) => !remoteNames.includes(name)) : []
  return { hasGateway: true, subgraphs, mayEmbedDatabase: isAll }
}

function requireSubgraphs(names: readonly string[], knownNames: readonly string[]): void {
  if (names.length === 0) throw new Error(`${usage}\nSubgraphs: ${knownNames.join(' ')}`)
  for (const [index, name] of names.entries()) {
    if (!knownNames.includes(name)) {
      throw new Error(`The subgraph ${name} is unknown. Subgraphs: ${knownNames.join(' ')}`)
    }
    if (names.indexOf(name) !== index) throw new Error(`The subgraph ${name} is named twice.`)
  }
}
