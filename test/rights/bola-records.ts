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

/**
 * The SQL of records that the requests of the test do not create: Ada is never in arrears, so she cannot
 * make a promise, her rate is not reset, and no guarantee for her is called.
 */
export const recordsOfAda = [promiseOfAda, letterOfAda, guarantorOfAda, callOfAda, guaranteeOfGrace]
