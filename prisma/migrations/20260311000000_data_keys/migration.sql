-- The keys that encrypt personal data, one per area, each encrypted with a key of the root secret.
create table kernel.data_key (
  area text not null,
  purpose text not null check (purpose in ('encryption', 'index')),
  version integer not null check (version > 0),
  wrapped_key text not null,
  active_from timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (area, purpose, version)
);

-- The blind indexes, by which a search finds encrypted values: keyed hashes of names and addresses.
alter table parties.party
  add column given_name_index text[],
  add column family_name_index text[],
  add column organization_name_index text[],
  add column contact_points_index text[];
create index party_given_name_index_idx on parties.party using gin (given_name_index);
create index party_family_name_index_idx on parties.party using gin (family_name_index);
create index party_organization_name_index_idx on parties.party using gin (organization_name_index);
create index party_contact_points_index_idx on parties.party using gin (contact_points_index);

-- How far the job that encrypts stored rows is, by table. The target is what the rows change to: a
-- version of the data key, or plain text.
create table kernel.encryption_progress (
  table_name text primary key,
  target text not null,
  after text[] not null,
  row_count bigint not null,
  changed_count bigint not null,
  finished_at timestamptz(3)
);
