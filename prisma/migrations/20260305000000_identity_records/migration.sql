-- The audit of identity: log-ins, tokens, consents, and the rights of employees and clients.
create table kernel.identity_record (
  record_id text primary key,
  kind text not null,
  outcome text not null,
  person text,
  party_id text,
  client_id text,
  actor text,
  address text,
  user_agent text,
  grant_id text,
  acr text,
  detail text,
  -- How many equal occurrences the record stands for.
  count integer not null,
  request_id text,
  -- The event from which the record was derived; null if the authorization server wrote it.
  event_id text,
  at timestamptz(3) not null
);
create index identity_record_at_record_id_idx on kernel.identity_record (at desc, record_id desc);
create index identity_record_person_at_idx on kernel.identity_record (person, at desc)
  where person is not null;
create index identity_record_client_id_at_idx on kernel.identity_record (client_id, at desc)
  where client_id is not null;
create index identity_record_grant_id_idx on kernel.identity_record (grant_id)
  where grant_id is not null;

-- The hash chain of the records: one checkpoint for each batch, in the order of the event log.
create table kernel.identity_checkpoint (
  -- Lines are numbered from 1, without gaps.
  first_line bigint primary key,
  record_ids text[] not null,
  -- SHA-256 of the content of each record, one after the other.
  digests bytea not null,
  -- SHA-256 of the hash of the previous checkpoint and of the digests.
  hash text not null
);

create function kernel.reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is rejected: the audit of identity is append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;
create trigger append_only before update or delete or truncate on kernel.identity_record
  for each statement execute function kernel.reject_change();
create trigger append_only before update or delete or truncate on kernel.identity_checkpoint
  for each statement execute function kernel.reject_change();

-- Inserts records together with their events. A record whose ID exists is skipped with its event.
-- Returns how many were inserted.
create function kernel.write_identity_records(records json, events json) returns integer
language sql as $$
  with inserted as (
    insert into kernel.identity_record
    select r.* from json_populate_recordset(null::kernel.identity_record, records) r
    on conflict (record_id) do nothing returning record_id
  ), emitted as (
    select json_agg(e) as events, count(*)::integer as event_count
    from json_array_elements(events) e
    where e ->> 'subject' in (select 'identity-record/' || record_id from inserted)
  ), sent as (
    insert into kernel.outbox (event_count, events)
    select emitted.event_count, emitted.events from emitted where emitted.event_count > 0
  )
  select count(*)::integer from inserted
$$;

-- Writes the next checkpoint, with the records that are derived from events of its batch. Returns
-- false, with nothing written, if another process has processed the batch.
create function kernel.write_identity_checkpoint(
  done bigint, reach bigint, ids text[], digests bytea, derived json
) returns boolean language plpgsql as $$
declare
  last kernel.identity_checkpoint;
begin
  insert into kernel.consumer (name, position) values ('operations-identity-records', 0)
    on conflict do nothing;
  update kernel.consumer set position = reach
    where name = 'operations-identity-records' and position = done;
  if not found then
    return false;
  end if;
  insert into kernel.identity_record
    select r.* from json_populate_recordset(null::kernel.identity_record, derived) r;
  if cardinality(ids) > 0 then
    select * into last from kernel.identity_checkpoint order by first_line desc limit 1;
    insert into kernel.identity_checkpoint values (
      coalesce(last.first_line + cardinality(last.record_ids), 1), ids, digests,
      encode(sha256(decode(coalesce(last.hash, repeat('0', 64)), 'hex') || digests), 'hex'));
  end if;
  return true;
end $$;

-- Whether the client had the scope audit:read when it created the subscription.
alter table events.subscription add column may_receive_audit boolean not null default false;
