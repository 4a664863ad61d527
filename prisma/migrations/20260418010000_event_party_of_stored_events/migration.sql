-- The trigger stores the parties of all events that follow.
insert into kernel.event_party (party_id, position)
select unnest(parties), position from kernel.event
on conflict do nothing;
