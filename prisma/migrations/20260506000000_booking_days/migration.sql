-- The trial balance at an earlier time reads the totals of the days before it and the entries of one
-- day. It read all entries.

-- The committed entries by the day (UTC) on which they were booked.
create table ledger.booking_day_total (
  booked_on date not null,
  currency text not null,
  code text not null,
  type text not null,
  debit_minor numeric not null,
  credit_minor numeric not null,
  primary key (booked_on, currency, code, type)
);

-- The first line of the last checkpoint whose postings the totals contain.
create table ledger.booking_day_reach (
  id boolean primary key default true check (id),
  first_line bigint not null
);
insert into ledger.booking_day_reach (first_line) values (0);

-- The postings that the totals do not contain: those of later checkpoints, of events that no checkpoint
-- covers, and of events without a position.
create function ledger.postings_without_total() returns setof text language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  select unnest(c.posting_instruction_ids) from ledger.checkpoint c
  where c.first_line > (select first_line from ledger.booking_day_reach)
  union
  select substr(v.subject, strpos(v.subject, '/') + 1) from kernel.event v
  where v.position > coalesce(
      (select position from kernel.consumer where name = 'ledger-checkpoints'), 0)
    and v.type like 'payments.posting-instruction.%'
  union
  select substr(t.subject, strpos(t.subject, '/') + 1)
  from kernel.outbox o, json_populate_recordset(null::kernel.emitted_event, o.events) t
  where t.type like 'payments.posting-instruction.%'
$$;

-- Adds the postings of the next checkpoints to the totals. Returns the number of checkpoints.
create function ledger.total_booking_days(max_checkpoints integer) returns integer language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  reached bigint;
  next_lines bigint[];
begin
  select first_line into reached from ledger.booking_day_reach for update;
  next_lines := array(select first_line from ledger.checkpoint where first_line > reached
    order by first_line limit max_checkpoints);
  if cardinality(next_lines) = 0 then
    return 0;
  end if;
  insert into ledger.booking_day_total as t
  select s.booked_on, s.currency, a.code, a.type, sum(s.debit), sum(s.credit)
  from (
    select (e.booked_at at time zone 'UTC')::date as booked_on, e.account_id, e.currency,
      coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
      coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
    from ledger.checkpoint c cross join unnest(c.posting_instruction_ids) as id
    join ledger.entry e on e.posting_instruction_id = id
    where c.first_line = any(next_lines) and e.phase = 'committed'
    group by 1, 2, 3
  ) s join ledger.account a using (account_id)
  group by 1, 2, 3, 4
  on conflict (booked_on, currency, code, type) do update set
    debit_minor = t.debit_minor + excluded.debit_minor,
    credit_minor = t.credit_minor + excluded.credit_minor;
  update ledger.booking_day_reach set first_line = next_lines[cardinality(next_lines)];
  return cardinality(next_lines);
end $$;

-- The totals of all entries that were booked by a time: of the days before, of the day itself, and of
-- entries of earlier days that the totals do not contain yet.
create function ledger.totals_at(of_currency text, as_of timestamptz)
  returns table (currency text, code text, type text, debit numeric, credit numeric)
  language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  -- Times have milliseconds. At the end of a day, that day is complete.
  last_day date := ((as_of + interval '1 millisecond') at time zone 'UTC')::date;
  day_start timestamptz := last_day::timestamp at time zone 'UTC';
begin
  return query execute $q$
    select s.currency, s.code, s.type, sum(s.debit), sum(s.credit) from (
      select t.currency, t.code, t.type, t.debit_minor as debit, t.credit_minor as credit
      from ledger.booking_day_total t where t.booked_on < $2
      union all
      select b.currency, a.code, a.type, b.debit, b.credit from (
        select e.account_id, e.currency,
          coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit,
          coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit
        from ledger.entry e
        where e.phase = 'committed' and e.booked_at >= $3 and e.booked_at <= $4 and $3 <= $4
        group by 1, 2
      ) b join ledger.account a using (account_id)
      union all
      select e.currency, a.code, a.type,
        case e.side when 'debit' then e.amount else 0 end,
        case e.side when 'credit' then e.amount else 0 end
      from ledger.postings_without_total() as id
      join ledger.entry e on e.posting_instruction_id = id
      join ledger.account a using (account_id)
      where e.phase = 'committed' and e.booked_at < $3
    ) s
    where $1 is null or s.currency = $1
    group by 1, 2, 3 order by 1, 2, 3
  $q$ using of_currency, last_day, day_start, as_of;
end $$;
