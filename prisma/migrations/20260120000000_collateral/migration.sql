create schema collateral;

create table collateral.collateral (
  collateral_id text primary key,
  collateral_type text not null,
  description text,
  status text not null,
  status_reason text,
  owners jsonb not null,
  identifiers jsonb not null,
  haircut_pct text not null,
  currency text,
  prior_liens_minor bigint not null,
  valuation jsonb,
  valuations integer not null,
  allocations jsonb not null,
  perfection jsonb,
  insurance jsonb,
  proceeds_minor bigint,
  lapsed text[] not null,
  next_lapse_on date,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index collateral_created_at_collateral_id_idx
  on collateral.collateral (created_at, collateral_id);
create index collateral_owners_idx on collateral.collateral using gin (owners jsonb_path_ops);
create index collateral_allocations_idx
  on collateral.collateral using gin (allocations jsonb_path_ops);
create index collateral_next_lapse_on_idx
  on collateral.collateral (next_lapse_on) where next_lapse_on is not null;

-- What a collateral was found to be worth: written once, never changed.
create table collateral.valuation (
  collateral_id text not null references collateral.collateral,
  number integer not null,
  currency text not null,
  market_value_minor bigint not null check (market_value_minor >= 0),
  forced_sale_value_minor bigint,
  valuation_date date not null,
  method text not null,
  valuer text,
  source text,
  next_revaluation_due date,
  recorded_at timestamptz(3) not null,
  recorded_by text not null,
  primary key (collateral_id, number)
);

create function collateral.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'A valuation is kept as it was recorded.';
end $$;
create trigger valuation_is_kept before update or delete on collateral.valuation
  for each row execute function collateral.refuse_change();

-- The names that one collateral has while it is held: nothing is pledged twice.
create table collateral.name (
  collateral_id text not null references collateral.collateral,
  scheme text not null,
  name text not null,
  since integer not null,
  is_held boolean not null,
  primary key (collateral_id, scheme, name, since)
);
create unique index name_held_idx on collateral.name (scheme, name) where is_held;

-- What covers a facility; whoever changes one collateral of it is held to the version it saw.
create table collateral.coverage (
  facility_id text primary key,
  currency text not null,
  parts jsonb not null,
  allocated_minor bigint not null,
  is_short boolean not null,
  version integer not null,
  updated_at timestamptz(3) not null
);
