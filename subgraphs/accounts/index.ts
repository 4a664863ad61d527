import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import {
  ArrangementOperations,
  ArrangementResolver,
  CustomerAccountsResolver,
  PartyAccountsResolver,
} from './graph/arrangement.resolver.ts'
import {
  ArrangementOverdraftsResolver,
  OverdraftOperations,
  OverdraftResolver,
} from './graph/overdraft.resolver.ts'
import {
  OverdraftWriteOffOperations,
  OverdraftWriteOffPreviewResolver,
  OverdraftWriteOffResolver,
} from './graph/overdraft-write-off.resolver.ts'
import {
  ArrangementSigningResolver,
  SigningRuleOperations,
  SigningRuleResolver,
} from './graph/signing-rule.resolver.ts'
import {
  ArrangementDepositOpeningResolver,
  DepositOpeningOperations,
  DepositOpeningResolver,
} from './graph/deposit-opening.resolver.ts'
import { BalanceOperations, BalanceResolver, StatementResolver } from './graph/balance.resolver.ts'
import { AccountEntryResolver } from './graph/entry.resolver.ts'
import { Customer, Party, ProductStub } from './model/references.ts'
import { loadArrangement } from './store/arrangement.ts'
import { loadOverdraft } from './store/overdraft.ts'
import { changeOverdraftLimits } from './workers/change-overdraft-limits.ts'
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
    StatementResolver,
    OverdraftOperations,
    OverdraftResolver,
    ArrangementOverdraftsResolver,
    OverdraftWriteOffOperations,
    OverdraftWriteOffResolver,
    OverdraftWriteOffPreviewResolver,
    SigningRuleOperations,
    SigningRuleResolver,
    ArrangementSigningResolver,
    DepositOpeningOperations,
    DepositOpeningResolver,
    ArrangementDepositOpeningResolver,
    CustomerAccountsResolver,
    PartyAccountsResolver,
  ],
  types: [Customer, Party, ProductStub],
  references: {
    AccountArrangement: referenceTo('accounts:read', 'arrangementId', loadArrangement),
    Overdraft: referenceTo('accounts:read', 'overdraftId', loadOverdraft),
    Customer: referenceByKey('customerId'),
    Party: referenceByKey('partyId'),
  },
  workers: [publishBalances, changeOverdraftLimits],
}
