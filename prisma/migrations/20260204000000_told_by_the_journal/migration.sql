-- What an event says is null where the journal of its area has it already and never changes it: it
-- is written once, and whoever reads the event reads it there.
alter table kernel.event alter data drop not null;

-- As before, for events that all say what their journal has.
drop function kernel.append_events(kernel.headline[], json, text[]);
create function kernel.append_events(told kernel.headline[], heard_by text[]) returns bigint
language plpgsql as $$
declare
  last_position bigint;
begin
  perform from kernel.head for update;
  if exists (select from kernel.outbox) then
    while kernel.sequence_events(1000) > 0 loop end loop;
  end if;
  update kernel.head set position = position + cardinality(told)
    returning position - cardinality(told) into last_position;
  insert into kernel.event
    (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
  select last_position + n, event_id, type, subject, 1, time, null, parties::text[], correlation_id, actor
  from rows from (unnest(told), unnest(heard_by)) with ordinality
    as t (event_id, type, subject, time, correlation_id, actor, parties, n);
  perform pg_notify('bankgraph_events', (last_position + cardinality(told))::text);
  return last_position;
end $$;

-- Each line of the journal is written with the SHA-256 of what was sent: of the posting and of its
-- entries, base64url. Lines of before have none until they are sealed. Sealed anew: kept heads of
-- before do not compare.
alter table ledger.posting_instruction add digest text;
drop function ledger.seal_journal(integer);
drop function ledger.verify_journal(bigint, text, integer);
drop function ledger.contents(text[]);
drop function ledger.digest_of(text);
alter table ledger.seal disable trigger append_only;
delete from ledger.seal;
alter table ledger.seal enable trigger append_only;
delete from kernel.consumer where name = 'ledger-seal';

-- Seals the lines that are told between two positions of the log, by their digests one after the
-- other, and remembers how far it came; unless somebody else did meanwhile.
create function ledger.seal_lines(done bigint, reach bigint, ids text[], digests bytea) returns boolean
language plpgsql as $$
declare
  last ledger.seal;
begin
  insert into kernel.consumer (name, position) values ('ledger-seal', 0) on conflict do nothing;
  update kernel.consumer set position = reach where name = 'ledger-seal' and position = done;
  if not found then
    return false;
  end if;
  if cardinality(ids) > 0 then
    select * into last from ledger.seal order by first_line desc limit 1;
    insert into ledger.seal values (
      coalesce(last.first_line + cardinality(last.posting_instruction_ids), 1), ids, digests,
      ledger.seal_of(coalesce(last.hash, repeat('0', 64)), digests));
  end if;
  return true;
end $$;
