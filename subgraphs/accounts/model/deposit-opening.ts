import type { EarlyWithdrawalTerms } from '../../../kernel/domain/fixed-terms.ts'
import { MaturityInstruction } from '../../../kernel/domain/maturity-instruction.ts'
import {
  currency,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  money,
  oneOf,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const DepositOpening = entity(
  'DepositOpening',
  'depositOpeningId',
  'The opening of a savings account or a term deposit: the terms that were accepted, and the money ' +
    'with which it began. It never changes.',
  {
    depositOpeningId: id('The ID of the opening.'),
    arrangementId: id('The ID of the account that was opened.'),
    customerId: id('The ID of the customer.'),
    productId: id('The ID of the product.'),
    productVersion: label('The version of the product whose terms were accepted with the opening.'),
    fundingArrangementId: id(
      'The ID of the account from which the money came; null if the account was opened empty.',
    ).orNull(),
    postingInstructionId: id(
      'The ID of the posting that moved the money; null if the account was opened empty.',
    ).orNull(),
    termDepositId: id('The ID of the term deposit; null for a savings account.').orNull(),
    months: integer('The length of the term, in months; null for a savings account.').orNull(),
    annualRatePct: decimal(
      'The interest rate for the whole term, in percent per year; null for a savings account.',
    ).orNull(),
    maturityInstruction: oneOf(
      MaturityInstruction,
      'What happens at the maturity, as chosen with the opening; null for a savings account.',
    ).orNull(),
    createdAt: instant('When the terms were accepted and the account was opened, in UTC.'),
    partyId: stored<string>(),
    currency: stored<string>(),
    /** The money with which the account began, in minor units; zero if it was opened empty. */
    amountMinor: stored<bigint>(),
    earlyWithdrawal: stored<EarlyWithdrawalTerms | null>(),
    openedBy: string('The access token subject of the person who opened the deposit.').forBank(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type DepositOpening = TypeOf<typeof DepositOpening>

export const OpenDepositInput = input(
  'OpenDepositInput',
  'A savings account or a term deposit to open.',
  {
    depositOpeningId: id(
      'The ID of the opening; generated if omitted. A repeated request with the same ID and content ' +
        'returns the existing opening.',
    ).orNull(),
    arrangementId: id('The ID of the new account; generated if omitted.').orNull(),
    customerId: id('The ID of the customer, who must be active and have passed KYC.'),
    productId: id('The ID of the product. Customers open the products in `depositOffers`.'),
    acceptedVersion: label(
      'The version of the product whose terms the customer accepts. If it is not on sale, the request ' +
        'is rejected with `PRODUCT_NOT_ACTIVE`.',
    ),
    currency: currency(
      'The currency of the account. Defaults to the first currency of the product.',
    ).orNull(),
    nickname: label("The customer's name for the account.").orNull(),
    fundingArrangementId: id(
      'The ID of the account from which the money comes: another open account of the same customer in ' +
        'the same currency. A term deposit is also paid out to it. If omitted, a savings account is ' +
        'opened empty.',
    ).orNull(),
    amount: money(
      'The money with which the account begins, greater than zero. Required with ' +
        '`fundingArrangementId`, and only allowed with it.',
    ).orNull(),
    months: integer(
      'The length of the term, in months: one that the product offers today. Required for a term ' +
        'deposit, and only allowed for one.',
    ).orNull(),
    maturityInstruction: oneOf(
      MaturityInstruction,
      'What happens at the maturity of a term deposit. Defaults to `PAY_OUT`.',
    ).orNull(),
  },
)
export type OpenDepositInput = TypeOf<typeof OpenDepositInput>
