-- Compares the changed balances of a statement with the entries that were inserted with it. The
-- comparison with all entries of the account is only for corrections: the planner used to evaluate
-- it for every balance, so that each entry of an account made all later postings to it slower.
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
            = coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'debit'), 0)
          and n.committed_credit - o.committed_credit
            = coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'credit'), 0)
          and n.pending_in_debit - o.pending_in_debit
            = coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'debit'), 0)
          and n.pending_in_credit - o.pending_in_credit
            = coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'credit'), 0)
          and n.pending_out_debit - o.pending_out_debit
            = coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'debit'), 0)
          and n.pending_out_credit - o.pending_out_credit
            = coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'credit'), 0)
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
