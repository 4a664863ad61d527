create schema products;

create table products.product (
  product_id text primary key,
  version integer not null,
  created_at timestamptz(3) not null
);

create table products.product_version (
  product_id text not null references products.product,
  label text not null,
  name text not null,
  product_class text not null,
  status text not null,
  description text,
  currencies text[] not null,
  parameters jsonb not null,
  fees jsonb not null,
  interest jsonb,
  effective_from date,
  effective_to date,
  max_per_customer integer,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (product_id, label)
);
create index product_version_created_at_product_id_label_idx
  on products.product_version (created_at, product_id, label);
create index product_version_status_created_at_product_id_label_idx
  on products.product_version (status, created_at, product_id, label);

create table products.pricing_quote (
  pricing_quote_id text primary key,
  product_id text not null,
  product_version text not null,
  customer_id text,
  party_id text,
  currency text not null,
  amount_minor bigint,
  term_months integer,
  rule_version text not null,
  components jsonb not null,
  rate_pct numeric(25, 10),
  fees jsonb not null,
  instalment_minor bigint,
  total_payable_minor bigint,
  aprc_pct numeric(25, 10),
  expires_at timestamptz(3) not null,
  content_hash text not null,
  created_at timestamptz(3) not null,
  foreign key (product_id, product_version) references products.product_version
);

create table products.product_offer (
  offer_id text primary key,
  product_id text not null,
  product_version text not null,
  pricing_quote_id text not null references products.pricing_quote,
  customer_id text,
  party_id text,
  status text not null,
  channel text,
  headline jsonb not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3) not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  foreign key (product_id, product_version) references products.product_version
);
create index product_offer_created_at_offer_id_idx
  on products.product_offer (created_at, offer_id);
create index product_offer_product_id_created_at_offer_id_idx
  on products.product_offer (product_id, created_at, offer_id);
create index product_offer_customer_id_created_at_offer_id_idx
  on products.product_offer (customer_id, created_at, offer_id);
create index product_offer_party_id_created_at_offer_id_idx
  on products.product_offer (party_id, created_at, offer_id);
create index product_offer_status_created_at_offer_id_idx
  on products.product_offer (status, created_at, offer_id);
create index product_offer_channel_created_at_offer_id_idx
  on products.product_offer (channel, created_at, offer_id);
create index product_offer_status_valid_to_idx on products.product_offer (status, valid_to);
