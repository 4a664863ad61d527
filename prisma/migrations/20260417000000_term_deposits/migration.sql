-- Money that customers deposit for a fixed term at a fixed rate.
create table interest.term_deposit (
  term_deposit_id text primary key,
  arrangement_id text not null,
  settlement_arrangement_id text not null,
  party_id text not null,
  state text not null,
  currency text not null,
  principal_minor bigint not null,
  months integer not null,
  annual_rate_pct text not null,
  starts_on date not null,
  matures_on date not null,
  ends_on date not null,
  ended_on date,
  maturity_instruction text not null,
  early_withdrawal jsonb,
  notice_given_on date,
  waiver_reason text,
  accrued_before_minor bigint not null,
  interest_minor bigint,
  penalty_minor bigint,
  paid_out_minor bigint,
  previous_term_deposit_id text,
  settlement_posting_id text,
  opened_by text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index term_deposit_created_at_idx on interest.term_deposit (created_at, term_deposit_id);
create index term_deposit_arrangement_idx
  on interest.term_deposit (arrangement_id, created_at, term_deposit_id);
create index term_deposit_party_idx on interest.term_deposit (party_id, created_at, term_deposit_id);
-- The entries of these postings are part of the interest position and are not read again.
create index term_deposit_settlement_posting_idx on interest.term_deposit (settlement_posting_id)
  where settlement_posting_id is not null;
-- Interest is also paid when a term deposit ends. The former rows satisfy the constraint.
alter table interest.capitalization drop constraint capitalization_reason_check;
alter table interest.capitalization add constraint capitalization_reason_check
  check (reason in ('calendar', 'closure', 'request', 'term-end')) not valid;

-- The block of an account changes together with the postings that begin or end a term deposit. For
-- all other postings, the block is the one that was read, because the stamp is unchanged.
CREATE OR REPLACE FUNCTION ledger.book(held ledger.balance[], booked ledger.entry[], chains ledger.authorization[], attempt_stamp uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  met bigint;
  written bigint;
begin
  -- Before an entry takes its number: aggregating waits for every transaction that may hold one.
  perform pg_current_xact_id();
  select count(*) into met from (
    select 1 from unnest(held) h join ledger.balance b
      on b.account_id = h.account_id and b.address = h.address and b.stamp = h.stamp
    for no key update of b
  ) locked;
  if met <> cardinality(held) then
    raise exception 'balances moved: % of % are as decided on', met, cardinality(held)
      using errcode = 'BG001';
  end if;
  with moved as (
    update ledger.balance b set
      committed_debit = h.committed_debit, committed_credit = h.committed_credit,
      pending_in_debit = h.pending_in_debit, pending_in_credit = h.pending_in_credit,
      pending_out_debit = h.pending_out_debit, pending_out_credit = h.pending_out_credit,
      entry_count = h.entry_count, last_sequence = h.entry_count, last_booked_at = h.last_booked_at,
      blocked_for = h.blocked_for, stamp = attempt_stamp
    from unnest(held) h
    where b.account_id = h.account_id and b.address = h.address
      and (b.entry_count <> h.entry_count or b.blocked_for is distinct from h.blocked_for)
    returning 1
  ), entered as (
    insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side,
      amount, currency, booked_at, value_date, committed_after, pending_in_after, pending_out_after,
      available_after)
    select account_id, address, coalesce(sequence, nextval('ledger.deferred_sequence')),
      posting_instruction_id, ordinal, phase, side, amount, currency, booked_at, value_date,
      committed_after, pending_in_after, pending_out_after, available_after
    from unnest(booked)
    returning 1
  )
  select count(*) into written from entered;
  if cardinality(chains) > 0 then
    update ledger.authorization t set authorized = c.authorized, settled = c.settled,
      released = c.released, open = c.open, exceeded = c.exceeded, state = c.state, stamp = attempt_stamp
    from unnest(chains) c
    where t.client_id = c.client_id and t.client_transaction_id = c.client_transaction_id
      and t.stamp = c.stamp;
    get diagnostics met = row_count;
    if met <> (select count(*) from unnest(chains) c where c.stamp is not null) then
      raise exception 'authorizations moved' using errcode = 'BG001';
    end if;
    insert into ledger.authorization (client_id, client_transaction_id, account_id, contra_id, direction,
      currency, authorized, settled, released, open, exceeded, state, expires_at, opened_at, opened_by, stamp)
    select client_id, client_transaction_id, account_id, contra_id, direction, currency, authorized,
      settled, released, open, exceeded, state, expires_at, opened_at, opened_by, attempt_stamp
    from unnest(chains) where stamp is null;
  end if;
  return written;
end $function$;
