import { PaymentState } from './enumerations.ts'
import {
  boolean,
  currency,
  date,
  decimal,
  entity,
  enumeration,
  id,
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
} from '../../../kernel/domain/model.ts'
import { rails } from '../rails/registry.ts'
import { ArrangementStub, DirectionEnum } from './posting.ts'

export const RailEnum = enumeration(
  'Rail',
  'The payment system that carries a payment to the creditor.',
  Object.fromEntries(rails.map(({ name, description }) => [name, description])),
)

export const TransferExchange = shape(
  'TransferExchange',
  'The exchange rate of a transfer. The bank takes no margin.',
  {
    exchangeRateId: id('The ID of the exchange rate.'),
    baseCurrency: currency(
      'The base currency. The rate is the price of one unit of this currency.',
    ),
    quoteCurrency: currency('The quote currency, in which the rate is expressed.'),
    rate: decimal('The number of units of the quote currency for one unit of the base currency.'),
    source: string('The source of the rate, such as `ECB`.'),
    asOf: instant('The time to which the rate applies, in UTC.'),
  },
)
export type TransferExchange = TypeOf<typeof TransferExchange>

export const ExchangeQuote = shape(
  'ExchangeQuote',
  'The amounts of an exchange between two accounts of one customer at the rate in force.',
  {
    sold: money('The amount debited from the debtor account.'),
    bought: money('The amount credited to the creditor account.'),
    exchange: object(TransferExchange, 'The exchange rate.'),
  },
)
export type ExchangeQuote = TypeOf<typeof ExchangeQuote>

export const PartyStub = entity(
  'Party',
  'partyId',
  'A person or an organization that the bank knows.',
  {
    partyId: id(),
  },
)
export type PartyStub = TypeOf<typeof PartyStub>

export const PaymentSignature = shape(
  'PaymentSignature',
  'The signature of a signatory on a payment.',
  {
    partyId: id('The ID of the party that signed.'),
    party: object(
      PartyStub,
      'The party that signed; null if the caller may not see the party.',
    ).orNull(),
    isInitiator: boolean('Whether the party created the payment, which counts as its signature.'),
    signedAt: instant('When the party signed, in UTC.'),
  },
)
export type PaymentSignature = TypeOf<typeof PaymentSignature>

export const PaymentSigning = shape(
  'PaymentSigning',
  'The signatures that a payment needs, by the signing rule that applied when it was created.',
  {
    requiredSignatures: integer('The number of signatories that must sign the payment.'),
    signatoryPartyIds: list(
      id(),
      'The IDs of the parties whose signatures count, as long as they may pay from the account.',
    ),
    expiresAt: instant('When the payment is rejected if it still waits for signatures, in UTC.'),
  },
)
export type PaymentSigning = TypeOf<typeof PaymentSigning>

export const Payment = entity(
  'Payment',
  'paymentId',
  'A payment from an account at this bank, or an incoming payment from another bank.',
  {
    paymentId: id('The ID of the payment.'),
    direction: oneOf(
      DirectionEnum,
      '`OUT` if the payment debits an account at this bank, or `IN` if it comes from another bank.',
    ),
    rail: oneOf(RailEnum, 'The rail on which the payment is made.'),
    isSimulated: boolean(
      'Whether the rail simulates the other bank, so that no money leaves this bank. True only ' +
        'in the sandbox.',
    ),
    state: oneOf(PaymentState, 'The lifecycle state of the payment.'),
    amount: money('The amount debited from the debtor.'),
    creditedAmount: money(
      'The amount credited to the creditor if its currency differs from that of `amount`; null ' +
        'otherwise.',
    ).orNull(),
    exchange: object(
      TransferExchange,
      'The exchange rate between `amount` and `creditedAmount`; null if there is no exchange.',
    ).orNull(),
    debtorArrangement: object(
      ArrangementStub,
      'The account that is debited; null if it is at another bank or is not visible to the caller.',
    ).orNull(),
    debtorIban: string(
      'The IBAN of a debtor at another bank; null if the debtor account is at this bank.',
    ).orNull(),
    debtorName: string(
      'The name of a debtor at another bank; null if the debtor account is at this bank.',
    ).orNull(),
    creditorArrangement: object(
      ArrangementStub,
      'The account that is credited; null if it is at another bank or is not visible to the ' +
        'caller.',
    ).orNull(),
    creditorIban: string(
      'The IBAN of the creditor; null if the account was specified by its ID.',
    ).orNull(),
    creditorName: string('The name of the creditor; null if none was given.').orNull(),
    executionDate: date('The date on which the payment is executed.'),
    endToEndId: label('The end-to-end ID from the debtor; null if none was given.').orNull(),
    remittanceInformation: text(
      'The remittance information for the creditor; null if none was given.',
    ).orNull(),
    batchId: id(
      'The ID of the batch in which the rail sent the payment; null if the payment was not sent ' +
        'in a batch.',
    ).orNull(),
    cutOffAt: instant(
      'The cut-off time at which the rail sends the payment, in UTC; null if the payment was not ' +
        'accepted for a cut-off or was cancelled.',
    ).orNull(),
    settledAt: instant('When the payment was settled, in UTC; null before that.').orNull(),
    reasonCode: string(
      'The problem code of the rejection or cancellation by the bank, or the ISO 20022 reason ' +
        'code of the return; null otherwise.',
    ).orNull(),
    signing: object(
      PaymentSigning,
      'The signatures that the payment needs; null if it never waited for signatures, and for ' +
        'callers who cannot see the debtor account.',
    ).orNull(),
    signatures: list(
      object(PaymentSignature),
      'The signatures of the payment in the order of signing; empty if it never waited for ' +
        'signatures, and for callers who cannot see the debtor account.',
    ),
    createdAt: instant('When the payment was created, in UTC.'),
  },
)
export type Payment = TypeOf<typeof Payment>
