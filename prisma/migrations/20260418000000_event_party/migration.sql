-- The parties of each event in the order of the event log, so that the events of one party are read
-- without those of others. The GIN index on `parties` cannot return them in order.
create table kernel.event_party (
  party_id text not null,
  position bigint not null,
  primary key (party_id, position)
);

create function kernel.store_event_parties() returns trigger language plpgsql as $$
begin
  insert into kernel.event_party (party_id, position)
  select unnest(parties), position from stored
  on conflict do nothing;
  return null;
end $$;

-- A trigger, and not another statement of the functions that append events: functions that run while
-- this is migrated would append events without it. The trigger waits for them.
create trigger store_event_parties after insert on kernel.event
  referencing new table as stored
  for each statement execute function kernel.store_event_parties();
