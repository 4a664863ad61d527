-- What a customer approves with a passkey before it is done: exactly one operation, once.
create table kernel.approval (
  approval_id text primary key,
  party_id text not null,
  action text not null,
  -- The approved data, as the person reads it and as it is signed.
  text text not null,
  data_hash text not null,
  nonce text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  approved_at timestamptz(3),
  approved_by text,
  credential_id text,
  -- The response of the authenticator, which proves the approval.
  evidence jsonb,
  consumed_at timestamptz(3)
);
create index approval_party_id_data_hash_idx on kernel.approval (party_id, data_hash)
  where consumed_at is null;
create index approval_expires_at_idx on kernel.approval (expires_at) where approved_at is null;
