-- Postings cost the database less, with the same checks.

-- The sum of amounts in minor units as a bigint. `sum(bigint)` returns a numeric, which the checks of the
-- journal would convert and compare for every group. A sum beyond the range of bigint is an error.
create aggregate ledger.sum_minor(bigint) (
  sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe
);

-- Positions are assigned once, so only an event that names a party twice could conflict. Without
-- `on conflict`, PostgreSQL does not look up each row in the index before it inserts it.
create or replace function kernel.store_event_parties() returns trigger language plpgsql as $$
begin
  insert into kernel.event_party (party_id, position)
  select distinct unnest(parties), position from stored;
  return null;
end $$;

create or replace function ledger.require_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from inserted group by posting_instruction_id, currency, phase
    having ledger.sum_minor(case side when 'debit' then amount else -amount end) <> 0
  ) then
    raise exception 'entries do not balance' using errcode = 'BG004';
  end if;
  return null;
end $$;

create or replace function ledger.require_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_nestloop = off set jit = off as $$
declare
  fault text;
begin
  select case
      when n.stamp = o.stamp then 'a changed balance carries a new stamp'
      when ledger.equals_entries(n.account_id, n.address) then 'entries are numbered without gaps'
      else 'a balance changes only by the entries inserted with it'
    end into fault
  from old_rows o full join new_rows n on n.account_id = o.account_id and n.address = o.address
  where case
    when n.stamp <> o.stamp
      and (n.last_sequence = n.entry_count
        or (select a.policy from ledger.account a where a.account_id = n.account_id) = 'deferred')
    then not case
      when n.last_sequence >= o.last_sequence and (
        select n.committed_debit - o.committed_debit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'committed' and e.side = 'debit')
          and n.committed_credit - o.committed_credit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'committed' and e.side = 'credit')
          and n.pending_in_debit - o.pending_in_debit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'pending-in' and e.side = 'debit')
          and n.pending_in_credit - o.pending_in_credit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'pending-in' and e.side = 'credit')
          and n.pending_out_debit - o.pending_out_debit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'pending-out' and e.side = 'debit')
          and n.pending_out_credit - o.pending_out_credit
            = ledger.sum_minor(e.amount) filter (where e.phase = 'pending-out' and e.side = 'credit')
          and n.entry_count - o.entry_count = count(*)
        from ledger.entry e
        where e.account_id = n.account_id and e.address = n.address
          and e.sequence > o.last_sequence and e.sequence <= n.last_sequence)
      then true
      else coalesce(ledger.equals_entries(n.account_id, n.address), false)
    end
    else true
  end
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'BG005';
  end if;
  return null;
end $$;

-- Like the function with four parameters, which the previous release calls. If `changes_all`, the postings
-- change all balances in `held`, and each is checked and changed in one step. Balances that are only
-- checked, as for a rejection, are locked first, in the same order.
create function ledger.book(
  held ledger.balance[], booked ledger.entry[], chains ledger."authorization"[], attempt_stamp uuid,
  changes_all boolean
) returns bigint language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  met bigint;
  changed bigint;
  written bigint;
begin
  -- Before an entry takes its number: aggregating waits for every transaction that may hold one.
  perform pg_current_xact_id();
  if not changes_all then
    select count(*) into met from (
      select 1 from unnest(held) h join ledger.balance b
        on b.account_id = h.account_id and b.address = h.address and b.stamp = h.stamp
      for no key update of b
    ) locked;
  end if;
  with moved as (
    update ledger.balance b set
      committed_debit = h.committed_debit, committed_credit = h.committed_credit,
      pending_in_debit = h.pending_in_debit, pending_in_credit = h.pending_in_credit,
      pending_out_debit = h.pending_out_debit, pending_out_credit = h.pending_out_credit,
      entry_count = h.entry_count, last_sequence = h.entry_count, last_booked_at = h.last_booked_at,
      blocked_for = h.blocked_for, stamp = attempt_stamp
    from unnest(held) h
    where b.account_id = h.account_id and b.address = h.address and b.stamp = h.stamp
      and (changes_all or b.entry_count <> h.entry_count or b.blocked_for is distinct from h.blocked_for)
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
  select (select count(*) from moved), (select count(*) from entered) into changed, written;
  met := coalesce(met, changed);
  if met <> cardinality(held) then
    raise exception 'balances moved: % of % are as decided on', met, cardinality(held)
      using errcode = 'BG001';
  end if;
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
end $$;
