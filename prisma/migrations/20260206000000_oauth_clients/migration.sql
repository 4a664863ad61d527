-- Programs that may call the bank, as the bank registers them. Of a secret there is its SHA-256 only; the one
-- before it is good until former_until. What the authorization server needs of them is published as a fact.
create table operations.oauth_client (
  client_id text primary key,
  label text not null,
  scopes text[] not null,
  secret_hash text not null,
  former_hash text,
  former_until timestamptz(3),
  disabled_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((former_hash is null) = (former_until is null))
);
create index oauth_client_created_at_client_id_idx on operations.oauth_client (created_at, client_id);
