-- Columns, tables and functions by the names that the field uses, in American spelling. No row changes its
-- meaning; wire values such as outbound-authorisation stay.
alter table kernel.idempotency rename column is_kept to is_retained;
alter table kernel.outbox rename column told to event_count;
alter table ledger.authorisation rename column authorised to authorized;
alter table lending.schedule_version rename column instalment_minor to installment_minor;
alter table assist.tool_call rename column asked_by to requested_by;
alter table parties.party rename column organisation_name to organization_name;
alter table lending.facility rename column billed_instalments to billed_installments;
alter table kernel.job rename column asked_at to requested_at;
alter table kernel.job rename column asked_by to requested_by;
alter table payments.standing_order rename column most_executions to max_executions;
alter table products.pricing_quote rename column instalment_minor to installment_minor;
alter table origination.loan_application rename column mode_asked to requested_mode;
alter table origination.loan_application rename column booking_refusal to booking_error;
alter table origination.decision_notice rename column told_at to notified_at;
alter table oauth.failed_attempt rename column forget_at to expires_at;
alter table ledger.authorisation rename constraint authorisation_direction_check to authorization_direction_check;
alter table ledger.authorisation rename constraint authorisation_open_check to authorization_open_check;
alter table ledger.authorisation rename constraint authorisation_check to authorization_check;
alter table ledger.authorisation rename constraint authorisation_pkey to authorization_pkey;
alter table ledger.fold rename constraint fold_id_check to aggregation_id_check;
alter table ledger.fold rename constraint fold_pkey to aggregation_pkey;
alter table lending.due_instalment rename constraint due_instalment_interest_minor_check to due_installment_interest_minor_check;
alter table lending.due_instalment rename constraint due_instalment_principal_minor_check to due_installment_principal_minor_check;
alter table lending.due_instalment rename constraint due_instalment_check to due_installment_check;
alter table lending.due_instalment rename constraint due_instalment_check1 to due_installment_check1;
alter table lending.due_instalment rename constraint due_instalment_pkey to due_installment_pkey;
alter table origination.loan_application rename constraint loan_application_mode_asked_check to loan_application_requested_mode_check;
alter table ledger.seal rename constraint seal_pkey to checkpoint_pkey;
alter index ledger.authorisation_expires_at_idx rename to authorization_expires_at_idx;
alter index ledger.authorisation_account_id_idx rename to authorization_account_id_idx;
alter index lending.due_instalment_unpaid_idx rename to due_installment_unpaid_idx;
alter index oauth.failed_attempt_forget_idx rename to failed_attempt_expires_idx;
alter trigger valuation_is_kept on collateral.valuation rename to valuation_is_retained;
alter table ledger.authorisation rename to "authorization";
alter table ledger.seal rename to checkpoint;
alter table ledger.fold rename to aggregation;
alter table lending.due_instalment rename to due_installment;
alter type kernel.told rename to emitted_event;
alter function ledger.fold_deferred() rename to aggregate_accumulating;
alter function ledger.seal_of(before text, digests bytea) rename to checkpoint_hash;
alter function ledger.seal_lines(done bigint, reach bigint, ids text[], digests bytea) rename to write_checkpoint;
drop function kernel.sequence_events(integer);
drop function kernel.append_events(kernel.headline[], text[]);
update kernel.consumer set name = 'ledger-checkpoints' where name = 'ledger-seal';
update kernel.job set name = renamed.after
  from (values
    ('events.forget-deliveries', 'events.delete-old-deliveries'),
    ('operations.forget-keys', 'operations.delete-expired-keys'),
    ('operations.forget-refusals', 'operations.delete-old-refusals'),
    ('lending.turn-payment-holidays', 'lending.start-and-end-payment-holidays'),
    ('payments.fold-deferred-accounts', 'payments.aggregate-internal-accounts'),
    ('payments.seal-journal', 'payments.write-checkpoints'),
    ('origination.tell-applicants', 'origination.notify-applicants'),
    ('origination.judge-applications', 'origination.decide-applications'),
    ('accounts.tell-balances', 'accounts.publish-balances'),
    ('payments.expire-authorisations', 'payments.expire-authorizations')
  ) renamed(before, after)
  where name = renamed.before;

CREATE FUNCTION kernel.sequence_events(max_events integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
declare
  last_position bigint;
  moved integer;
begin
  select position into last_position from kernel.head for update;
  with next as (
    select id, sum(event_count) over (order by id) - event_count as before
    from (select id, event_count from kernel.outbox order by id limit max_events) waiting
  ), batch as (
    delete from kernel.outbox where id in (select id from next where before < max_events)
    returning id, events
  ), slots as materialized (
    select row_number() over (order by batch.id, e.ordinality) as step, e.*
    from batch, json_populate_recordset(null::kernel.emitted_event, batch.events) with ordinality e
  ), ranked as (
    -- Without what the events say, so that only narrow rows are sorted.
    select step, subject,
      row_number() over (partition by subject order by subject_version, ordinal, step) as rank,
      array_agg(step) over (partition by subject order by step
        rows between unbounded preceding and unbounded following) as drawn
    from slots
  ), numbered as (
    select step, drawn[rank] as taken, rank +
      coalesce((select max(sequence) from kernel.event where event.subject = ranked.subject), 0)
      as sequence
    from ranked
  )
  insert into kernel.event
    (position, event_id, type, subject, sequence, time, data, parties,
     correlation_id, causation_id, actor)
  select last_position + taken, event_id, type, subject, sequence, time, data, parties,
    correlation_id, causation_id, actor
  from slots join numbered using (step);
  get diagnostics moved = row_count;
  if moved > 0 then
    update kernel.head set position = last_position + moved;
    perform pg_notify('bankgraph_events', '');
  end if;
  return moved;
end $function$;

CREATE OR REPLACE FUNCTION ledger.aggregate_accumulating()
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  seen ledger.aggregation;
  given_out bigint;
begin
  select case when is_called then last_value else 0 end into given_out from ledger.deferred_sequence;
  select * into seen from ledger.aggregation for update;
  -- Where transaction ids began anew (a database that was restored from a dump), it is looked at afresh.
  if seen.seen_by > pg_current_xact_id() then
    update ledger.aggregation set seen_up_to = greatest(given_out, seen_up_to), seen_by = pg_current_xact_id();
    return 0;
  end if;
  if pg_snapshot_xmin(pg_current_snapshot()) < seen.seen_by then
    return 0;
  end if;
  update ledger.balance b set
    committed_debit = b.committed_debit + e.committed_debit,
    committed_credit = b.committed_credit + e.committed_credit,
    pending_in_debit = b.pending_in_debit + e.pending_in_debit,
    pending_in_credit = b.pending_in_credit + e.pending_in_credit,
    pending_out_debit = b.pending_out_debit + e.pending_out_debit,
    pending_out_credit = b.pending_out_credit + e.pending_out_credit,
    entry_count = b.entry_count + e.entry_count,
    last_sequence = seen.seen_up_to,
    stamp = gen_random_uuid()
  from (
    select a.account_id, d.address, s.* from ledger.account a
    join ledger.balance d on d.account_id = a.account_id and d.last_sequence < seen.seen_up_to
    cross join lateral ledger.sum_of_entries(d.account_id, d.address, d.last_sequence, seen.seen_up_to) s
    where a.policy = 'deferred' and s.entry_count > 0
  ) e
  where b.account_id = e.account_id and b.address = e.address;
  update ledger.aggregation set up_to = seen.seen_up_to, seen_up_to = greatest(given_out, seen.seen_up_to),
    seen_by = pg_current_xact_id();
  return seen.seen_up_to - seen.up_to;
end $function$;

CREATE OR REPLACE FUNCTION ledger.correct_balance(correction text, approver text, at_time timestamp with time zone, attempt_stamp uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION ledger.checkpoint_hash(before text, digests bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select encode(sha256(decode(before, 'hex') || digests), 'hex')
$function$;

CREATE OR REPLACE FUNCTION ledger.book(held ledger.balance[], booked ledger.entry[], chains ledger.authorization[], attempt_stamp uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  met bigint;
  written bigint;
begin
  -- Before an entry takes its number: aggregating waits for every transaction that may hold one.
  perform pg_current_xact_id();
  select count(*) into met from (
    select 1 from unnest(held) h join ledger.balance b
      on b.account_id = h.account_id and b.address = h.address and b.stamp = h.stamp
    for no key update of b
  ) locked;
  if met <> cardinality(held) then
    raise exception 'balances moved: % of % are as decided on', met, cardinality(held)
      using errcode = 'BG001';
  end if;
  if cardinality(booked) = 0 then
    return 0;
  end if;
  with moved as (
    update ledger.balance b set
      committed_debit = h.committed_debit, committed_credit = h.committed_credit,
      pending_in_debit = h.pending_in_debit, pending_in_credit = h.pending_in_credit,
      pending_out_debit = h.pending_out_debit, pending_out_credit = h.pending_out_credit,
      entry_count = h.entry_count, last_sequence = h.entry_count, last_booked_at = h.last_booked_at,
      stamp = attempt_stamp
    from unnest(held) h
    where b.account_id = h.account_id and b.address = h.address and b.entry_count <> h.entry_count
    returning 1
  ), entered as (
    insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side,
      amount, currency, booked_at, value_date, committed_after, pending_in_after, pending_out_after,
      available_after)
    select account_id, address, coalesce(sequence, nextval('ledger.deferred_sequence')),
      posting_instruction_id, ordinal, phase, side, amount, currency, booked_at, value_date,
      committed_after, pending_in_after, pending_out_after, available_after
    from unnest(booked)
    returning 1
  )
  select count(*) into written from entered;
  if cardinality(chains) > 0 then
    update ledger.authorization t set authorized = c.authorized, settled = c.settled,
      released = c.released, open = c.open, exceeded = c.exceeded, state = c.state, stamp = attempt_stamp
    from unnest(chains) c
    where t.client_id = c.client_id and t.client_transaction_id = c.client_transaction_id
      and t.stamp = c.stamp;
    get diagnostics met = row_count;
    if met <> (select count(*) from unnest(chains) c where c.stamp is not null) then
      raise exception 'authorizations moved' using errcode = 'BG001';
    end if;
    insert into ledger.authorization (client_id, client_transaction_id, account_id, contra_id, direction,
      currency, authorized, settled, released, open, exceeded, state, expires_at, opened_at, opened_by, stamp)
    select client_id, client_transaction_id, account_id, contra_id, direction, currency, authorized,
      settled, released, open, exceeded, state, expires_at, opened_at, opened_by, attempt_stamp
    from unnest(chains) where stamp is null;
  end if;
  return written;
end $function$;

CREATE FUNCTION kernel.append_events(events kernel.headline[], received_by text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  last_position bigint;
begin
  perform from kernel.head for update;
  if exists (select from kernel.outbox) then
    while kernel.sequence_events(1000) > 0 loop end loop;
  end if;
  update kernel.head set position = position + cardinality(events)
    returning position - cardinality(events) into last_position;
  insert into kernel.event
    (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
  select last_position + n, event_id, type, subject, 1, time, null, parties::text[], correlation_id, actor
  from rows from (unnest(events), unnest(received_by)) with ordinality
    as t (event_id, type, subject, time, correlation_id, actor, parties, n);
  perform pg_notify('bankgraph_events', (last_position + cardinality(events))::text);
  return last_position;
end $function$;

CREATE OR REPLACE FUNCTION ledger.write_checkpoint(done bigint, reach bigint, ids text[], digests bytea)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  last ledger.checkpoint;
begin
  insert into kernel.consumer (name, position) values ('ledger-checkpoints', 0) on conflict do nothing;
  update kernel.consumer set position = reach where name = 'ledger-checkpoints' and position = done;
  if not found then
    return false;
  end if;
  if cardinality(ids) > 0 then
    select * into last from ledger.checkpoint order by first_line desc limit 1;
    insert into ledger.checkpoint values (
      coalesce(last.first_line + cardinality(last.posting_instruction_ids), 1), ids, digests,
      ledger.checkpoint_hash(coalesce(last.hash, repeat('0', 64)), digests));
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION oauth.count_failure(keys text[], free integer[], max_delay_ms bigint[], is_forced boolean, OUT delay_ms bigint, OUT counts integer[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  each text;
  at timestamptz;
begin
  for each in select k from unnest(keys) k order by k loop
    perform pg_advisory_xact_lock(hashtextextended(each, 93));
  end loop;
  at := clock_timestamp();
  select coalesce(ceil(extract(epoch from max(f.wait_until) - at) * 1000), 0) into delay_ms
    from oauth.failed_attempt f where f.key = any(keys) and f.expires_at > at and f.wait_until > at;
  if delay_ms > 0 and not is_forced then
    counts := array[]::integer[];
    return;
  end if;
  insert into oauth.failed_attempt as f (key, count, wait_until, expires_at)
    select k, 1, at, at + interval '1 hour' from unnest(keys) k
    on conflict (key) do update set
      count = case when f.expires_at <= at then 1 else f.count + 1 end,
      expires_at = excluded.expires_at;
  update oauth.failed_attempt f set wait_until = at + oauth.failure_delay(f.count, k.free, k.max_delay)
    from unnest(keys, free, max_delay_ms) k (key, free, max_delay) where f.key = k.key;
  select array_agg(f.count order by k.position) into counts
    from unnest(keys) with ordinality k (key, position) join oauth.failed_attempt f using (key);
end $function$;

-- Members of stored JSON, by the same names. What is hashed or was published stays as it was written.
do $$
declare
  col record;
  name record;
begin
  for col in
    select c.table_schema as s, c.table_name as t, c.column_name as name, c.udt_name as type
    from information_schema.columns c
    join information_schema.tables x using (table_schema, table_name)
    where x.table_type = 'BASE TABLE' and c.udt_name in ('text', 'json', 'jsonb')
      and (c.table_schema in ('channels', 'lending', 'operations', 'origination', 'parties', 'payments', 'products')
        or (c.table_schema, c.table_name) in (('events', 'endpoint'), ('kernel', 'fact'), ('kernel', 'idempotency')))
  loop
    execute format('alter table %I.%I disable trigger user', col.s, col.t);
    for name in
      select * from (values
        ('"([A-Za-z]*)nstalment([A-Za-z]*)":', '"\1nstallment\2":'), ('"organisationName":', '"organizationName":'),
        -- The parameters of products that are named after installments.
        ('"holiday(Gap|Seasoning)Instalments"', '"holiday\1Installments"'),
        ('"holidayInstalmentsPerYear"', '"holidayInstallmentsPerYear"'),
        ('"([A-Za-z]*)uthorised([A-Za-z]*)":', '"\1uthorized\2":'), ('"sealed":', '"encrypted":'),
        ('"lookAgainAt":', '"reevaluateAt":'), ('"mostExecutions":', '"maxExecutions":'),
        ('"bookingRefusal":', '"bookingError":'), ('"mostBytes":', '"maxBytes":'),
        ('"askedBy":', '"requestedBy":'), ('"modeAsked":', '"requestedMode":')) as names (was, now)
    loop
      execute format('update %I.%I set %I = regexp_replace(%I::text, %L, %L, ''g'')::%s where %I::text ~ %L',
        col.s, col.t, col.name, col.name, name.was, name.now, col.type, col.name, name.was);
    end loop;
    execute format('alter table %I.%I enable trigger user', col.s, col.t);
  end loop;
end $$;
