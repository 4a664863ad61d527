-- A client with redirect URIs is an app, in which customers log in. A client can authenticate with
-- its key instead of a secret.
alter table operations.oauth_client
  alter column secret_hash drop not null,
  add column authentication text not null default 'secret',
  add column jwks jsonb,
  add column is_key_bound boolean not null default false,
  add column redirect_uris text[] not null default '{}',
  add column logo_uri text,
  add column backchannel_logout_uri text;
