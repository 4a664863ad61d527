import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Scope } from '../../kernel/domain/scopes.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { expireAgreements, expireKycChecks } from './workers/end-of-day.ts'
import { AgreementOperations, AgreementResolver } from './graph/agreement.resolver.ts'
import { ContactOperations } from './graph/contact.resolver.ts'
import { CustomerOperations, CustomerResolver } from './graph/customer.resolver.ts'
import { EntitlementOperations, EntitlementResolver } from './graph/entitlement.resolver.ts'
import { PartyOperations, PartyResolver } from './graph/party.resolver.ts'
import { loadAgreement } from './store/agreement.ts'
import { loadCustomer } from './store/customer.ts'
import { loadEntitlement } from './store/entitlement.ts'
import { loadParty } from './store/party.ts'

type Load = (context: Context, id: string) => Promise<object | null>

/**
 * Returns the resolver of references to a federated entity. `scope` is the scope that the query for
 * the entity also requires; `key` is the key field of the entity.
 */
const referenceResolver = (scope: Scope, key: string, load: Load) => {
  return async (representation: Record<string, string>, context: Context) => {
    requireScope(context.caller, scope)
    return load(context, representation[key]!)
  }
}

/** The subgraph of parties, customers, agreements and entitlements. */
export const parties: Subgraph = {
  name: 'parties',
  resolvers: [
    PartyOperations,
    PartyResolver,
    ContactOperations,
    CustomerOperations,
    CustomerResolver,
    AgreementOperations,
    AgreementResolver,
    EntitlementOperations,
    EntitlementResolver,
  ],
  types: [],
  references: {
    Party: referenceResolver('parties:read', 'partyId', loadParty),
    Customer: referenceResolver('parties:read', 'customerId', loadCustomer),
    Entitlement: referenceResolver('parties:read', 'entitlementId', loadEntitlement),
    Agreement: referenceResolver('agreements:read', 'agreementId', loadAgreement),
  },
  workers: [expireAgreements, expireKycChecks],
}
