-- Like before. If what was carried is wrong, so that the balance would become negative or too large, the
-- difference is carried as well, and the balance begins anew at zero.
create or replace function ledger.correct_balance(correction text, approver text, at_time timestamptz,
  attempt_stamp uuid) returns boolean language plpgsql
  set enable_seqscan = off set jit = off as $$
declare
  wanted ledger.balance_correction;
  held ledger.balance;
  rebuilt record;
  is_deferred boolean;
  reach bigint;
  is_carried boolean;
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
  is_carried := is_deferred and (
    least(rebuilt.committed_debit, rebuilt.committed_credit, rebuilt.pending_in_debit,
      rebuilt.pending_in_credit, rebuilt.pending_out_debit, rebuilt.pending_out_credit) < 0
    or greatest(rebuilt.committed_debit, rebuilt.committed_credit, rebuilt.pending_in_debit,
      rebuilt.pending_in_credit, rebuilt.pending_out_debit, rebuilt.pending_out_credit)
      > 4000000000000000000);
  if is_carried then
    insert into ledger.carried_amount (account_id, address, stamp, committed_debit, committed_credit,
      pending_in_debit, pending_in_credit, pending_out_debit, pending_out_credit)
    values (wanted.account_id, wanted.address, attempt_stamp, rebuilt.committed_debit,
      rebuilt.committed_credit, rebuilt.pending_in_debit, rebuilt.pending_in_credit,
      rebuilt.pending_out_debit, rebuilt.pending_out_credit);
  end if;
  update ledger.balance_correction set state = 'approved', decided_by = approver, decided_at = at_time,
    totals_before = ledger.totals_of(held), up_to_sequence = reach,
    skipped = case when is_deferred then 0 else reach - rebuilt.entry_count end
    where correction_id = correction;
  update ledger.balance b set
    committed_debit = case when is_carried then 0 else rebuilt.committed_debit end,
    committed_credit = case when is_carried then 0 else rebuilt.committed_credit end,
    pending_in_debit = case when is_carried then 0 else rebuilt.pending_in_debit end,
    pending_in_credit = case when is_carried then 0 else rebuilt.pending_in_credit end,
    pending_out_debit = case when is_carried then 0 else rebuilt.pending_out_debit end,
    pending_out_credit = case when is_carried then 0 else rebuilt.pending_out_credit end,
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
