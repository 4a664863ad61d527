import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

/** What the receiver of a payment may see, as in a statement of account. */
const shownToCreditor =
  'payment_id direction rail state creditor_arrangement_id creditor_party_id creditor_iban ' +
  'creditor_name debtor_iban debtor_name amount_minor currency credited_minor credited_currency ' +
  'execution_date end_to_end_id remittance_information settled_at created_at'

declarePersonalData('payments', 'the payments of customers', {
  'payments.payment': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      debtor_iban: { category: 'financial', plain: plainReasons.sql },
      debtor_name: 'financial',
      creditor_iban: { category: 'financial', plain: plainReasons.sql },
      creditor_name: 'financial',
      end_to_end_id: 'financial',
      remittance_information: 'financial',
    },
    other: 'direction rail exchange signing',
    // Until the money has arrived, a payment is between its party and the bank.
    counterparty: {
      party: "creditor_party_id = $1 and state = 'settled'",
      shows: shownToCreditor,
    },
  },
  'payments.standing_order': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      creditor_iban: { category: 'financial', plain: plainReasons.sql },
      creditor_name: 'financial',
      end_to_end_id: 'financial',
      remittance_information: 'financial',
    },
    other: 'rail frequency',
  },
  'payments.trusted_payee': {
    party: 'party_id',
    rule: 'contract',
    personal: {
      creditor_iban: { category: 'financial', plain: plainReasons.sql },
      payee: { category: 'financial', plain: plainReasons.sql },
      name: { category: 'financial', plain: plainReasons.sql },
    },
  },
  'payments.low_value_counter': null,
  'payments.rail_batch': null,
  'payments.exchange_rate': null,
})
