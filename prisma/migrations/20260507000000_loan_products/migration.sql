-- The ledger account of a facility belongs to the product of the facility, so that mapping rules for the
-- product of a loan apply. Its ID is `loan@` and the ID of the facility, which the function looked for
-- as a whole, so that loans had no product.
create or replace function general_ledger.product_of(of_account text, of_code text) returns text
language sql stable as $$
  select coalesce((
    select f.data ->> 'productId' from kernel.fact f
    where f.subject = case of_code
      when 'customer' then 'arrangement/' || of_account
      when 'loan' then 'facility/' || regexp_replace(of_account, '^loan@', '')
    end), '')
$$;

do $$
begin
  -- Nobody dates postings, closes a period or books a journal entry meanwhile, nor with totals that were
  -- read before.
  update general_ledger.book set revision = revision + 1;

  -- The totals of loans by product: the entries that are dated.
  delete from general_ledger.daily_total where ledger_code = 'loan';
  insert into general_ledger.daily_total
  with loans as materialized (
    select account_id, code, general_ledger.product_of(account_id, code) as product_id
    from ledger.account where code = 'loan'
  )
  select d.accounting_date, a.code, a.product_id, e.currency, d.is_year_end,
    coalesce(sum(e.amount) filter (where e.side = 'debit'), 0),
    coalesce(sum(e.amount) filter (where e.side = 'credit'), 0)
  from loans a join ledger.entry e using (account_id)
  join general_ledger.dated_posting d using (posting_instruction_id)
  where e.phase = 'committed'
  group by 1, 2, 3, 4, 5;

  -- The balances of periods that are closed now, on the accounts of the general ledger on which they
  -- were closed. Those of earlier closings stay as they were shown.
  alter table general_ledger.closing_balance disable trigger append_only;
  with closed as (
    delete from general_ledger.closing_balance b using general_ledger.accounting_period p
    where p.accounting_period_id = b.accounting_period_id and p.state = 'closed'
      and b.closing = p.closings and b.ledger_code = 'loan'
    returning b.*
  )
  insert into general_ledger.closing_balance
  select c.accounting_period_id, c.closing, c.ledger_code, t.product_id, c.currency, c.account_number,
    coalesce(sum(t.debit_minor - t.credit_minor) filter (where t.accounting_date < s.first_day), 0),
    coalesce(sum(t.debit_minor) filter (where t.accounting_date >= s.first_day), 0),
    coalesce(sum(t.credit_minor) filter (where t.accounting_date >= s.first_day), 0),
    sum(t.debit_minor - t.credit_minor)
  from closed c
  cross join lateral (select to_date(c.accounting_period_id, 'YYYY-MM') as first_day) s
  join general_ledger.daily_total t on t.ledger_code = c.ledger_code and t.currency = c.currency
    and t.accounting_date < s.first_day + interval '1 month'
  group by c.accounting_period_id, c.closing, c.ledger_code, t.product_id, c.currency,
    c.account_number;
  alter table general_ledger.closing_balance enable trigger append_only;
end $$;
