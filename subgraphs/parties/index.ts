import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { expireAgreements, expireKycChecks } from './workers/end-of-day.ts'
import { AgreementOperations, AgreementResolver } from './graph/agreement.resolver.ts'
import { ContactOperations } from './graph/contact.resolver.ts'
import { CustomerOperations, CustomerResolver } from './graph/customer.resolver.ts'
import {
  AccountHoldersResolver,
  EntitlementOperations,
  EntitlementResolver,
} from './graph/entitlement.resolver.ts'
import { PartyOperations, PartyResolver } from './graph/party.resolver.ts'
import { AccountStub } from './model/entitlement.ts'
import { loadAgreement } from './store/agreement.ts'
import { loadCustomer } from './store/customer.ts'
import { loadEntitlement } from './store/entitlement.ts'
import { loadParty } from './store/party.ts'

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
    AccountHoldersResolver,
  ],
  types: [AccountStub],
  references: {
    Party: referenceTo('parties:read', 'partyId', loadParty),
    Customer: referenceTo('parties:read', 'customerId', loadCustomer),
    Entitlement: referenceTo('parties:read', 'entitlementId', loadEntitlement),
    AccountArrangement: referenceByKey('arrangementId'),
    Agreement: referenceTo('agreements:read', 'agreementId', loadAgreement),
  },
  workers: [expireAgreements, expireKycChecks],
}
