-- The general ledger: chart of accounts, accounting periods and reports on top of the ledger.
create schema general_ledger;

-- The accounts that differ from the default chart, which is in the code.
create table general_ledger.account (
  account_number text primary key,
  name text not null,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  usage text not null check (usage in ('header', 'posting')),
  parent_number text,
  -- The currencies of manual entries; empty if all are allowed.
  currencies text[] not null,
  allows_manual_entries boolean not null,
  is_active boolean not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Which ledger accounts belong to which account, from a date. The rules of the default chart are in
-- the code.
create table general_ledger.mapping_rule (
  mapping_rule_id text primary key,
  ledger_code text not null,
  product_id text,
  account_number text not null,
  valid_from date not null,
  state text not null check (state in ('proposed', 'active', 'rejected')),
  reason text not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index mapping_rule_created_at_idx on general_ledger.mapping_rule (created_at, mapping_rule_id);
create unique index mapping_rule_active_idx on general_ledger.mapping_rule
  (ledger_code, coalesce(product_id, ''), valid_from) where state = 'active';

-- The periods whose state has ever changed; all other months are open.
create table general_ledger.accounting_period (
  accounting_period_id text primary key,
  state text not null check (state in ('open', 'soft-closed', 'closed')),
  -- How often the period was closed.
  closings integer not null,
  closed_by text,
  closed_at timestamptz(3),
  reopening_reason text,
  reopening_proposed_by text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The balances with which a period was closed; one set for each closing.
create table general_ledger.closing_balance (
  accounting_period_id text not null,
  closing integer not null,
  ledger_code text not null,
  product_id text not null,
  currency text not null,
  account_number text not null,
  opening_minor bigint not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  closing_minor bigint not null,
  primary key (accounting_period_id, closing, ledger_code, product_id, currency)
);

-- How far postings have their accounting dates. Whoever dates postings, closes a period or books a
-- journal entry increments the revision, so that none decides on what another has changed.
create table general_ledger.book (
  id boolean primary key default true check (id),
  -- The position in the event log up to which postings are dated.
  position bigint not null,
  revision bigint not null,
  -- The last day of the last closed period.
  closed_through date
);
insert into general_ledger.book (position, revision) values (0, 0);

-- The accounting date of each posting with committed entries. It never changes.
create table general_ledger.dated_posting (
  posting_instruction_id text primary key,
  accounting_date date not null,
  position bigint not null,
  is_year_end boolean not null
);
create index dated_posting_accounting_date_idx
  on general_ledger.dated_posting (accounting_date, position);

-- The committed entries by day, ledger code, product and currency.
create table general_ledger.daily_total (
  accounting_date date not null,
  ledger_code text not null,
  product_id text not null,
  currency text not null,
  is_year_end boolean not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  primary key (accounting_date, ledger_code, product_id, currency, is_year_end)
);

-- Manual entries and year-end entries, with the accounting date that was chosen for them.
create table general_ledger.journal_entry (
  journal_entry_id text primary key,
  kind text not null check (kind in ('manual', 'year-end', 'year-end-reversal')),
  state text not null check (state in ('proposed', 'posted', 'rejected')),
  accounting_date date not null,
  description text not null,
  lines jsonb not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  posting_instruction_id text unique,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index journal_entry_created_at_idx on general_ledger.journal_entry (created_at, journal_entry_id);

create trigger append_only before update or delete or truncate on general_ledger.dated_posting
  for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on general_ledger.closing_balance
  for each statement execute function ledger.refuse_change();

-- The product of the account arrangement or facility to which a ledger account belongs; empty if
-- there is none.
create function general_ledger.product_of(of_account text, of_code text) returns text
language sql stable as $$
  select coalesce((
    select f.data ->> 'productId' from kernel.fact f
    where of_code in ('customer', 'loan')
      and f.subject in ('arrangement/' || of_account, 'facility/' || of_account)
    order by f.subject limit 1), '')
$$;

-- Gives the postings of the event log after one position and up to another their accounting dates,
-- and adds their entries to the daily totals. `dates` has the accounting date for each pair of value
-- date and booking date; a journal entry has its own. Returns false, and changes nothing, if the
-- book is no longer as it was decided on.
create function general_ledger.date_postings(after_position bigint, up_to_position bigint,
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
      coalesce(j.kind <> 'manual', false)
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
