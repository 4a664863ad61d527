const promiseOfAda = `insert into lending.promise_to_pay
  select 'ptp_ada', facility_id, party_id, 'open', 100, currency, opened_on, '2099-01-01', null,
    'pty_ada', '', 1, created_at, updated_at
  from lending.facility where party_id = 'pty_ada' limit 1`

const letterOfAda = `with reset as (insert into lending.rate_reset
    select facility_id, opened_on, opened_on, 'RATE', opened_on, '2', '5', '6', null, created_at
    from lending.facility where party_id = 'pty_ada' limit 1 returning facility_id, reset_on, created_at)
  insert into lending.rate_reset_letter
  select 'rrl_ada', facility_id, reset_on, 'pty_ada', 'sent', null, 'doc_ada_letter', null, created_at, '', 1,
    created_at, created_at from reset`

const guarantorOfAda = `insert into lending.facility_obligor
  select 'obl_ada', facility_id, 'pty_eve', party_id, 'guarantor', 'active', currency, 100, '50', null,
    'doc_ada', 'ruth', null, null, null, null, '', 1, created_at, updated_at
  from lending.facility where party_id = 'pty_ada' limit 1`
const callOfAda = `insert into lending.guarantee_call
  select 'gcl_ada', obligor_id, facility_id, party_id, borrower_party_id, 'open', 100, currency,
    '2099-01-01', 'ruth', null, '', 1, created_at, updated_at
  from lending.facility_obligor where obligor_id = 'obl_ada'`

/** A guarantee that is not called shows Grace nothing of the loan. */
const guaranteeOfGrace = `insert into lending.facility_obligor
  select 'obl_grace', facility_id, 'pty_grace', borrower_party_id, 'guarantor', 'active', currency, 100, '50',
    null, 'doc_grace', 'ruth', null, null, null, null, '', 1, created_at, updated_at
  from lending.facility_obligor where obligor_id = 'obl_ada'`

/** A deposit that Ada opened in one of her accounts, and that has ended. */
const openingOfAda = `insert into accounts.deposit_opening (deposit_opening_id, arrangement_id, party_id,
    customer_id, product_id, product_version, currency, amount_minor, funding_arrangement_id,
    posting_instruction_id, term_deposit_id, months, annual_rate_pct, maturity_instruction, opened_by,
    content_hash, version, created_at, updated_at)
  select 'dop_ada', arrangement_id, party_id, customer_id, product_id, product_version, currency, 100,
    arrangement_id, 'pin_ada', 'tdp_ada', 1, '1', 'pay-out', 'pty_ada', '', 1, created_at, created_at
  from accounts.arrangement where party_id = 'pty_ada' order by arrangement_id limit 1`
const depositOfAda = `insert into interest.term_deposit (term_deposit_id, arrangement_id,
    settlement_arrangement_id, party_id, currency, state, months, annual_rate_pct, principal_minor,
    starts_on, matures_on, ends_on, ended_on, maturity_instruction, accrued_before_minor, interest_minor,
    penalty_minor, paid_out_minor, opened_by, content_hash, version, created_at, updated_at)
  select term_deposit_id, arrangement_id, arrangement_id, party_id, currency, 'matured', 1, '1', 100,
    '2020-01-01', '2020-02-01', '2020-02-01', '2020-02-01', 'pay-out', 0, 0, 0, 100, 'pty_ada', '', 1,
    created_at, created_at
  from accounts.deposit_opening where deposit_opening_id = 'dop_ada'`

/**
 * The SQL of records that the requests of the test do not create: Ada is never in arrears, so she cannot
 * make a promise, her rate is not reset, no guarantee for her is called, and she opened no deposit.
 */
export const recordsOfAda = [
  promiseOfAda,
  letterOfAda,
  guarantorOfAda,
  callOfAda,
  guaranteeOfGrace,
  openingOfAda,
  depositOfAda,
]
