-- The trial balance of now reads the totals of days and the postings that they do not contain yet. It read
-- the balance of each account.

-- The totals of all committed entries, also of the kinds of accounts that have none. The kinds are read
-- from the index by one look-up each.
create function ledger.current_totals(of_currency text)
  returns table (currency text, code text, type text, debit numeric, credit numeric)
  language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with recursive kinds as (
    (select a.currency, a.code, a.type from ledger.account a
      where a.currency >= coalesce(of_currency, '') order by 1, 2, 3 limit 1)
    union all
    select n.currency, n.code, n.type from kinds k cross join lateral (
      select a.currency, a.code, a.type from ledger.account a
      where (a.currency, a.code, a.type) > (k.currency, k.code, k.type) order by 1, 2, 3 limit 1
    ) n
    where of_currency is null or k.currency = of_currency
  ), totals as (
    select s.currency, s.code, s.type, sum(s.debit) as debit, sum(s.credit) as credit from (
      select t.currency, t.code, t.type, t.debit_minor as debit, t.credit_minor as credit
      from ledger.booking_day_total t
      union all
      select e.currency, a.code, a.type,
        case e.side when 'debit' then e.amount else 0 end,
        case e.side when 'credit' then e.amount else 0 end
      from ledger.postings_without_total() as id
      join ledger.entry e on e.posting_instruction_id = id
      join ledger.account a using (account_id)
      where e.phase = 'committed'
    ) s
    where of_currency is null or s.currency = of_currency
    group by 1, 2, 3
  )
  select k.currency, k.code, k.type, coalesce(t.debit, 0), coalesce(t.credit, 0)
  from kinds k left join totals t using (currency, code, type)
  where of_currency is null or k.currency = of_currency
  order by 1, 2, 3
$$;
