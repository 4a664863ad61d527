-- Appends the events of a group of commits to the event log, as the last statement of their
-- transaction. `events` has the rows of all commits in their order, and `commit_of` the number of
-- the commit of each row. The commits left one digit each in `bankgraph.claimed`: the events of a
-- commit with 0 are skipped, because its idempotency key was already in use. The lock on the head
-- orders the groups of all processes. Events that wait in the outbox come first, so events of one
-- subject stay in order; if they are many, the statement fails with 55P03, so that no commit waits for
-- them. Returns the position before the first event; null if there is none.
create function kernel.append_commits(events json, commit_of integer[])
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
    coalesce((select max(v.sequence) from kernel.event v where v.subject = e.subject), 0)
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
