-- For a time, to some customers or all, on some products: a discount on the rate, fees that are waived.
create table products.campaign (
  campaign_id text primary key,
  name text not null,
  description text,
  status text not null,
  product_ids text[] not null,
  segments text[] not null,
  valid_from date not null,
  valid_to date not null,
  discount_pct numeric(25, 10),
  waived_fees text[] not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (valid_from <= valid_to)
);
create index campaign_created_at_campaign_id_idx on products.campaign (created_at, campaign_id);
create index campaign_running_idx on products.campaign (valid_to) where status = 'active';
