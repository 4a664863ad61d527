import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import {
  ArrangementResolver,
  CustomerAccountsResolver,
  PartyAccountsResolver,
} from './graph/arrangement.resolver.ts'
import { BalanceResolver } from './graph/balance.resolver.ts'
import { ArrangementMovesResolver } from './graph/moves.resolver.ts'
import { Customer, Party, ProductStub } from './graph/stubs.types.ts'
import { loadArrangement } from './store.ts'
import { tellBalances } from './tell-balances.ts'

/** Accounts. Customers and parties get their accounts here; the fields filter by who asks. */
export const accounts: Subgraph = {
  name: 'accounts',
  resolvers: [
    ArrangementResolver,
    ArrangementMovesResolver,
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
  workers: [tellBalances],
}
