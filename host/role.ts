/** What one process of the platform does. */
export interface Role {
  /** Answers people and programs: the graph, the documented contract, tokens. */
  hasGateway: boolean
  /** The subgraphs that run here; the others are asked over HTTP. */
  subgraphs: readonly string[]
  /** Brings its own PostgreSQL where none is named. */
  mayEmbedDatabase: boolean
}

const usage = 'Start as: all | gateway | subgraph <name> [<name> …]'

/**
 * What the program's arguments ask for; nothing is `all`, which runs here what `remote` does not
 * name. Refuses with an Error another role, an unknown subgraph, and a subgraph twice.
 */
export function parseRole(
  args: readonly string[],
  known: readonly string[],
  remote: readonly string[],
): Role {
  const unknown = remote.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`SUBGRAPH_URLS: there is no subgraph ${unknown}.`)
  const [role = 'all', ...names] = args
  if (role === 'subgraph') {
    requireSubgraphs(names, known)
    return { hasGateway: false, subgraphs: names, mayEmbedDatabase: false }
  }
  if (names.length > 0 || (role !== 'all' && role !== 'gateway')) throw new Error(usage)
  const isAll = role === 'all'
  const subgraphs = isAll ? known.filter((name) => !remote.includes(name)) : []
  return { hasGateway: true, subgraphs, mayEmbedDatabase: isAll }
}

function requireSubgraphs(names: readonly string[], known: readonly string[]): void {
  if (names.length === 0) throw new Error(`${usage}\nSubgraphs: ${known.join(' ')}`)
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) {
      throw new Error(`There is no subgraph ${name}. Subgraphs: ${known.join(' ')}`)
    }
    if (names.indexOf(name) !== index) throw new Error(`The subgraph ${name} is named twice.`)
  }
}
