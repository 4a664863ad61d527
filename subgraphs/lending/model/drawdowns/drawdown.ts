import { DrawdownState } from './enumerations.ts'
import {
  amount,
  boolean,
  currency,
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { NextInstallment, ScheduleFigures } from '../schedules/facility-schedule.ts'
import { Installment } from '../schedules/schedule.ts'
import { AccountArrangementStub } from '../facilities/references.ts'

export const Drawdown = entity('Drawdown', 'drawdownId', 'A payout from a facility.', {
  drawdownId: id('The ID of the drawdown.'),
  facilityId: id('The ID of the facility.'),
  amount: money('The amount drawn, including the upfront fees.'),
  fee: money('The upfront fees deducted from the payout; zero until the drawdown is paid out.'),
  status: oneOf(DrawdownState, 'The lifecycle state of the drawdown.'),
  valueDate: date('The date of the payout, from which interest accrues.'),
  destination: object(
    AccountArrangementStub,
    'The account at this bank that receives the payout; null if the payout goes to another bank.',
  ).orNull(),
  destinationIban: string(
    'The IBAN that receives the payout; null if the account was specified by its ID or is the ' +
      "facility's settlement account.",
  ).orNull(),
  isSimulated: boolean(
    'Whether the payout goes to an account at another bank. This is possible only in the ' +
      'sandbox, where such a payout is simulated and no money leaves the bank.',
  ),
  destinationName: string('The name of the recipient; null if none was given.').orNull(),
  purpose: text('The purpose stated in the request; null if none was given.').orNull(),
  reference: label("The client's own reference; null if none was given.").orNull(),
  trancheId: label(
    "The client's name for the tranche that the drawdown belongs to; null if none was given.",
  ).orNull(),
  availableLimitBefore: money(
    'The amount that could be drawn before the drawdown, calculated when the drawdown was ' +
      'requested.',
  ),
  availableLimitAfter: money(
    'The amount that can be drawn after the drawdown, calculated when the drawdown was ' +
      'requested.',
  ),
  outstandingPrincipal: money(
    'The outstanding principal after the drawdown: the expected amount until the drawdown is ' +
      'paid out, then the actual amount at the payout.',
  ),
  scheduleVersion: integer(
    'The number of the schedule version that the payout created; null until the drawdown is ' +
      'paid out.',
  ).orNull(),
  nextInstallment: object(
    NextInstallment,
    'The next installment under the schedule version in `scheduleVersion`, as of the payout; ' +
      'null until the drawdown is paid out.',
  ).orNull(),
  postingInstructionId: id(
    'The ID of the posting instruction that booked the payout; null until the drawdown is ' +
      'paid out.',
  ).orNull(),
  reasonCode: label(
    'The reason given for declining the drawdown, or the problem code because of which the ' +
      'drawdown was cancelled when it was to be paid out; null in all other cases.',
  ).orNull(),
  createdAt: instant('When the drawdown was requested, in UTC.'),
})
export type Drawdown = TypeOf<typeof Drawdown>

export const DrawdownPreview = shape(
  'DrawdownPreview',
  'The effects that a drawdown would have. Nothing is stored.',
  {
    amount: money('The amount to be drawn, including the upfront fees.'),
    fee: money('The upfront fees that would be deducted from the payout.'),
    valueDate: date('The date of the payout, from which interest would accrue.'),
    availableLimitBefore: money('The amount that can be drawn now.'),
    availableLimitAfter: money('The amount that could be drawn after the drawdown.'),
    outstandingPrincipal: money('The outstanding principal after the drawdown.'),
    scheduleVersion: integer('The number of the schedule version that the payout would create.'),
    nextInstallment: object(
      NextInstallment,
      'The next installment under the new schedule version; null if none is left.',
    ).orNull(),
    before: object(
      ScheduleFigures,
      'The key figures of the current schedule; null for a loan without earlier drawdowns.',
    ).orNull(),
    after: object(ScheduleFigures, 'The key figures of the schedule after the drawdown.'),
    installments: list(object(Installment), 'The installments of the schedule after the drawdown.'),
  },
)
export type DrawdownPreview = TypeOf<typeof DrawdownPreview>

const ExternalAccountInput = input(
  'ExternalAccountInput',
  'An account at this bank or another bank, identified by its IBAN.',
  {
    iban: string('The IBAN of the account. Spaces are ignored.'),
    name: label('The name of the account holder.').orNull(),
  },
)
type ExternalAccountInput = TypeOf<typeof ExternalAccountInput>

const DrawdownDestinationInput = input(
  'DrawdownDestinationInput',
  'The account that receives the payout. Send exactly one of the fields.',
  {
    arrangementId: id('The ID of an account at this bank.').orNull(),
    externalAccount: object(ExternalAccountInput, 'An account identified by its IBAN.').orNull(),
  },
)
type DrawdownDestinationInput = TypeOf<typeof DrawdownDestinationInput>

export const CreateDrawdownInput = input(
  'CreateDrawdownInput',
  'A drawdown to request or to preview.',
  {
    facilityId: id('The ID of the facility to draw from.'),
    drawdownId: id(
      'The ID of the new drawdown; generated if omitted. A repeated request with the same ID ' +
        'and content returns the existing drawdown.',
    ).orNull(),
    amount: amount('The amount to draw, greater than zero.'),
    currency: currency(
      "The currency of the amount. It must be the facility's currency, which is the default.",
    ).orNull(),
    valueDate: date(
      'The date on which the drawdown is paid out, at most 366 days ahead. Defaults to today. ' +
        'Only the bank can send a past date, at most 30 days back.',
    ).orNull(),
    destination: object(
      DrawdownDestinationInput,
      "The account that receives the payout. Defaults to the facility's settlement account.",
    ).orNull(),
    purpose: text('The purpose of the drawdown.').orNull(),
    trancheId: label("The client's name for the tranche that the drawdown belongs to.").orNull(),
    reference: label("The client's own reference. It is stored and returned.").orNull(),
  },
)
export type CreateDrawdownInput = TypeOf<typeof CreateDrawdownInput>
