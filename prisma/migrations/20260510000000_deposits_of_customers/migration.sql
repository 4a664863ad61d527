-- Whether customers may open accounts of a product themselves.
create table products.self_service_setting (
  self_service_setting_id text primary key,
  product_id text not null,
  is_allowed boolean not null,
  reason text not null,
  state text not null check (state in ('proposed', 'approved', 'rejected')),
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index self_service_setting_created_at_idx
  on products.self_service_setting (created_at, self_service_setting_id);
create index self_service_setting_product_id_idx
  on products.self_service_setting (product_id, created_at, self_service_setting_id);

-- How a deposit was opened: the accepted version of the product, the money with which it began, and the
-- agreed term. The columns of the term are null for a savings account.
create table accounts.deposit_opening (
  deposit_opening_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  customer_id text not null,
  product_id text not null,
  product_version text not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  funding_arrangement_id text,
  posting_instruction_id text,
  term_deposit_id text,
  months integer,
  annual_rate_pct text,
  early_withdrawal jsonb,
  maturity_instruction text,
  opened_by text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index deposit_opening_created_at_idx
  on accounts.deposit_opening (created_at, deposit_opening_id);
create index deposit_opening_arrangement_id_idx on accounts.deposit_opening (arrangement_id);
create index deposit_opening_customer_id_idx
  on accounts.deposit_opening (customer_id, created_at, deposit_opening_id);
create index deposit_opening_product_id_idx
  on accounts.deposit_opening (product_id, created_at, deposit_opening_id);
create index deposit_opening_party_id_idx on accounts.deposit_opening (party_id);

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('depositOpening', 'accounts.deposit_opening',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for deposit openings: %', sqlerrm;
end $$;
