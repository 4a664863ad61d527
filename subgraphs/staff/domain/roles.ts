import { everyScope, type Scope } from '../../../kernel/domain/scopes.ts'
import type { StaffRole } from '../model/employee.ts'

const customerService: readonly Scope[] = [
  'products:read',
  'offers:read',
  'parties:read',
  'agreements:read',
  'accounts:read',
  'postings:read',
  'notifications:read',
  'cases:read',
  'cases:write',
  'routing:read',
  'events:read',
]

/**
 * The scopes of each role. No role can both decide on credit and approve the same decision in one
 * person: the four-eyes rules compare persons, whatever their roles are.
 */
export const scopesByRole: Readonly<Record<StaffRole, readonly Scope[]>> = {
  teller: [
    ...customerService,
    'parties:write',
    'agreements:write',
    'accounts:write',
    'postings:write',
    'notifications:write',
  ],
  'loan-officer': [
    ...customerService,
    'lending:read',
    'lending:write',
    'credit:submit',
    'credit:decide',
    'collections:read',
    'loans:accept',
    'collateral:write',
    'assist:use',
  ],
  approver: [
    ...customerService,
    'lending:read',
    'lending:write',
    'credit:decide',
    'provisioning:read',
    'provisioning:approve',
    'collections:read',
    'collections:approve',
    'products:approve',
    'fees:read',
    'fees:approve',
    'templates:approve',
    'assist:use',
    'assist:approve',
    'operations:read',
    'staff:read',
    'staff:approve',
    'privacy:read',
    'privacy:approve',
    'accounting:read',
    'accounting:approve',
  ],
  'contact-center-agent': [...customerService, 'lending:read', 'notifications:write', 'assist:use'],
  compliance: [
    ...customerService,
    'parties:write',
    'accounts:write',
    'lending:read',
    'operations:read',
    'privacy:export',
    'privacy:read',
    'privacy:write',
  ],
  operations: [
    ...customerService,
    'products:write',
    'lending:read',
    'rates:write',
    'fees:read',
    'fees:run',
    'provisioning:read',
    'provisioning:write',
    'collections:read',
    'collections:write',
    'routing:write',
    'templates:write',
    'events:subscribe',
    'operations:read',
    'operations:manage',
  ],
  accountant: [
    'products:read',
    'postings:read',
    'lending:read',
    'fees:read',
    'operations:read',
    'events:read',
    'accounting:read',
    'accounting:write',
  ],
  auditor: everyScope.filter((scope) => scope.endsWith(':read')),
  administrator: [
    'operations:read',
    'audit:read',
    'events:read',
    'clients:manage',
    'staff:read',
    'staff:manage',
    'staff:approve',
  ],
}

/** The scopes of every employee, for the own log-ins. */
const ownScopes: readonly Scope[] = ['sessions:read', 'sessions:manage']

/** Returns the scopes of roles, in the order of the list of all scopes. */
export function scopesOf(roles: readonly StaffRole[]): Scope[] {
  if (roles.length === 0) return []
  const granted = new Set([...ownScopes, ...roles.flatMap((role) => scopesByRole[role])])
  return everyScope.filter((scope) => granted.has(scope))
}
