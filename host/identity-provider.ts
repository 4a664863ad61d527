import type { TrustedIssuer } from '../kernel/authorization/token.ts'
import type { IdentityProviderConfig } from '../kernel/environment/identity-provider-config.ts'
import { scopesByRole, scopesOf } from '../subgraphs/staff/domain/roles.ts'
import type { StaffRole } from '../subgraphs/staff/model/employee.ts'

/**
 * Returns the identity provider of the bank as a trusted issuer of tokens. If its groups are mapped
 * to roles, a token with the claim has the scopes of those roles and no others. Throws an Error for
 * a role that does not exist.
 */
export function trustedProvider({ roles, ...issuer }: IdentityProviderConfig): TrustedIssuer {
  if (!roles) return issuer
  const { claim, rolesByValue } = roles
  const unknownRole = Object.values(rolesByValue)
    .flat()
    .find((role) => !Object.hasOwn(scopesByRole, role))
  if (unknownRole !== undefined) {
    const known = Object.keys(scopesByRole).join(', ')
    throw new Error(`AUTH_ROLES must map to the roles ${known}, not to "${unknownRole}".`)
  }
  return {
    ...issuer,
    scopesOf(claims) {
      const value = claim.split('.').reduce<unknown>((at, name) => memberOf(at, name), claims)
      if (value === undefined) return null
      const values = Array.isArray(value) ? value : [value]
      const granted = values.flatMap((each) =>
        typeof each === 'string' && Object.hasOwn(rolesByValue, each) ? rolesByValue[each]! : [],
      )
      return scopesOf(granted as StaffRole[])
    },
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
