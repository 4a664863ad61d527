-- The general ledger by product and by customer segment: an entry belongs to a product and to a segment, or
-- to neither.

-- The product of a customer account or loan account, and the segment of its customer, in lower case; empty
-- if there is none. The segment of a customer never changes, but it is erased with other personal data.
create function ledger.attribution_of(of_account text, of_code text)
returns table (product_id text, segment text) language sql stable as $$
  select coalesce(f.data ->> 'productId', ''), coalesce(nullif(lower((
    select c.data ->> 'segment' from kernel.fact c
    where c.subject = 'customer/' || (f.data ->> 'customerId'))), '[erased]'), '')
  from (select (select k.data from kernel.fact k where k.subject = case of_code
    when 'customer' then 'arrangement/' || of_account
    when 'loan' then 'facility/' || regexp_replace(of_account, '^loan@', '')
  end) as data offset 0) f
$$;

-- The committed entries of postings, with the product and the segment to which each belongs:
-- 1. those of its own account, if it is the account of a customer or of a loan;
-- 2. those that the leg of the posting names, or the leg that a reversal reverses;
-- 3. for income, expenses and control accounts, those of the loans in the posting, or else of the customer
--    accounts in it, if they are all the same.
-- All other entries belong to the bank as a whole. Each posting must have its accounting date.
--
-- Rows are looked up by index in lateral subqueries. The rest is joined by hash: the numbers of rows are
-- not known when the query is planned, and nested loops over thousands of postings take seconds.
create function general_ledger.attributed_entries(ids text[])
returns table (posting_instruction_id text, accounting_date date, event_position bigint,
  is_year_end boolean, ordinal integer, account_id text, ledger_code text, side text, amount bigint, currency text,
  booked_at timestamptz, value_date date, product_id text, segment text)
language sql stable set enable_seqscan = off set enable_nestloop = off set jit = off as $$
  with entries as materialized (
    select d.*, e.*
    from unnest(ids) as id
    cross join lateral (select p.posting_instruction_id, p.accounting_date, p.position, p.is_year_end
      from general_ledger.dated_posting p where p.posting_instruction_id = id offset 0) d
    cross join lateral (select e.ordinal, e.account_id, e.side, e.amount, e.currency, e.booked_at,
      e.value_date
      from ledger.entry e where e.posting_instruction_id = id and e.phase = 'committed' offset 0) e
  ), accounts as materialized (
    select used.account_id, a.code, k.product_id, k.segment, a.type in ('income', 'expense')
      or a.code in ('fee-receivable', 'loan-loss-allowance', 'accrued-interest-payable',
        'accrued-interest-receivable') as follows_posting
    from (select distinct e.account_id from entries e) used
    cross join lateral (select l.code, l.type from ledger.account l
      where l.account_id = used.account_id offset 0) a
    cross join lateral (select * from ledger.attribution_of(used.account_id, a.code) offset 0) k
  ), postings as materialized (
    -- The code "loan" comes first.
    select distinct on (e.posting_instruction_id) e.posting_instruction_id,
      case when min(a.product_id) = max(a.product_id) then min(a.product_id) else '' end as product_id,
      case when min(a.segment) = max(a.segment) then min(a.segment) else '' end as segment
    from entries e join accounts a using (account_id)
    where a.code in ('customer', 'loan')
    group by e.posting_instruction_id, a.code order by e.posting_instruction_id, a.code desc
  ), legs as materialized (
    select d.posting_instruction_id, l.ordinal, l.leg #>> '{attribution,productId}' as product_id,
      l.leg #>> '{attribution,segment}' as segment
    from unnest(ids) as id
    cross join lateral (select p.posting_instruction_id, coalesce((
        select r.details from ledger.posting_instruction r
        where r.posting_instruction_id = p.reverses_id), p.details) as details
      from ledger.posting_instruction p where p.posting_instruction_id = id offset 0) d
    cross join lateral json_array_elements(case when d.details like '%"attribution":%'
      then d.details::json #> '{movement,legs}' end) with ordinality l (leg, ordinal)
    where l.leg -> 'attribution' is not null
  )
  select e.posting_instruction_id, e.accounting_date, e.position, e.is_year_end, e.ordinal, e.account_id,
    a.code, e.side, e.amount, e.currency, e.booked_at, e.value_date, coalesce(k.product_id, ''),
    coalesce(k.segment, '')
  from entries e join accounts a using (account_id)
  left join legs l on l.posting_instruction_id = e.posting_instruction_id and l.ordinal = e.ordinal
  left join postings p on p.posting_instruction_id = e.posting_instruction_id
  cross join lateral (select
    case when a.code in ('customer', 'loan') then a.product_id
      when l.ordinal is not null then l.product_id
      when a.follows_posting then p.product_id end as product_id,
    case when a.code in ('customer', 'loan') then a.segment
      when l.ordinal is not null then l.segment
      when a.follows_posting then p.segment end as segment) k
$$;

-- The part of the daily totals that belongs to a product or to a segment. The rest belongs to neither.
-- Its rows are locked in the order of their key. Postings are dated while those from before the upgrade are
-- added, and both change the totals of the same days: in different orders, they would deadlock.
create table general_ledger.dimension_total (
  accounting_date date not null,
  ledger_code text not null,
  product_id text not null,
  segment text not null,
  currency text not null,
  is_year_end boolean not null,
  debit_minor numeric not null,
  credit_minor numeric not null,
  primary key (accounting_date, ledger_code, product_id, segment, currency, is_year_end)
);

-- The last posting of before the upgrade, by accounting date, that the totals above contain. Later ones, up
-- to a position in the event log, follow.
create table general_ledger.dimension_reach (
  id boolean primary key default true check (id),
  accounting_date date not null,
  position bigint not null,
  up_to_position bigint not null,
  is_complete boolean not null
);

-- Nobody dates postings meanwhile, nor with the function of before.
update general_ledger.book set revision = revision + 1;
insert into general_ledger.dimension_reach (accounting_date, position, up_to_position, is_complete)
select '0001-01-01', 0, position, position = 0 from general_ledger.book;

-- Adds postings of before the upgrade to the totals by product and segment. Returns their number.
create function general_ledger.attribute_history(max_postings integer) returns integer language plpgsql
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

-- Like before, and adds the entries to the totals by product and segment.
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

-- The daily totals by product, and by segment. What belongs to none has an empty value: the daily total less
-- the totals with a value. So the values always add up to the daily totals.
create view general_ledger.total_by_product as
select accounting_date, ledger_code,
  case when ledger_code in ('customer', 'loan') then product_id else '' end as product_id, currency,
  is_year_end, product_id as value, debit_minor, credit_minor
from general_ledger.dimension_total where product_id <> ''
union all
select accounting_date, ledger_code,
  case when ledger_code in ('customer', 'loan') then product_id else '' end, currency,
  is_year_end, '', -debit_minor, -credit_minor
from general_ledger.dimension_total where product_id <> ''
union all
select accounting_date, ledger_code, product_id, currency, is_year_end, '', debit_minor, credit_minor
from general_ledger.daily_total;

create view general_ledger.total_by_segment as
select accounting_date, ledger_code,
  case when ledger_code in ('customer', 'loan') then product_id else '' end as product_id, currency,
  is_year_end, segment as value, debit_minor, credit_minor
from general_ledger.dimension_total where segment <> ''
union all
select accounting_date, ledger_code,
  case when ledger_code in ('customer', 'loan') then product_id else '' end, currency,
  is_year_end, '', -debit_minor, -credit_minor
from general_ledger.dimension_total where segment <> ''
union all
select accounting_date, ledger_code, product_id, currency, is_year_end, '', debit_minor, credit_minor
from general_ledger.daily_total;

-- The totals by product, and by segment, that are not the sum of their entries. Reads all entries, in
-- batches. After the segment of a customer was erased, segments have totals without entries.
create function general_ledger.wrong_dimension_totals()
returns table (accounting_date date, ledger_code text, value text, currency text)
language sql stable set jit = off as $$
  with attributed as (
    select d.posting_instruction_id,
      row_number() over (order by d.accounting_date, d.position) / 2000 as batch
    from general_ledger.dated_posting d cross join general_ledger.dimension_reach r
    where r.is_complete or d.position > r.up_to_position
      or (d.accounting_date, d.position) <= (r.accounting_date, r.position)
  ), sums as materialized (
    select e.accounting_date, e.ledger_code, e.product_id, e.segment, e.currency, e.is_year_end,
      coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
      coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
    from (select array_agg(posting_instruction_id) as ids from attributed group by batch) b
    cross join lateral general_ledger.attributed_entries(b.ids) e
    group by 1, 2, 3, 4, 5, 6
  ), entries as (
    select accounting_date, ledger_code, 'product' as dimension, product_id as value, currency, is_year_end,
      sum(debit) as debit, sum(credit) as credit
    from sums where product_id <> '' group by 1, 2, 3, 4, 5, 6
    union all
    select accounting_date, ledger_code, 'segment', segment, currency, is_year_end, sum(debit), sum(credit)
    from sums where segment <> '' group by 1, 2, 3, 4, 5, 6
  ), totals as (
    select accounting_date, ledger_code, 'product' as dimension, product_id as value, currency, is_year_end,
      sum(debit_minor) as debit, sum(credit_minor) as credit
    from general_ledger.dimension_total where product_id <> '' group by 1, 2, 3, 4, 5, 6
    union all
    select accounting_date, ledger_code, 'segment', segment, currency, is_year_end, sum(debit_minor),
      sum(credit_minor)
    from general_ledger.dimension_total where segment <> '' group by 1, 2, 3, 4, 5, 6
  )
  select accounting_date, ledger_code, value, currency
  from totals t full join entries e
    using (accounting_date, ledger_code, dimension, value, currency, is_year_end)
  where (t.debit, t.credit) is distinct from (e.debit, e.credit)
    and (dimension = 'product' or coalesce(e.debit, 0) > coalesce(t.debit, 0)
      or coalesce(e.credit, 0) > coalesce(t.credit, 0)
      or not exists (select from kernel.fact f where starts_with(f.subject, 'customer/')
        and f.data ->> 'segment' = '[erased]'))
$$;
