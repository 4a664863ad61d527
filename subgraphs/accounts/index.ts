import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import {
  ArrangementOperations,
  ArrangementResolver,
  CustomerAccountsResolver,
  PartyAccountsResolver,
} from './graph/arrangement.resolver.ts'
import { BalanceOperations, BalanceResolver } from './graph/balance.resolver.ts'
import { AccountEntryResolver } from './graph/entry.resolver.ts'
import { Customer, Party, ProductStub } from './model/references.ts'
import { loadArrangement } from './store/arrangement.ts'
import { publishBalances } from './workers/publish-balances.ts'
import './personal-data.ts'

/**
 * The accounts subgraph. It also adds fields to Customer and Party, which return only accounts that
 * the caller may see.
 */
export const accounts: Subgraph = {
  name: 'accounts',
  resolvers: [
    AccountEntryResolver,
    ArrangementOperations,
    ArrangementResolver,
    BalanceOperations,
    BalanceResolver,
    CustomerAccountsResolver,
    PartyAccountsResolver,
  ],
  types: [Customer, Party, ProductStub],
  references: {
    async AccountArrangement({ arrangementId }: { arrangementId: string }, context) {
      requireScope(context.caller, 'accounts:read')
      return loadArrangement(context, arrangementId)
    },
    Customer: ({ customerId }: { customerId: string }) => ({ customerId }),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
  },
  workers: [publishBalances],
}
