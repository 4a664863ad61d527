-- Exchange rates as they were loaded; never changed. A posting uses the newest that is in force.
create table payments.exchange_rate (
  exchange_rate_id text primary key,
  base_currency text not null,
  quote_currency text not null,
  -- Units of the quote currency for one unit of the base currency.
  rate text not null,
  source text not null,
  as_of timestamptz(3) not null,
  valid_until timestamptz(3),
  -- How far a posting may deviate from the rate, in percent.
  tolerance_pct text not null,
  loaded_by text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index exchange_rate_created_idx on payments.exchange_rate (created_at, exchange_rate_id);
create index exchange_rate_pair_idx on payments.exchange_rate (base_currency, quote_currency, as_of desc);
