import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './exposure-events.ts'
import './overdraft-events.ts'
import './personal-data.ts'
import {
  AccountInterestResolver,
  ArrangementInterestResolver,
  InterestCapitalizationResolver,
} from './graph/account-interest.resolver.ts'
import {
  ArrangementOverdraftInterestResolver,
  OverdraftInterestAccrualResolver,
  OverdraftInterestChargeResolver,
  OverdraftInterestResolver,
} from './graph/overdraft-interest.resolver.ts'
import {
  ArrangementCommitmentFeeResolver,
  CommitmentFeeChargeResolver,
  CommitmentFeeResolver,
} from './graph/commitment-fee.resolver.ts'
import {
  ArrangementOverdraftExposureResolver,
  OverdraftExposureOperations,
  OverdraftExposureResolver,
} from './graph/overdraft-exposure.resolver.ts'
import {
  AccountCertificateResolver,
  ArrangementCertificateResolver,
} from './graph/certificate.resolver.ts'
import { InterestOperations } from './graph/interest.resolver.ts'
import {
  ArrangementTermDepositsResolver,
  TermDepositOperations,
  TermDepositResolver,
} from './graph/term-deposit.resolver.ts'
import { AccountArrangementStub, PostingInstructionStub, ProductStub } from './model/references.ts'
import { loadRateOverride } from './store/rate-override.ts'
import { loadTaxExemption } from './store/tax-exemption.ts'
import { loadTermDeposit } from './store/term-deposit.ts'
import {
  accrueCommitmentFees,
  accrueDeposits,
  accrueOverdrafts,
} from './workers/accrue-interest.ts'
import { followAccounts } from './workers/follow-accounts.ts'
import { followOverdrafts } from './workers/follow-overdrafts.ts'

/**
 * The interest subgraph: the interest that accounts earn and that their overdrafts cost, accrued daily
 * and paid or charged by the calendar.
 */
export const interest: Subgraph = {
  name: 'interest',
  resolvers: [
    InterestOperations,
    ArrangementInterestResolver,
    AccountInterestResolver,
    InterestCapitalizationResolver,
    ArrangementOverdraftInterestResolver,
    OverdraftInterestResolver,
    OverdraftInterestAccrualResolver,
    OverdraftInterestChargeResolver,
    ArrangementCommitmentFeeResolver,
    CommitmentFeeResolver,
    CommitmentFeeChargeResolver,
    OverdraftExposureOperations,
    OverdraftExposureResolver,
    ArrangementOverdraftExposureResolver,
    TermDepositOperations,
    TermDepositResolver,
    ArrangementTermDepositsResolver,
    ArrangementCertificateResolver,
    AccountCertificateResolver,
  ],
  types: [AccountArrangementStub, PostingInstructionStub, ProductStub],
  references: {
    AccountArrangement: referenceByKey('arrangementId'),
    InterestRateOverride: referenceTo('accounts:read', 'rateOverrideId', loadRateOverride),
    TermDeposit: referenceTo('accounts:read', 'termDepositId', loadTermDeposit),
    InterestTaxExemption: referenceTo('accounts:read', 'taxExemptionId', loadTaxExemption),
  },
  workers: [
    followAccounts,
    followOverdrafts,
    accrueDeposits,
    accrueOverdrafts,
    accrueCommitmentFees,
  ],
}
