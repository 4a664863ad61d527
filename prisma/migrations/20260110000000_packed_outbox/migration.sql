-- A commit's events wait for their positions in one row: a group of many commits adds one row, not
-- thousands, and what they say is read once, when it goes to the log.
create type kernel.told as (
  event_id text,
  type text,
  subject text,
  subject_version integer,
  ordinal integer,
  time timestamptz(3),
  data jsonb,
  parties text[],
  correlation_id text,
  causation_id text,
  actor text
);

alter table kernel.outbox rename to outbox_by_event;
create table kernel.outbox (
  id bigint generated always as identity primary key,
  told integer not null,
  events json not null
);
insert into kernel.outbox (told, events)
  select 1, json_build_array(o) from kernel.outbox_by_event o order by o.id;
drop table kernel.outbox_by_event;

-- As before: the head row's lock serializes sequencers; the statements after it see every commit
-- that came before. Within a batch, events of one subject take the slots of that subject in the
-- order of its versions, because identity values are drawn before locks are won.
create or replace function kernel.sequence_events(most integer) returns integer
language plpgsql
-- The plan is made when the log is small and a batch is taken for a handful of rows: it would read
-- the whole log for every event, and compare each event of a batch with each.
set enable_seqscan = off set enable_nestloop = off set jit = off
as $$
declare
  last_position bigint;
  moved integer;
begin
  select position into last_position from kernel.head for update;
  with next as (
    select id, sum(told) over (order by id) - told as before
    from (select id, told from kernel.outbox order by id limit most) waiting
  ), batch as (
    delete from kernel.outbox where id in (select id from next where before < most)
    returning id, events
  ), slots as materialized (
    select row_number() over (order by batch.id, e.ordinality) as step, e.*
    from batch, json_populate_recordset(null::kernel.told, batch.events) with ordinality e
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
end $$;
