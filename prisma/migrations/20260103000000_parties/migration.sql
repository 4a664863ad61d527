create schema parties;

create table parties.party (
  party_id text primary key,
  kind text not null,
  status text not null,
  given_name text,
  family_name text,
  organisation_name text,
  date_of_birth date,
  died_on date,
  language text not null,
  time_zone text not null,
  contact_points jsonb not null,
  marketing_opt_out boolean not null,
  marketing_opt_out_channels text[] not null,
  suppressed_channels text[] not null,
  quiet_hours jsonb,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index party_created_at_party_id_idx on parties.party (created_at, party_id);

create table parties.customer (
  customer_id text primary key,
  party_id text not null references parties.party,
  segment text,
  status text not null,
  status_reason text,
  kyc_state text not null,
  kyc_reason text,
  kyc_expires_on date,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index customer_party_id_created_at_customer_id_idx
  on parties.customer (party_id, created_at, customer_id);
create index customer_kyc_state_kyc_expires_on_idx on parties.customer (kyc_state, kyc_expires_on);

create table parties.agreement (
  agreement_id text primary key,
  party_id text not null references parties.party,
  product_code text not null,
  agreement_type text not null,
  status text not null,
  status_reason text,
  effective_from date,
  effective_to date,
  signed_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index agreement_created_at_agreement_id_idx on parties.agreement (created_at, agreement_id);
create index agreement_party_id_created_at_agreement_id_idx
  on parties.agreement (party_id, created_at, agreement_id);
create index agreement_status_created_at_agreement_id_idx
  on parties.agreement (status, created_at, agreement_id);
create index agreement_status_effective_to_idx on parties.agreement (status, effective_to);
