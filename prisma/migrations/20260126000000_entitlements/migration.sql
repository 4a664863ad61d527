-- What one party lets another do with an account or an agreement of theirs.

create table parties.entitlement (
  entitlement_id text primary key,
  grantor_party_id text not null references parties.party,
  grantee_party_id text not null references parties.party,
  resource text not null,
  "right" text not null check ("right" in ('view', 'transfer', 'manage')),
  limit_minor bigint,
  limit_currency text,
  valid_to date,
  status text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (grantor_party_id <> grantee_party_id),
  check ((limit_minor is null) = (limit_currency is null))
);
create index entitlement_created_at_entitlement_id_idx
  on parties.entitlement (created_at, entitlement_id);
create index entitlement_grantee_party_id_created_at_entitlement_id_idx
  on parties.entitlement (grantee_party_id, created_at, entitlement_id);
create index entitlement_grantor_party_id_created_at_entitlement_id_idx
  on parties.entitlement (grantor_party_id, created_at, entitlement_id);
