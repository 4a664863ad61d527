-- Whether a party agreed that assistants of a type give its data to a provider.
create table assist.consent (
  consent_id text primary key,
  party_id text not null,
  assistant_type text not null,
  -- Who gets the data; another one needs another consent.
  provider text not null,
  status text not null,
  -- How it was given, where a person of the bank wrote it down.
  evidence text,
  decided_by text not null,
  decided_at timestamptz(3) not null,
  version integer not null,
  unique (party_id, assistant_type)
);
create index session_subject_idx on assist.session (subject_party_id, assistant_type)
  where status in ('active', 'awaiting-approval');
