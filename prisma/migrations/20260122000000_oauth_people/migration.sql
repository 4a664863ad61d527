-- People who log in here themselves. Their tokens act for one party.
create table oauth.person (
  username text primary key check (username = lower(username)),
  -- `scrypt$<salt>$<hash>`, base64url.
  password_hash text not null,
  party_id text not null,
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3)
);

-- Tokens that are void before their time: one by its `jti`, or all that a client or a subject had
-- until an instant. Kept until the last of them would have expired.
create table kernel.revocation (
  kind text not null check (kind in ('token', 'client', 'subject')),
  value text not null,
  issued_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (kind, value, issued_until)
);
create index revocation_expires_at_idx on kernel.revocation (expires_at);
