-- Returns the ID of the event at a position of the log; null if there is none, or if its row has
-- moved to the archive. It is volatile so that it sees events that were committed while its
-- statement waited for the end of the log.
create function kernel.event_id_at(log_position bigint)
 returns text
 language plpgsql
 strict
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
begin
  return (select event_id from kernel.event where position = log_position);
end $function$;
