-- A passkey (WebAuthn credential) of a person. Only its public key is here.
create table oauth.passkey (
  credential_id text primary key,
  username text not null references oauth.person (username) on delete cascade,
  -- The opaque ID under which the authenticator stores the person (WebAuthn, 5.4.3).
  user_handle text not null,
  -- A COSE key.
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkey_username_idx on oauth.passkey (username);

-- A challenge that waits for its response, at most one per subject: a log-in page or a session.
create table oauth.passkey_challenge (
  subject text primary key,
  challenge text not null,
  expires_at timestamptz(3) not null
);
create index passkey_challenge_expires_at_idx on oauth.passkey_challenge (expires_at);
