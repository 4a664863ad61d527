-- The export, the erasure and the restriction of personal data.
create schema privacy;

alter table parties.party
  add column restricted_at timestamptz(3),
  add column restriction_reason text;

create table privacy.data_export (
  data_export_id text primary key,
  party_id text not null,
  is_for_bank boolean not null,
  requested_by text not null,
  expires_at timestamptz(3) not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index data_export_created_at_idx on privacy.data_export (created_at, data_export_id);

create table privacy.erasure_request (
  erasure_request_id text primary key,
  party_id text not null,
  cause text not null,
  reason text not null,
  state text not null,
  ended_at timestamptz(3) not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  completed_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index erasure_request_created_at_idx
  on privacy.erasure_request (created_at, erasure_request_id);
-- A party has at most one erasure that is not completed.
create unique index erasure_request_open_idx on privacy.erasure_request (party_id)
  where state in ('proposed', 'approved');

-- The report: what an erasure did with the data of a party in one table.
create table privacy.erasure_line (
  erasure_request_id text not null references privacy.erasure_request,
  number integer not null,
  area text not null,
  table_name text not null,
  columns text[] not null,
  action text not null,
  row_count integer not null,
  kept_count integer not null,
  reason text,
  kept_until timestamptz(3),
  primary key (erasure_request_id, number)
);

-- The parties whose relationship with the bank ended. The retention periods start then.
create table privacy.relationship_end (
  party_id text primary key,
  ended_at timestamptz(3) not null,
  -- When the next retention period ends; null if nothing is left to erase.
  next_due_at timestamptz(3),
  version integer not null
);
create index relationship_end_next_due_at_idx on privacy.relationship_end (next_due_at);

-- Replaces the texts of members, at any depth, and keeps the structure of the value.
create function kernel.redacted(value jsonb, members text[], is_member boolean default false)
returns jsonb language plpgsql immutable strict as $$
begin
  return case jsonb_typeof(value)
    when 'object' then (
      select coalesce(jsonb_object_agg(m.name,
        kernel.redacted(m.item, members, is_member or m.name = any(members))), '{}')
      from jsonb_each(value) as m (name, item))
    when 'array' then (
      select coalesce(jsonb_agg(kernel.redacted(e.item, members, is_member) order by e.n), '[]')
      from jsonb_array_elements(value) with ordinality as e (item, n))
    when 'string' then case when is_member then '"[erased]"' else value end
    else value
  end;
end $$;

-- Erases the rows of a table that match a condition, in which $1 is the ID of the party: applies the
-- assignments, or deletes the rows if there are none. Returns the number of rows. Append-only tables
-- allow this function, and nothing else, to change their rows.
create function kernel.erase(target regclass, assignments text, condition text, party text)
returns integer language plpgsql as $$
declare
  affected integer;
begin
  perform set_config('bank.erasure', target::text, true);
  if assignments is null then
    execute format('delete from %s t where %s', target, condition) using party;
  else
    execute format('update %s t set %s where %s', target, assignments, condition) using party;
  end if;
  get diagnostics affected = row_count;
  perform set_config('bank.erasure', '', true);
  return affected;
end $$;

-- Counts the rows of a table that match a condition, in which $1 is the ID of the party.
create function kernel.count_rows(target regclass, condition text, party text)
returns integer language plpgsql stable as $$
declare
  counted integer;
begin
  execute format('select count(*) from %s t where %s', target, condition) into counted using party;
  return counted;
end $$;

create or replace function collateral.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('bank.erasure', true) = tg_relid::regclass::text then
    return new;
  end if;
  raise exception 'A valuation is kept as it was recorded.';
end $$;

create or replace function origination.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('bank.erasure', true) = tg_relid::regclass::text then
    return null;
  end if;
  raise exception '% on % is refused: decisions are append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;

create or replace function assist.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('bank.erasure', true) = tg_relid::regclass::text then
    return null;
  end if;
  raise exception '% on % is refused: transcripts are append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('dataExport', 'privacy.data_export',
    $c$party_id = kernel.reading_party() and not is_for_bank$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for data exports: %', sqlerrm;
end $$;
