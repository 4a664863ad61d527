/**
 * The versions of the contracts with clients, which the served documents carry. They follow semantic
 * versioning: a breaking change needs a new major version. The version of the REST operations is that
 * of their specification.
 */
export const contractVersions = {
  graph: '1.0.0',
  rest: '1.0.0',
  events: '1.0.0',
} as const

/** The name of a contract with clients. */
export type ContractName = keyof typeof contractVersions
