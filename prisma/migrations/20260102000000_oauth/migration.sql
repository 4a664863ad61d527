create schema oauth;

create table oauth.client (
  client_id text primary key check (client_id ~ '^[!-~]{1,200}$'),
  -- SHA-256 of the secret, which is random and 32 bytes long; null for public clients.
  secret_hash bytea check (length(secret_hash) = 32),
  label text not null,
  scopes text[] not null,
  grant_types text[] not null,
  redirect_uris text[] not null,
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  check (secret_hash is not null or not 'client_credentials' = any (grant_types))
);

create table oauth.record (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  expires_at timestamptz(3),
  consumed_at timestamptz(3),
  primary key (model, id)
);
create index record_grant_id_idx on oauth.record (grant_id);
create index record_user_code_idx on oauth.record (user_code);
create index record_uid_idx on oauth.record (uid);
create index record_expires_at_idx on oauth.record (expires_at);
