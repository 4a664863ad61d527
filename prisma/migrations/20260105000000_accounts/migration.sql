create schema accounts;

create table accounts.arrangement (
  arrangement_id text primary key,
  customer_id text not null,
  party_id text not null,
  product_id text not null,
  product_version text not null,
  state text not null,
  state_reason text,
  blocked_for text,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  currency text not null,
  account_number text not null unique,
  nickname text,
  overdraft_limit_minor bigint not null,
  parameters jsonb not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index arrangement_opened_at_arrangement_id_idx
  on accounts.arrangement (opened_at, arrangement_id);
create index arrangement_customer_id_opened_at_arrangement_id_idx
  on accounts.arrangement (customer_id, opened_at, arrangement_id);
create index arrangement_party_id_opened_at_arrangement_id_idx
  on accounts.arrangement (party_id, opened_at, arrangement_id);
create index arrangement_product_id_opened_at_arrangement_id_idx
  on accounts.arrangement (product_id, opened_at, arrangement_id);
create index arrangement_state_opened_at_arrangement_id_idx
  on accounts.arrangement (state, opened_at, arrangement_id);

create table accounts.product_holding (
  customer_id text not null,
  product_id text not null,
  open integer not null check (open >= 0),
  primary key (customer_id, product_id)
);
