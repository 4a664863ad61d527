-- The totals of internal accounts and of the general ledger have no maximum. Postings with large amounts,
-- or many of them, used to exceed the range of bigint, so that nothing was aggregated or dated any more.

-- These tables have a row for each day or period and account, so they are rewritten in a moment, and the
-- former release reads them as text.
alter table general_ledger.daily_total
  -- squawk-ignore changing-column-type
  alter column debit_minor type numeric, alter column credit_minor type numeric;
alter table general_ledger.closing_balance
  -- squawk-ignore changing-column-type
  alter column opening_minor type numeric, alter column debit_minor type numeric,
  -- squawk-ignore changing-column-type
  alter column credit_minor type numeric, alter column closing_minor type numeric;

-- What was taken out of the balance of an internal account, because the balance would have become too
-- large. The totals of the account are the balance and all such amounts. `stamp` is that of the balance
-- from which the amounts were taken.
create table ledger.carried_amount (
  account_id text not null,
  address text not null,
  stamp uuid not null,
  committed_debit numeric not null,
  committed_credit numeric not null,
  pending_in_debit numeric not null,
  pending_in_credit numeric not null,
  pending_out_debit numeric not null,
  pending_out_credit numeric not null,
  primary key (account_id, address, stamp)
);
create trigger append_only before update or delete or truncate on ledger.carried_amount
  for each statement execute function ledger.refuse_change();

-- What was carried of an account in all, or with one stamp.
create function ledger.carried_of(of_account text, at_address text, of_stamp uuid)
returns table (committed_debit numeric, committed_credit numeric, pending_in_debit numeric,
  pending_in_credit numeric, pending_out_debit numeric, pending_out_credit numeric)
language sql stable as $$
  select coalesce(sum(c.committed_debit), 0), coalesce(sum(c.committed_credit), 0),
    coalesce(sum(c.pending_in_debit), 0), coalesce(sum(c.pending_in_credit), 0),
    coalesce(sum(c.pending_out_debit), 0), coalesce(sum(c.pending_out_credit), 0)
  from ledger.carried_amount c
  where c.account_id = of_account and c.address = at_address
    and (of_stamp is null or c.stamp = of_stamp)
$$;

-- Like ledger.sum_of_entries, which the previous release calls, without a maximum.
create function ledger.totals_of_entries(of_account text, at_address text, after_sequence bigint,
  up_to_sequence bigint)
returns table (committed_debit numeric, committed_credit numeric, pending_in_debit numeric,
  pending_in_credit numeric, pending_out_debit numeric, pending_out_credit numeric, entry_count bigint)
language sql stable as $$
  select
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'debit'), 0),
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'credit'), 0),
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'debit'), 0),
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'credit'), 0),
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'debit'), 0),
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'credit'), 0),
    count(*)
  from ledger.entry e
  where e.account_id = of_account and e.address = at_address
    and e.sequence > after_sequence and e.sequence <= up_to_sequence
$$;

create or replace function ledger.equals_entries(of_account text, at_address text) returns boolean
language sql volatile as $$
  select (b.committed_debit + k.committed_debit, b.committed_credit + k.committed_credit,
      b.pending_in_debit + k.pending_in_debit, b.pending_in_credit + k.pending_in_credit,
      b.pending_out_debit + k.pending_out_debit, b.pending_out_credit + k.pending_out_credit,
      b.entry_count)
    = (e.committed_debit, e.committed_credit, e.pending_in_debit, e.pending_in_credit,
      e.pending_out_debit, e.pending_out_credit, e.entry_count + coalesce(c.skipped, 0))
  from ledger.balance b
  cross join lateral ledger.totals_of_entries(b.account_id, b.address, 0, b.last_sequence) e
  cross join lateral ledger.carried_of(b.account_id, b.address, null) k
  left join ledger.corrected c on c.account_id = b.account_id and c.address = b.address
  where b.account_id = of_account and b.address = at_address
$$;

-- The balances of customers change by entries whose sums fit into a bigint, because each total has a
-- maximum. Those of internal accounts, which have no time of the last booking, are aggregated.
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
    when n.stamp <> o.stamp and n.last_sequence = n.entry_count and n.last_booked_at is not null
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
    when n.stamp <> o.stamp
      and (n.last_sequence = n.entry_count
        or (select a.policy from ledger.account a where a.account_id = n.account_id) = 'deferred')
    then not case
      when n.last_sequence >= o.last_sequence and (
        select (n.committed_debit::numeric - o.committed_debit + k.committed_debit,
            n.committed_credit::numeric - o.committed_credit + k.committed_credit,
            n.pending_in_debit::numeric - o.pending_in_debit + k.pending_in_debit,
            n.pending_in_credit::numeric - o.pending_in_credit + k.pending_in_credit,
            n.pending_out_debit::numeric - o.pending_out_debit + k.pending_out_debit,
            n.pending_out_credit::numeric - o.pending_out_credit + k.pending_out_credit,
            n.entry_count - o.entry_count)
          = (e.committed_debit, e.committed_credit, e.pending_in_debit, e.pending_in_credit,
            e.pending_out_debit, e.pending_out_credit, e.entry_count)
        from ledger.totals_of_entries(n.account_id, n.address, o.last_sequence, n.last_sequence) e,
          ledger.carried_of(n.account_id, n.address, n.stamp) k)
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

-- Adds the entries of internal accounts to their balances. A balance of which a total would come near
-- the maximum of bigint is carried: its totals begin anew.
create or replace function ledger.aggregate_accumulating() returns bigint language plpgsql
  set enable_seqscan = off set jit = off as $$
declare
  seen ledger.aggregation;
  given_out bigint;
begin
  select case when is_called then last_value else 0 end into given_out from ledger.deferred_sequence;
  select * into seen from ledger.aggregation for update;
  -- Where transaction ids began anew (a database that was restored from a dump), it is looked at afresh.
  if seen.seen_by > pg_current_xact_id() then
    update ledger.aggregation set seen_up_to = greatest(given_out, seen_up_to), seen_by = pg_current_xact_id();
    return 0;
  end if;
  if pg_snapshot_xmin(pg_current_snapshot()) < seen.seen_by then
    return 0;
  end if;
  with sums as materialized (
    select d.account_id, d.address, gen_random_uuid() as stamp,
      d.committed_debit + s.committed_debit as committed_debit,
      d.committed_credit + s.committed_credit as committed_credit,
      d.pending_in_debit + s.pending_in_debit as pending_in_debit,
      d.pending_in_credit + s.pending_in_credit as pending_in_credit,
      d.pending_out_debit + s.pending_out_debit as pending_out_debit,
      d.pending_out_credit + s.pending_out_credit as pending_out_credit,
      d.entry_count + s.entry_count as entry_count
    from ledger.account a
    join ledger.balance d on d.account_id = a.account_id and d.last_sequence < seen.seen_up_to
    cross join lateral
      ledger.totals_of_entries(d.account_id, d.address, d.last_sequence, seen.seen_up_to) s
    where a.policy = 'deferred' and s.entry_count > 0
  ), added as materialized (
    select *, greatest(committed_debit, committed_credit, pending_in_debit, pending_in_credit,
      pending_out_debit, pending_out_credit) > 4000000000000000000 as is_carried
    from sums
  ), carried as (
    insert into ledger.carried_amount (account_id, address, stamp, committed_debit, committed_credit,
      pending_in_debit, pending_in_credit, pending_out_debit, pending_out_credit)
    select account_id, address, stamp, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit
    from added where is_carried
  )
  update ledger.balance b set
    committed_debit = case when e.is_carried then 0 else e.committed_debit end,
    committed_credit = case when e.is_carried then 0 else e.committed_credit end,
    pending_in_debit = case when e.is_carried then 0 else e.pending_in_debit end,
    pending_in_credit = case when e.is_carried then 0 else e.pending_in_credit end,
    pending_out_debit = case when e.is_carried then 0 else e.pending_out_debit end,
    pending_out_credit = case when e.is_carried then 0 else e.pending_out_credit end,
    entry_count = e.entry_count, last_sequence = seen.seen_up_to, stamp = e.stamp
  from added e
  where b.account_id = e.account_id and b.address = e.address;
  update ledger.aggregation set up_to = seen.seen_up_to, seen_up_to = greatest(given_out, seen.seen_up_to),
    seen_by = pg_current_xact_id();
  return seen.seen_up_to - seen.up_to;
end $$;

-- Every balance as it is now: the rows, and for internal accounts what was carried and what is not
-- aggregated yet. Without `offset 0`, PostgreSQL would look for both for the accounts of customers too.
drop view ledger.current_balance;
create view ledger.current_balance as
select b.account_id, b.address, a.code, a.type, a.normal_side, a.currency, a.policy,
  b.committed_debit + coalesce(s.committed_debit, 0) as committed_debit,
  b.committed_credit + coalesce(s.committed_credit, 0) as committed_credit,
  b.pending_in_debit + coalesce(s.pending_in_debit, 0) as pending_in_debit,
  b.pending_in_credit + coalesce(s.pending_in_credit, 0) as pending_in_credit,
  b.pending_out_debit + coalesce(s.pending_out_debit, 0) as pending_out_debit,
  b.pending_out_credit + coalesce(s.pending_out_credit, 0) as pending_out_credit,
  b.entry_count + coalesce(s.entry_count, 0) as entry_count
from ledger.balance b join ledger.account a using (account_id)
left join lateral (
  select e.committed_debit + k.committed_debit as committed_debit,
    e.committed_credit + k.committed_credit as committed_credit,
    e.pending_in_debit + k.pending_in_debit as pending_in_debit,
    e.pending_in_credit + k.pending_in_credit as pending_in_credit,
    e.pending_out_debit + k.pending_out_debit as pending_out_debit,
    e.pending_out_credit + k.pending_out_credit as pending_out_credit, e.entry_count
  from ledger.totals_of_entries(b.account_id, b.address, b.last_sequence, 9223372036854775807) e,
    ledger.carried_of(b.account_id, b.address, null) k
  where a.policy = 'deferred' offset 0
) s on true;

-- Like before; what was carried stays carried, and the time of the last booking of internal accounts stays
-- unknown.
create or replace function ledger.correct_balance(correction text, approver text, at_time timestamptz,
  attempt_stamp uuid) returns boolean language plpgsql
  set enable_seqscan = off set jit = off as $$
declare
  wanted ledger.balance_correction;
  held ledger.balance;
  rebuilt record;
  is_deferred boolean;
  reach bigint;
begin
  select * into wanted from ledger.balance_correction
    where correction_id = correction and state = 'proposed' and proposed_by <> approver for update;
  if not found then
    return false;
  end if;
  select a.policy = 'deferred' into is_deferred from ledger.account a where a.account_id = wanted.account_id;
  if is_deferred then
    -- Aggregating waits meanwhile.
    perform from ledger.aggregation for update;
  end if;
  select * into held from ledger.balance b
    where b.account_id = wanted.account_id and b.address = wanted.address for no key update;
  if is_deferred then
    reach := held.last_sequence;
  else
    select coalesce(max(e.sequence), 0) into reach from ledger.entry e
      where e.account_id = wanted.account_id and e.address = wanted.address;
  end if;
  select s.committed_debit - k.committed_debit as committed_debit,
      s.committed_credit - k.committed_credit as committed_credit,
      s.pending_in_debit - k.pending_in_debit as pending_in_debit,
      s.pending_in_credit - k.pending_in_credit as pending_in_credit,
      s.pending_out_debit - k.pending_out_debit as pending_out_debit,
      s.pending_out_credit - k.pending_out_credit as pending_out_credit, s.entry_count,
      (select max(e.booked_at) from ledger.entry e where e.account_id = wanted.account_id
        and e.address = wanted.address and e.sequence <= reach) as last_booked_at
    into rebuilt
    from ledger.totals_of_entries(wanted.account_id, wanted.address, 0, reach) s,
      ledger.carried_of(wanted.account_id, wanted.address, null) k;
  update ledger.balance_correction set state = 'approved', decided_by = approver, decided_at = at_time,
    totals_before = ledger.totals_of(held), up_to_sequence = reach,
    skipped = case when is_deferred then 0 else reach - rebuilt.entry_count end
    where correction_id = correction;
  update ledger.balance b set
    committed_debit = rebuilt.committed_debit, committed_credit = rebuilt.committed_credit,
    pending_in_debit = rebuilt.pending_in_debit, pending_in_credit = rebuilt.pending_in_credit,
    pending_out_debit = rebuilt.pending_out_debit, pending_out_credit = rebuilt.pending_out_credit,
    entry_count = case when is_deferred then rebuilt.entry_count else reach end, last_sequence = reach,
    last_booked_at = case when is_deferred then b.last_booked_at
      else greatest(rebuilt.last_booked_at, b.last_booked_at) end,
    stamp = attempt_stamp
    where b.account_id = wanted.account_id and b.address = wanted.address;
  update ledger.balance_correction c set totals_after = ledger.totals_of(b)
    from ledger.balance b where c.correction_id = correction
      and b.account_id = c.account_id and b.address = c.address;
  return true;
end $$;
