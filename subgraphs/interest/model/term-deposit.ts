import type { EarlyWithdrawalTerms } from '../../../kernel/domain/fixed-terms.ts'
import { MaturityInstruction } from '../../../kernel/domain/maturity-instruction.ts'
import {
  boolean,
  date,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  money,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { TermDepositState } from './enumerations.ts'

export const TermDeposit = entity(
  'TermDeposit',
  'termDepositId',
  'The money of an account that is deposited for a fixed term at a fixed rate. Nothing can be posted ' +
    'to the account until the deposit has ended.',
  {
    termDepositId: id('The ID of the term deposit.'),
    arrangementId: id('The ID of the account that holds the deposit.'),
    settlementArrangementId: id(
      'The ID of the account that funded the deposit and receives what is paid out.',
    ),
    state: oneOf(TermDepositState, 'The state of the deposit.'),
    months: integer('The length of the term, in months.'),
    annualRatePct: decimal('The interest rate for the whole term, in percent per year.'),
    startsOn: date('The first day of the term.'),
    maturesOn: date('The day on which the term ends. It earns nothing itself.'),
    endsOn: date(
      'The day on which the deposit ends: its maturity, or an earlier day after a notice.',
    ),
    endedOn: date('The day on which the deposit ended; null while it runs.').orNull(),
    maturityInstruction: oneOf(MaturityInstruction, 'What happens at the maturity.'),
    noticeGivenOn: date(
      'The day of the notice of an early withdrawal; null if there was none.',
    ).orNull(),
    previousTermDepositId: id(
      'The ID of the deposit that was renewed by this one; null if there is none.',
    ).orNull(),
    createdAt: instant('When the deposit was created, in UTC.'),
    partyId: stored<string>(),
    currency: stored<string>(),
    // Amounts are in minor units.
    principalMinor: stored<bigint>(),
    /** The interest that the account had accrued in total before the term. */
    accruedBeforeMinor: stored<bigint>(),
    interestMinor: stored<bigint | null>(),
    penaltyMinor: stored<bigint | null>(),
    paidOutMinor: stored<bigint | null>(),
    earlyWithdrawal: stored<EarlyWithdrawalTerms | null>(),
    waiverReason: string('Why the bank waived the penalty; null if it did not.').orNull().forBank(),
    settlementPostingId: stored<string | null>(),
    openedBy: string(
      'The access token subject of the person who created the deposit, or the first one that was renewed since.',
    ).forBank(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type TermDeposit = TypeOf<typeof TermDeposit>

export const EarlyWithdrawal = shape(
  'TermDepositEarlyWithdrawal',
  'What it costs to withdraw a term deposit before its maturity, as agreed for the term. Both ' +
    'penalties are added.',
  {
    noticeDays: integer('The days between the notice and the withdrawal.'),
    penaltyDays: integer('The days of interest, at the rate of the term, that the penalty is.'),
    penaltyRatePct: decimal(
      'The rate, in percent per year, that the penalty is for the days of the deposit.',
    ),
    isPrincipalProtected: boolean(
      'Whether the penalty is never more than the interest of the term after tax.',
    ),
  },
)

export const TermDepositPreview = shape(
  'TermDepositPreview',
  'What a term deposit that begins today would earn. Nothing is booked.',
  {
    startsOn: date('The first day of the term: today.'),
    maturesOn: date('The day on which the term would end.'),
    annualRatePct: decimal('The interest rate for the whole term, in percent per year.'),
    principal: money('The amount of the deposit.'),
    gross: money('The interest until the maturity, before tax.'),
    taxWithheld: money('The tax that would be withheld.'),
    net: money('The interest after tax.'),
  },
)
export type TermDepositPreview = TypeOf<typeof TermDepositPreview>

export const WithdrawalPreview = shape(
  'TermDepositWithdrawalPreview',
  'What an early withdrawal of a term deposit, requested today, would pay out. Nothing is booked.',
  {
    endsOn: date('The day on which the deposit would end, after the days of notice.'),
    interest: money('The interest of the term until that day, before tax.'),
    penalty: money('What the withdrawal costs.'),
    paidOut: money('What the settlement account would receive.'),
  },
)
export type WithdrawalPreview = TypeOf<typeof WithdrawalPreview>

export const CreateTermDepositInput = input('CreateTermDepositInput', 'A term deposit to create.', {
  termDepositId: id('The ID of the deposit; generated if omitted.').orNull(),
  arrangementId: id(
    'The ID of the account that will hold the deposit. It must be active and empty, and its product ' +
      'must offer fixed terms.',
  ),
  settlementArrangementId: id(
    'The ID of the account from which the money comes, and to which it is paid out: another open ' +
      'account of the same customer in the same currency.',
  ),
  amount: money('The amount of the deposit, within the bounds of the product.'),
  months: integer('The length of the term, in months: one that the product offers today.'),
  maturityInstruction: oneOf(
    MaturityInstruction,
    'What happens at the maturity. Defaults to `PAY_OUT`.',
  ).orNull(),
})
export type CreateTermDepositInput = TypeOf<typeof CreateTermDepositInput>

export const ChangeMaturityInstructionInput = input(
  'ChangeMaturityInstructionInput',
  'What to change of a term deposit before it ends. What is omitted stays the same.',
  {
    termDepositId: id('The ID of the term deposit.'),
    maturityInstruction: oneOf(MaturityInstruction, 'What happens at the maturity.').orNull(),
    settlementArrangementId: id(
      'The ID of the account to which the deposit is paid out: another open account of the same ' +
        'customer in the same currency.',
    ).orNull(),
  },
)
export type ChangeMaturityInstructionInput = TypeOf<typeof ChangeMaturityInstructionInput>

export const WithdrawTermDepositInput = input(
  'WithdrawTermDepositInput',
  'A term deposit to withdraw before its maturity.',
  {
    termDepositId: id('The ID of the term deposit.'),
    waiverReason: text(
      'Why the bank waives the penalty and the notice. If omitted, both apply, and a deposit that ' +
        'cannot be withdrawn early is rejected.',
    ).orNull(),
  },
)
export type WithdrawTermDepositInput = TypeOf<typeof WithdrawTermDepositInput>
