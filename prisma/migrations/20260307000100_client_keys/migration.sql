-- The public keys of a client that authenticates with a signed assertion instead of a secret.
alter table oauth.client add column jwks jsonb;
-- Whether the tokens of the client must be bound to a key (DPoP).
alter table oauth.client add column is_key_bound boolean not null default false;
-- A client that acts for itself has a secret or keys.
alter table oauth.client drop constraint client_check;
alter table oauth.client add constraint client_check
  check (secret_hash is not null or jwks is not null or not 'client_credentials' = any (grant_types));
