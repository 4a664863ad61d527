-- The totals by product and segment are locked in one order. Postings are dated while those from before the
-- upgrade are added, and both change the totals of the same days: in different orders, they deadlock.

-- As before, except for the order.
-- Adds postings from before the upgrade to the totals by product and segment. Returns their number.
create or replace function general_ledger.attribute_history(max_postings integer) returns integer language plpgsql
set enable_seqscan = off set jit = off as $$
declare
  reached general_ledger.dimension_reach;
  ids text[];
  last_date date;
  last_position bigint;
begin
  select * into reached from general_ledger.dimension_reach for update;
  select array_agg(p.posting_instruction_id), max(p.accounting_date) into ids, last_date from (
    select posting_instruction_id, accounting_date from general_ledger.dated_posting
    where (accounting_date, position) > (reached.accounting_date, reached.position)
      and position <= reached.up_to_position
    order by accounting_date, position limit max_postings
  ) p;
  if ids is null then
    update general_ledger.dimension_reach set is_complete = true;
    return 0;
  end if;
  select max(d.position) into last_position from general_ledger.dated_posting d
    where d.posting_instruction_id = any(ids) and d.accounting_date = last_date;
  insert into general_ledger.dimension_total as t
  select e.accounting_date, e.ledger_code, e.product_id, e.segment, e.currency, e.is_year_end,
    coalesce(sum(e.amount) filter (where e.side = 'debit'), 0),
    coalesce(sum(e.amount) filter (where e.side = 'credit'), 0)
  from general_ledger.attributed_entries(ids) e
  where e.product_id <> '' or e.segment <> ''
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (accounting_date, ledger_code, product_id, segment, currency, is_year_end) do update set
    debit_minor = t.debit_minor + excluded.debit_minor,
    credit_minor = t.credit_minor + excluded.credit_minor;
  update general_ledger.dimension_reach set accounting_date = last_date, position = last_position;
  return cardinality(ids);
end $$;

-- As before, except for the order.
-- Gives the postings of the event log after one position and up to another their accounting dates,
-- and adds their entries to the daily totals. `dates` has the accounting date for each pair of value
-- date and booking date; a journal entry has its own. Returns false, and changes nothing, if the
-- book is no longer as it was decided on.
create or replace function general_ledger.date_postings(after_position bigint, up_to_position bigint,
  decided_revision bigint, dates json) returns boolean language plpgsql
set jit = off
as $$
declare
  ids text[];
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
    returning posting_instruction_id
  )
  select array_agg(posting_instruction_id) into ids from dated;
  with sums as materialized (
    select e.accounting_date, e.ledger_code, e.product_id, e.segment, e.currency, e.is_year_end,
      coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
      coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
    from general_ledger.attributed_entries(ids) e
    group by 1, 2, 3, 4, 5, 6
  ), totals as (
    insert into general_ledger.daily_total as t
    select s.accounting_date, s.ledger_code,
      case when s.ledger_code in ('customer', 'loan') then s.product_id else '' end, s.currency,
      s.is_year_end, sum(s.debit), sum(s.credit)
    from sums s
    group by 1, 2, 3, 4, 5
    on conflict (accounting_date, ledger_code, product_id, currency, is_year_end) do update set
      debit_minor = t.debit_minor + excluded.debit_minor,
      credit_minor = t.credit_minor + excluded.credit_minor
  )
  insert into general_ledger.dimension_total as t
  select s.accounting_date, s.ledger_code, s.product_id, s.segment, s.currency, s.is_year_end, s.debit,
    s.credit
  from sums s where s.product_id <> '' or s.segment <> '' order by 1, 2, 3, 4, 5, 6
  on conflict (accounting_date, ledger_code, product_id, segment, currency, is_year_end) do update set
    debit_minor = t.debit_minor + excluded.debit_minor,
    credit_minor = t.credit_minor + excluded.credit_minor;
  update general_ledger.book set position = up_to_position, revision = revision + 1;
  return true;
end $$;
