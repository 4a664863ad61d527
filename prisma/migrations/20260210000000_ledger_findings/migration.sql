-- What checks of the ledger found. An open finding suspends the accounts it names.
create table ledger.finding (
  finding_id text primary key,
  invariant text not null,
  subject text not null,
  account_ids text[] not null,
  detail text not null,
  found_at timestamptz(3) not null,
  resolved_at timestamptz(3)
);
create unique index finding_open_idx on ledger.finding (invariant, subject, md5(detail)) where resolved_at is null;

-- Balances that are rebuilt from their entries: proposed by one person, approved by another.
create table ledger.balance_correction (
  correction_id text primary key,
  account_id text not null references ledger.account,
  address text not null,
  state text not null check (state in ('proposed', 'approved', 'rejected')),
  reason text not null,
  proposed_by text not null,
  proposed_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  -- The totals that were replaced and those that replaced them.
  totals_before json,
  totals_after json,
  -- The last entry the rebuilt balance includes; running balances up to it stay as they were written.
  up_to_sequence bigint,
  -- Sequences up to there that no entry has.
  skipped bigint,
  check ((state = 'proposed') = (decided_by is null)),
  check (decided_by is distinct from proposed_by)
);
create unique index balance_correction_proposed_idx
  on ledger.balance_correction (account_id, address) where state = 'proposed';
create index balance_correction_account_idx on ledger.balance_correction (account_id, address, decided_at);
create trigger kept before delete or truncate on ledger.balance_correction
  for each statement execute function ledger.refuse_change();

-- Per balance, up to which entry it was corrected, and how many sequences are missing up to there.
create view ledger.corrected as
select distinct on (account_id, address) account_id, address, up_to_sequence, skipped
from ledger.balance_correction where state = 'approved'
order by account_id, address, decided_at desc;

create or replace function ledger.equals_entries(of_account text, at_address text) returns boolean
language sql volatile as $$
  select (b.committed_debit, b.committed_credit, b.pending_in_debit, b.pending_in_credit,
      b.pending_out_debit, b.pending_out_credit, b.entry_count)
    = (e.committed_debit, e.committed_credit, e.pending_in_debit, e.pending_in_credit,
      e.pending_out_debit, e.pending_out_credit, e.entry_count + coalesce(c.skipped, 0))
  from ledger.balance b
  cross join lateral ledger.sum_of_entries(b.account_id, b.address, 0, b.last_sequence) e
  left join ledger.corrected c on c.account_id = b.account_id and c.address = b.address
  where b.account_id = of_account and b.address = at_address
$$;

-- Approves a correction: rebuilds the totals of the balance from all of its entries. Answers whether
-- the correction was still proposed, by somebody else.
create function ledger.correct_balance(correction text, approver text, at_time timestamptz, attempt_stamp uuid)
returns boolean language plpgsql set enable_seqscan = off set jit = off as $$
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
    perform from ledger.fold for update;
  end if;
  select * into held from ledger.balance b
    where b.account_id = wanted.account_id and b.address = wanted.address for no key update;
  if is_deferred then
    reach := held.last_sequence;
  else
    select coalesce(max(e.sequence), 0) into reach from ledger.entry e
      where e.account_id = wanted.account_id and e.address = wanted.address;
  end if;
  select s.*, (select max(e.booked_at) from ledger.entry e where e.account_id = wanted.account_id
      and e.address = wanted.address and e.sequence <= reach) as last_booked_at into rebuilt
    from ledger.sum_of_entries(wanted.account_id, wanted.address, 0, reach) s;
  update ledger.balance_correction set state = 'approved', decided_by = approver, decided_at = at_time,
    totals_before = ledger.totals_of(held), up_to_sequence = reach,
    skipped = case when is_deferred then 0 else reach - rebuilt.entry_count end
    where correction_id = correction;
  update ledger.balance b set
    committed_debit = rebuilt.committed_debit, committed_credit = rebuilt.committed_credit,
    pending_in_debit = rebuilt.pending_in_debit, pending_in_credit = rebuilt.pending_in_credit,
    pending_out_debit = rebuilt.pending_out_debit, pending_out_credit = rebuilt.pending_out_credit,
    entry_count = case when is_deferred then rebuilt.entry_count else reach end, last_sequence = reach,
    last_booked_at = greatest(rebuilt.last_booked_at, b.last_booked_at), stamp = attempt_stamp
    where b.account_id = wanted.account_id and b.address = wanted.address;
  update ledger.balance_correction c set totals_after = ledger.totals_of(b)
    from ledger.balance b where c.correction_id = correction
      and b.account_id = c.account_id and b.address = c.address;
  return true;
end $$;

-- The totals of a balance as they are kept with a correction; minor units as text.
create function ledger.totals_of(of_balance ledger.balance) returns json language sql stable as $$
  select json_build_object(
    'committedDebit', of_balance.committed_debit::text, 'committedCredit', of_balance.committed_credit::text,
    'pendingInDebit', of_balance.pending_in_debit::text, 'pendingInCredit', of_balance.pending_in_credit::text,
    'pendingOutDebit', of_balance.pending_out_debit::text, 'pendingOutCredit', of_balance.pending_out_credit::text,
    'entryCount', of_balance.entry_count::text)
$$;

-- Suspends postings to an account at all of its addresses, or lifts the suspension.
create function ledger.suspend(of_account text, suspended boolean) returns void language sql as $$
  update ledger.balance set is_suspended = suspended, stamp = gen_random_uuid()
  where account_id = of_account and is_suspended <> suspended
$$;
