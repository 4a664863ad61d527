-- What runs over many records at once: the charging of fees.
create schema operations;

create table operations.fee_run (
  fee_run_id text primary key,
  run_type text not null check (run_type in ('periodic', 'event', 'manual')),
  fee_code text not null,
  product_id text not null,
  frequency text not null,
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  run_date date not null,
  -- Balances are those of this instant, so that a run which is taken up again computes the same.
  as_of timestamptz(3) not null,
  status text not null,
  is_dry_run boolean not null,
  triggered_by text not null,
  selected integer not null,
  charged integer not null,
  waived integer not null,
  skipped integer not null,
  failed integer not null,
  totals jsonb not null,
  errors jsonb not null,
  -- Where the next page begins; null before the first.
  checkpoint text,
  failure_code text,
  reverses_run_id text references operations.fee_run,
  reversed_by_run_id text references operations.fee_run,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- Until then one worker has it. A lease is no change of the run, so its version stays.
  leased_until timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index fee_run_created_at_fee_run_id_idx on operations.fee_run (created_at, fee_run_id);
create index fee_run_product_id_created_at_fee_run_id_idx
  on operations.fee_run (product_id, created_at, fee_run_id);
create index fee_run_unfinished_idx on operations.fee_run (created_at, fee_run_id)
  where status in ('scheduled', 'running');
-- However many processes see that a period is over, one of them starts its run.
create unique index fee_run_once_per_period
  on operations.fee_run (fee_code, product_id, frequency, period_start) where run_type <> 'manual';

create table operations.fee_run_item (
  fee_run_id text not null references operations.fee_run,
  arrangement_id text not null,
  party_id text not null,
  fee_code text not null,
  period_start date not null,
  period_end date not null,
  outcome text not null check (outcome in ('charged', 'waived', 'skipped', 'failed', 'reversed')),
  reason text,
  attempt integer not null,
  amount bigint,
  currency text not null,
  posting_instruction_id text,
  reversed_by_posting_id text,
  is_dry_run boolean not null,
  created_at timestamptz(3) not null,
  primary key (fee_run_id, arrangement_id)
);
-- A fee is charged to an account once a period, whatever runs there are.
create unique index fee_charged_once
  on operations.fee_run_item (arrangement_id, fee_code, period_start)
  where outcome = 'charged' and not is_dry_run;
-- What was tried before decides the key of the next try.
create index fee_tried_idx on operations.fee_run_item (arrangement_id, fee_code, period_start)
  where outcome in ('failed', 'reversed') and not is_dry_run;

-- Fees that were written before they had tiers, bounds and waivers, and facts that were published
-- without what fee runs decide on.
update products.product_version v set fees = (
  select jsonb_agg('{"tiers": [], "minimum": null, "maximum": null, "waivers": []}'::jsonb || fee order by at)
  from jsonb_array_elements(v.fees) with ordinality as f(fee, at)
) where jsonb_array_length(v.fees) > 0;
update kernel.fact f set version = f.version + 1, data = jsonb_set(f.data, '{versions}', (
  select jsonb_agg(known || jsonb_build_object('fees', v.fees, 'createdAt', v.created_at) order by at)
  from jsonb_array_elements(f.data -> 'versions') with ordinality as k(known, at)
  join products.product_version v on v.product_id = f.data ->> 'productId' and v.label = known ->> 'version'
)) where f.subject like 'product/%';
update kernel.fact f set version = f.version + 1,
  data = f.data || jsonb_build_object('segment', c.segment)
from parties.customer c where f.subject = 'customer/' || c.customer_id;
