-- The sessions of the console, which all gateways share. The browser has only the ID, of which the
-- table has the hash; the tokens are encrypted.
create table kernel.console_session (
  id_hash bytea primary key,
  -- The person, as the tokens name it, and the party for whom the person acts.
  subject text not null,
  party_id text,
  -- The session at the identity provider (`sid`), which ends this one.
  provider_session text,
  tokens text not null,
  version integer not null check (version > 0),
  -- Until when one gateway replaces the tokens, and the others wait.
  refreshing_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index console_session_subject_idx on kernel.console_session (subject);
create index console_session_provider_session_idx on kernel.console_session (provider_session);
create index console_session_party_id_idx on kernel.console_session (party_id);
create index console_session_expires_at_idx on kernel.console_session (expires_at);
