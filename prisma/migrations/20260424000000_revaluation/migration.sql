-- Revaluations of foreign-currency positions: what each found, and the journal entry that booked the
-- difference.
create table general_ledger.currency_revaluation (
  currency_revaluation_id text primary key,
  -- The order of the revaluations, from 1.
  sequence bigint not null unique,
  accounting_period_id text not null,
  functional_currency text not null,
  -- The gains less the losses that were booked, as a decimal.
  gain text not null,
  lines jsonb not null,
  journal_entry_id text,
  revalued_by text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index currency_revaluation_created_at_idx
  on general_ledger.currency_revaluation (created_at, currency_revaluation_id);
create index currency_revaluation_period_idx
  on general_ledger.currency_revaluation (accounting_period_id, created_at, currency_revaluation_id);
create trigger append_only before update or delete or truncate
  on general_ledger.currency_revaluation
  for each statement execute function ledger.refuse_change();

-- A revaluation decides on the revaluations before it, and not on the postings that are dated
-- meanwhile, so it has a number of its own.
alter table general_ledger.book add column revaluations bigint not null default 0;

-- The former rows satisfy the constraint.
alter table general_ledger.journal_entry drop constraint journal_entry_kind_check;
alter table general_ledger.journal_entry add constraint journal_entry_kind_check
  check (kind in ('manual', 'year-end', 'year-end-reversal', 'revaluation')) not valid;

-- A revaluation is not a year-end entry. Otherwise as before.
-- Gives the postings of the event log after one position and up to another their accounting dates,
-- and adds their entries to the daily totals. `dates` has the accounting date for each pair of value
-- date and booking date; a journal entry has its own. Returns false, and changes nothing, if the
-- book is no longer as it was decided on.
create or replace function general_ledger.date_postings(after_position bigint, up_to_position bigint,
  decided_revision bigint, dates json) returns boolean language plpgsql
set jit = off
as $$
begin
  perform from general_ledger.book
    where position = after_position and revision = decided_revision for update;
  if not found then
    return false;
  end if;
  with dated as (
    insert into general_ledger.dated_posting
    select p.posting_instruction_id, coalesce(j.accounting_date, d.accounting_date), v.position,
      coalesce(j.kind in ('year-end', 'year-end-reversal'), false)
    from kernel.event v
    join ledger.posting_instruction p
      on p.posting_instruction_id = substr(v.subject, strpos(v.subject, '/') + 1)
    left join general_ledger.journal_entry j
      on j.posting_instruction_id = p.posting_instruction_id
    left join json_to_recordset(dates) as d (value_date date, booked_on date, accounting_date date)
      on d.value_date = p.value_date and d.booked_on = (p.booked_at at time zone 'UTC')::date
    where v.position > after_position and v.position <= up_to_position
      and v.type like 'payments.posting-instruction.%' and p.status = 'accepted'
      and exists (select from ledger.entry e
        where e.posting_instruction_id = p.posting_instruction_id and e.phase = 'committed')
    on conflict do nothing
    returning posting_instruction_id, accounting_date, is_year_end
  ), sums as (
    select d.accounting_date, e.account_id, e.currency, d.is_year_end,
      coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
      coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
    from dated d join ledger.entry e using (posting_instruction_id)
    where e.phase = 'committed' group by 1, 2, 3, 4
  )
  insert into general_ledger.daily_total as t
  select s.accounting_date, a.code, general_ledger.product_of(a.account_id, a.code), s.currency,
    s.is_year_end, sum(s.debit), sum(s.credit)
  from sums s join ledger.account a using (account_id)
  group by 1, 2, 3, 4, 5
  on conflict (accounting_date, ledger_code, product_id, currency, is_year_end) do update set
    debit_minor = t.debit_minor + excluded.debit_minor,
    credit_minor = t.credit_minor + excluded.credit_minor;
  update general_ledger.book set position = up_to_position, revision = revision + 1;
  return true;
end $$;
