-- A balance is guarded by a stamp: a random UUID that one attempt of one writer leaves behind. A
-- version counter cannot tell whose write it counted: a group that was decided on our own,
-- uncommitted version v+1 would pass against the v+1 that somebody else committed. A stamp can
-- only be met by the commit that wrote it.
alter table ledger.balance
  drop column version,
  -- The nil UUID: as opened, before anything moved.
  add column stamp uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Set when a check of the ledger finds the account inconsistent; nothing is posted to it then.
  add column is_suspended boolean not null default false,
  -- The sequence of the last entry in the totals. For a deferred account: up to where its entries are
  -- aggregated; they are numbered with gaps.
  add column last_sequence bigint not null default 0;
update ledger.balance b set last_sequence = case a.policy
    when 'deferred' then (select up_to from ledger.fold) else b.entry_count end
  from ledger.account a where a.account_id = b.account_id;

-- The same for a chain of authorizations.
alter table ledger.authorisation
  drop column version,
  add column stamp uuid not null default gen_random_uuid();

-- Accounting invariants that the database enforces for every writer, whatever it decided on.
--
-- A balance changes by exactly the entries that are inserted with it: those between its old and its
-- new last sequence. A balance that is rebuilt from all of its entries is consistent as well. Every
-- change leaves a new stamp. Index scans only: plans are made while the tables are small.
create function ledger.require_entries() returns trigger language plpgsql
set enable_seqscan = off set jit = off as $$
begin
  if exists (
    select from (
      select account_id, address,
        sum(sign * committed_debit)::bigint as committed_debit,
        sum(sign * committed_credit)::bigint as committed_credit,
        sum(sign * pending_in_debit)::bigint as pending_in_debit,
        sum(sign * pending_in_credit)::bigint as pending_in_credit,
        sum(sign * pending_out_debit)::bigint as pending_out_debit,
        sum(sign * pending_out_credit)::bigint as pending_out_credit,
        sum(sign * entry_count)::bigint as entry_count,
        max(last_sequence) filter (where sign < 0) as old_sequence,
        max(last_sequence) filter (where sign > 0) as new_sequence
      from (select -1 as sign, o.* from old_rows o union all select 1, n.* from new_rows n) u
      group by account_id, address
    ) d cross join lateral ledger.sum_of_entries(d.account_id, d.address, d.old_sequence, d.new_sequence) e
    where (d.new_sequence >= d.old_sequence
        and (d.committed_debit, d.committed_credit, d.pending_in_debit, d.pending_in_credit,
          d.pending_out_debit, d.pending_out_credit, d.entry_count)
        = (e.committed_debit, e.committed_credit, e.pending_in_debit, e.pending_in_credit,
          e.pending_out_debit, e.pending_out_credit, e.entry_count)) is not true
      and not ledger.equals_entries(d.account_id, d.address)
  ) then
    raise exception 'a balance changes only by the entries inserted with it' using errcode = 'BG005';
  end if;
  if exists (
    select from new_rows n join ledger.account a using (account_id)
    where a.policy <> 'deferred' and n.last_sequence <> n.entry_count
  ) then
    raise exception 'entries are numbered without gaps' using errcode = 'BG005';
  end if;
  if exists (
    select from (select account_id, address, stamp from old_rows union all
      select account_id, address, stamp from new_rows) u
    group by account_id, address having min(stamp::text) = max(stamp::text)
  ) then
    raise exception 'a changed balance carries a new stamp' using errcode = 'BG005';
  end if;
  return null;
end $$;

-- What the entries of an account after one sequence and up to another come to.
create function ledger.sum_of_entries(of_account text, at_address text, after_sequence bigint, up_to_sequence bigint)
returns table (committed_debit bigint, committed_credit bigint, pending_in_debit bigint,
  pending_in_credit bigint, pending_out_debit bigint, pending_out_credit bigint, entry_count bigint)
language sql stable as $$
  select
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'credit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'credit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'credit'), 0)::bigint,
    count(*)
  from ledger.entry e
  where e.account_id = of_account and e.address = at_address
    and e.sequence > after_sequence and e.sequence <= up_to_sequence
$$;

-- Whether the totals of a balance are those of all of its entries up to its last sequence.
create function ledger.equals_entries(of_account text, at_address text) returns boolean
language sql volatile as $$
  select (b.committed_debit, b.committed_credit, b.pending_in_debit, b.pending_in_credit,
      b.pending_out_debit, b.pending_out_credit, b.entry_count)
    = (e.committed_debit, e.committed_credit, e.pending_in_debit, e.pending_in_credit,
      e.pending_out_debit, e.pending_out_credit, e.entry_count)
  from ledger.balance b
  cross join lateral ledger.sum_of_entries(b.account_id, b.address, 0, b.last_sequence) e
  where b.account_id = of_account and b.address = at_address
$$;

create trigger entered after update on ledger.balance
  referencing old table as old_rows new table as new_rows
  for each statement execute function ledger.require_entries();

-- An account is opened with nothing on it, and its balance is never removed.
create function ledger.require_empty() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_rows where last_sequence <> 0 or entry_count <> 0
      or committed_debit + committed_credit + pending_in_debit + pending_in_credit
        + pending_out_debit + pending_out_credit <> 0
  ) then
    raise exception 'an account is opened with an empty balance' using errcode = 'BG005';
  end if;
  return null;
end $$;
create trigger opened after insert on ledger.balance
  referencing new table as new_rows
  for each statement execute function ledger.require_empty();
create trigger kept before delete or truncate on ledger.balance
  for each statement execute function ledger.refuse_change();

-- The other direction: entries are in the balance of their account, and the last of them says what
-- the balance says. Entries of a deferred account are aggregated later: they come after what has
-- been aggregated.
create function ledger.require_in_balance() returns trigger language plpgsql
set enable_seqscan = off set jit = off as $$
begin
  if exists (
    select from (
      select distinct on (account_id, address) account_id, address, sequence, committed_after,
        pending_in_after, pending_out_after, available_after,
        min(sequence) over (partition by account_id, address) as first_sequence
      from inserted order by account_id, address, sequence desc
    ) i
    left join ledger.account a on a.account_id = i.account_id
    left join ledger.balance b on b.account_id = i.account_id and b.address = i.address
    where (case
      when a.policy = 'deferred' then i.committed_after is null and i.first_sequence > b.last_sequence
      else i.sequence = b.last_sequence and case a.normal_side
        when 'credit' then (i.committed_after, i.pending_in_after, i.pending_out_after)
          = (b.committed_credit - b.committed_debit, b.pending_in_credit - b.pending_in_debit,
            b.pending_out_debit - b.pending_out_credit)
        else (i.committed_after, i.pending_in_after, i.pending_out_after)
          = (b.committed_debit - b.committed_credit, b.pending_in_debit - b.pending_in_credit,
            b.pending_out_credit - b.pending_out_debit)
        end and i.available_after = i.committed_after - i.pending_out_after + b.overdraft_limit
      end) is not true
  ) then
    raise exception 'entries are not in the balance of their account' using errcode = 'BG005';
  end if;
  return null;
end $$;
create trigger in_balance after insert on ledger.entry
  referencing new table as inserted
  for each statement execute function ledger.require_in_balance();

-- Books what was decided on balances as they were read. `held` are all balances that were looked at,
-- in the order of their keys, which is one for everybody, so that no two calls deadlock; those that
-- moved carry their new totals. All are locked and must still have the stamps they were decided on,
-- or BG001 undoes the whole statement. `chains` are authorizations after the change, those that are
-- new without a stamp. Whatever changes gets the stamp of this attempt. The planner is kept from
-- anything but going through `held` in order.
drop function ledger.book(ledger.balance[], ledger.entry[]);
create function ledger.book(held ledger.balance[], booked ledger.entry[], chains ledger.authorisation[],
  attempt_stamp uuid) returns bigint
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
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
  if cardinality(booked) = 0 then
    return 0;
  end if;
  with moved as (
    update ledger.balance b set
      committed_debit = h.committed_debit, committed_credit = h.committed_credit,
      pending_in_debit = h.pending_in_debit, pending_in_credit = h.pending_in_credit,
      pending_out_debit = h.pending_out_debit, pending_out_credit = h.pending_out_credit,
      entry_count = h.entry_count, last_sequence = h.entry_count, last_booked_at = h.last_booked_at,
      stamp = attempt_stamp
    from unnest(held) h
    where b.account_id = h.account_id and b.address = h.address and b.entry_count <> h.entry_count
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
    update ledger.authorisation t set authorised = c.authorised, settled = c.settled,
      released = c.released, open = c.open, exceeded = c.exceeded, state = c.state, stamp = attempt_stamp
    from unnest(chains) c
    where t.client_id = c.client_id and t.client_transaction_id = c.client_transaction_id
      and t.stamp = c.stamp;
    get diagnostics met = row_count;
    if met <> (select count(*) from unnest(chains) c where c.stamp is not null) then
      raise exception 'authorizations moved' using errcode = 'BG001';
    end if;
    insert into ledger.authorisation (client_id, client_transaction_id, account_id, contra_id, direction,
      currency, authorised, settled, released, open, exceeded, state, expires_at, opened_at, opened_by, stamp)
    select client_id, client_transaction_id, account_id, contra_id, direction, currency, authorised,
      settled, released, open, exceeded, state, expires_at, opened_at, opened_by, attempt_stamp
    from unnest(chains) where stamp is null;
  end if;
  return written;
end $$;

-- Aggregating the entries of deferred accounts. An entry takes its number before it is committed, and
-- after its transaction has got its id (see ledger.book). The number given out last is read before this
-- transaction gets an id of its own: whoever took a number up to it has a smaller id. Numbers are
-- aggregated once every transaction with a smaller id has ended, however long that takes: a commit
-- may wait for a standby, a process may be stopped.
drop view ledger.current_balance;
drop function ledger.fold_deferred();
drop function ledger.totals(bigint, bigint);
alter table ledger.fold drop column seen_at, add column seen_by xid8 not null default '0';

create function ledger.fold_deferred() returns bigint language plpgsql
set enable_seqscan = off set jit = off as $$
declare
  seen ledger.fold;
  given_out bigint;
begin
  select case when is_called then last_value else 0 end into given_out from ledger.deferred_sequence;
  select * into seen from ledger.fold for update;
  -- Where transaction ids began anew (a database that was restored from a dump), it is looked at afresh.
  if seen.seen_by > pg_current_xact_id() then
    update ledger.fold set seen_up_to = greatest(given_out, seen_up_to), seen_by = pg_current_xact_id();
    return 0;
  end if;
  if pg_snapshot_xmin(pg_current_snapshot()) < seen.seen_by then
    return 0;
  end if;
  update ledger.balance b set
    committed_debit = b.committed_debit + e.committed_debit,
    committed_credit = b.committed_credit + e.committed_credit,
    pending_in_debit = b.pending_in_debit + e.pending_in_debit,
    pending_in_credit = b.pending_in_credit + e.pending_in_credit,
    pending_out_debit = b.pending_out_debit + e.pending_out_debit,
    pending_out_credit = b.pending_out_credit + e.pending_out_credit,
    entry_count = b.entry_count + e.entry_count,
    last_sequence = seen.seen_up_to,
    stamp = gen_random_uuid()
  from (
    select a.account_id, d.address, s.* from ledger.account a
    join ledger.balance d on d.account_id = a.account_id and d.last_sequence < seen.seen_up_to
    cross join lateral ledger.sum_of_entries(d.account_id, d.address, d.last_sequence, seen.seen_up_to) s
    where a.policy = 'deferred' and s.entry_count > 0
  ) e
  where b.account_id = e.account_id and b.address = e.address;
  update ledger.fold set up_to = seen.seen_up_to, seen_up_to = greatest(given_out, seen.seen_up_to),
    seen_by = pg_current_xact_id();
  return seen.seen_up_to - seen.up_to;
end $$;

-- Every balance as it is now: the rows, and for deferred accounts what is not aggregated yet.
create view ledger.current_balance as
select b.account_id, b.address, a.code, a.type, a.normal_side, a.currency, a.policy,
  b.committed_debit + e.committed_debit as committed_debit,
  b.committed_credit + e.committed_credit as committed_credit,
  b.pending_in_debit + e.pending_in_debit as pending_in_debit,
  b.pending_in_credit + e.pending_in_credit as pending_in_credit,
  b.pending_out_debit + e.pending_out_debit as pending_out_debit,
  b.pending_out_credit + e.pending_out_credit as pending_out_credit,
  b.entry_count + e.entry_count as entry_count
from ledger.balance b join ledger.account a using (account_id)
cross join lateral ledger.sum_of_entries(b.account_id, b.address, b.last_sequence,
  case a.policy when 'deferred' then 9223372036854775807 else b.last_sequence end) e;
