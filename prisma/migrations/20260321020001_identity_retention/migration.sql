-- The members of a record that name people are erased when its retention ends. Its digest stays the
-- same: it covers the digest of these members, with a salt that is erased together with them.
alter table kernel.identity_record
  -- Null in records of earlier versions, whose digest covers all members, and after erasure.
  add column salt text,
  -- The digest of the erased members; null before.
  add column personal_digest text;
create index identity_record_erasable_idx on kernel.identity_record (at) where salt is not null;

create or replace function kernel.reject_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('bank.erasure', true) = tg_relid::regclass::text then
    return null;
  end if;
  raise exception '% on % is rejected: the audit of identity is append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;

-- Erases the members of records that name people, and stores their digests. Skips records that were
-- erased before. Returns the number of records.
create function kernel.erase_identity_members(ids text[], personal_digests text[])
returns integer language plpgsql as $$
declare
  affected integer;
begin
  perform set_config('bank.erasure', 'kernel.identity_record'::regclass::text, true);
  update kernel.identity_record r set person = null, actor = null, address = null,
    user_agent = null, detail = null, salt = null, personal_digest = d.digest
  from unnest(ids, personal_digests) as d (record_id, digest)
  where r.record_id = d.record_id and r.salt is not null;
  get diagnostics affected = row_count;
  perform set_config('bank.erasure', '', true);
  return affected;
end $$;
