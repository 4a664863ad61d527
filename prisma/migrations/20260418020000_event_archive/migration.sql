-- The segments of the event log that are in the archive. Positions have no gaps, so the segments
-- have none either. `retained` are the positions whose rows stay in the table. `previous_sha256` is
-- the hash of the segment before, which the object contains.
create table kernel.event_segment (
  first_position bigint primary key,
  last_position bigint not null unique,
  first_time timestamptz(3) not null,
  last_time timestamptz(3) not null,
  first_event_id text not null,
  last_event_id text not null,
  types text[] not null,
  retained bigint[] not null,
  object_key text not null,
  bytes integer not null,
  sha256 text not null,
  previous_sha256 text not null,
  is_removed boolean not null default false
);

-- The last event of each subject in a segment.
create table kernel.archived_subject (
  subject text not null,
  sequence integer not null,
  position bigint not null,
  primary key (subject, sequence)
);

-- As before, with the sequence numbers of archived events.
create or replace function kernel.append_commits(events json, commit_of integer[])
 returns bigint
 language plpgsql
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
declare
  claimed constant text := current_setting('bankgraph.claimed');
  last_position bigint;
  appended integer;
begin
  if strpos(claimed, '1') = 0 then
    return null;
  end if;
  select position into last_position from kernel.head for update;
  if exists (select from kernel.outbox) then
    if kernel.sequence_events(1000) >= 1000 then
      raise exception 'Too many events wait in the outbox.' using errcode = '55P03';
    end if;
    select position into last_position from kernel.head;
  end if;
  insert into kernel.event
    (position, event_id, type, subject, sequence, time, data, parties,
     correlation_id, causation_id, actor)
  select last_position + row_number() over (order by n), event_id, type, subject,
    greatest(0, (select max(v.sequence) from kernel.event v where v.subject = e.subject),
        (select max(a.sequence) from kernel.archived_subject a where a.subject = e.subject))
      + row_number() over (partition by subject order by n),
    time, data, parties, correlation_id, causation_id, actor
  from json_populate_recordset(null::kernel.emitted_event, events) with ordinality
    as e (event_id, type, subject, subject_version, ordinal, time, data, parties,
      correlation_id, causation_id, actor, n)
  where substr(claimed, commit_of[n], 1) = '1';
  get diagnostics appended = row_count;
  update kernel.head set position = last_position + appended;
  perform pg_notify('bankgraph_events', (last_position + appended)::text);
  return last_position;
end $function$;

CREATE OR REPLACE FUNCTION kernel.sequence_events(max_events integer)
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
      greatest(0, (select max(sequence) from kernel.event where event.subject = ranked.subject),
        (select max(a.sequence) from kernel.archived_subject a where a.subject = ranked.subject))
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
