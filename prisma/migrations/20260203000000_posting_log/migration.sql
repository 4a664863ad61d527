-- What an event says is kept as the text it was told in: nobody searches in it, and taking it in is half the work.
alter table kernel.event alter data type json using data::json;
alter type kernel.told alter attribute data type json;

-- What an event is beside what it says and who hears it.
create type kernel.headline as (
  event_id text,
  type text,
  subject text,
  time timestamptz(3),
  correlation_id text,
  actor text
);

-- Puts events straight into the log, as part of the commit that tells them: for those who commit
-- hundreds together and tell each of a subject that is new. Whatever waits for its place goes before
-- them, so that nobody hears of a change before what it builds on. The head row stays locked until
-- the commit, so it has to be the last thing that a statement does. Answers the position before the
-- first, and the one of the last is told to whoever listens.
create function kernel.append_events(told kernel.headline[], said json, heard_by text[]) returns bigint
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
  select last_position + n, event_id, type, subject, 1, time, data, parties::text[], correlation_id, actor
  from rows from (unnest(told), json_array_elements(said), unnest(heard_by)) with ordinality
    as t (event_id, type, subject, time, correlation_id, actor, data, parties, n);
  perform pg_notify('bankgraph_events', (last_position + cardinality(told))::text);
  return last_position;
end $$;

-- The journal's seals: one for each batch of lines, in the order of the event log, over the digest of
-- each line and over the seal before it. Sealed anew: kept heads of before do not compare.
drop function ledger.seal_of(text, text);
drop function ledger.verify_journal(bigint, text, integer);
drop table ledger.seal;
delete from kernel.consumer where name = 'ledger-seal';
create table ledger.seal (
  -- Lines are numbered from 1, without gaps.
  first_line bigint primary key,
  posting_instruction_ids text[] not null,
  -- SHA-256 of the content of each line, one after the other.
  digests bytea not null,
  -- SHA-256 of the hash before and of the digests.
  hash text not null
);
create trigger append_only before update or delete or truncate on ledger.seal
  for each statement execute function ledger.refuse_change();

create function ledger.digest_of(content text) returns bytea language sql immutable as $$
  select sha256(convert_to(content, 'UTF8'))
$$;

create function ledger.seal_of(before text, digests bytea) returns text language sql immutable as $$
  select encode(sha256(decode(before, 'hex') || digests), 'hex')
$$;

-- Seals the postings that the log told since the last time, in its order. Answers how many events
-- it went through. The consumer's row lets one work at a time.
create or replace function ledger.seal_journal(most integer) returns integer
language plpgsql as $$
declare
  done bigint;
  reach bigint;
  last ledger.seal;
  ids text[];
  together bytea;
  known integer;
begin
  insert into kernel.consumer (name, position) values ('ledger-seal', 0) on conflict do nothing;
  select position into done from kernel.consumer where name = 'ledger-seal' for update;
  select least(position, done + most) into reach from kernel.head;
  if reach <= done then
    return 0;
  end if;
  select array_agg(substr(e.subject, strpos(e.subject, '/') + 1) order by e.position) into ids
  from kernel.event e
  where e.position > done and e.position <= reach and e.type like 'payments.posting-instruction.%';
  if ids is not null then
    select string_agg(ledger.digest_of(c.content), '' order by t.n), count(*) into together, known
    from unnest(ids) with ordinality t (id, n) join ledger.contents(ids) c on c.posting_instruction_id = t.id;
    if known <> cardinality(ids) then
      raise exception 'the log tells a posting that the journal does not have';
    end if;
    select * into last from ledger.seal order by first_line desc limit 1;
    insert into ledger.seal values (
      coalesce(last.first_line + cardinality(last.posting_instruction_ids), 1), ids, together,
      ledger.seal_of(coalesce(last.hash, repeat('0', 64)), together));
  end if;
  update kernel.consumer set position = reach where name = 'ledger-seal';
  return reach - done;
end $$;

-- Compares sealed lines after one with the journal, batch by batch, at most so many batches. The
-- first line that does not fit comes with what is wrong with it; a seal that does not fit its own
-- batch or the seal before is told at its first line.
create function ledger.verify_journal(after_line bigint, after_hash text, most integer)
returns table (line bigint, posting_instruction_id text, hash text, fault text)
language plpgsql stable as $$
declare
  sealed ledger.seal;
  size integer;
begin
  line := after_line;
  hash := after_hash;
  for sealed in select s.* from ledger.seal s where s.first_line > after_line order by s.first_line limit most
  loop
    size := cardinality(sealed.posting_instruction_ids);
    if sealed.first_line <> line + 1 then
      line := line + 1;
      posting_instruction_id := sealed.posting_instruction_ids[1];
      fault := 'A line is missing before this one.';
      return next;
      return;
    end if;
    select sealed.first_line + t.n - 1, t.id, case when c.content is null
      then 'The posting is missing.' else 'The posting is not what was sealed.' end
    into line, posting_instruction_id, fault
    from unnest(sealed.posting_instruction_ids) with ordinality t (id, n)
    left join ledger.contents(sealed.posting_instruction_ids) c on c.posting_instruction_id = t.id
    where ledger.digest_of(c.content) is distinct from substr(sealed.digests, (t.n::integer - 1) * 32 + 1, 32)
    order by t.n limit 1;
    if not found and (octet_length(sealed.digests) <> 32 * size
        or sealed.hash <> ledger.seal_of(hash, sealed.digests)) then
      line := sealed.first_line;
      posting_instruction_id := sealed.posting_instruction_ids[1];
      fault := 'The seal of the lines from here on is not the one that was made.';
    end if;
    if fault is not null then
      return next;
      return;
    end if;
    line := sealed.first_line + size - 1;
    hash := sealed.hash;
  end loop;
  return next;
end $$;
