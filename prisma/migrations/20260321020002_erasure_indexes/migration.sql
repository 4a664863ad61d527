-- The persons whom a stored response is about, so that an erasure finds it by an index.
alter table kernel.idempotency
  -- Subjects of facts, such as `party/<partyId>` and `employee/<username>`.
  add column persons text[];
update kernel.idempotency i set persons = array(
  select distinct f.subject
  from regexp_matches(i.answer || i.owner, '"([^"\\]{1,128})"', 'g') m
  join kernel.fact f on f.subject in ('party/' || m[1], 'employee/' || m[1]));
alter table kernel.idempotency alter column persons set not null, alter column persons set default '{}';
-- Most responses are about nobody.
create index idempotency_persons_idx on kernel.idempotency using gin (persons)
  where persons <> '{}';

-- The other tables whose rows an export or an erasure of one person would read as a whole.
create index session_subject_party_id_idx on assist.session (subject_party_id);
create index session_acting_party_id_idx on assist.session (acting_party_id);
create index fee_receivable_party_id_idx on operations.fee_receivable (party_id);
create index identity_record_party_id_idx on kernel.identity_record (party_id)
  where party_id is not null;
create index identity_record_actor_idx on kernel.identity_record (actor) where actor is not null;
create index approval_party_id_idx on kernel.approval (party_id);
create index refusal_party_id_idx on kernel.refusal (party_id) where party_id is not null;
create index refusal_subject_idx on kernel.refusal (subject) where subject is not null;
create index drawdown_party_id_idx on lending.drawdown (party_id);
create index repayment_party_id_idx on lending.repayment (party_id);
create index extra_payment_party_id_idx on lending.extra_payment (party_id);
create index payment_holiday_party_id_idx on lending.payment_holiday (party_id);
create index hardship_request_party_id_idx on lending.hardship_request (party_id);
create index loss_proposal_party_id_idx on lending.loss_proposal (party_id);
create index record_account_id_idx on oauth.record ((payload ->> 'accountId'));
create index person_party_id_idx on oauth.person (party_id);
create index credit_decision_party_id_idx on origination.credit_decision (party_id);
create index erasure_request_party_id_idx on privacy.erasure_request (party_id);
create index erasure_request_username_idx on privacy.erasure_request (username);
