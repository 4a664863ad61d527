-- Published interest rates, their values, and the loans whose rates follow them.
create table products.reference_rate (
  reference_rate_id text primary key,
  name text not null,
  description text,
  valid_days integer,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index reference_rate_created_at_idx on products.reference_rate (created_at, reference_rate_id);

create table products.reference_rate_fixing (
  reference_rate_id text not null references products.reference_rate,
  fixed_on date not null,
  rate_pct text not null,
  correction_reason text,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (reference_rate_id, fixed_on)
);

-- How the rate of a facility follows a reference rate, as agreed when it is opened; null if it does
-- not.
alter table lending.facility add column floating_rate text;

create table lending.rate_reset (
  facility_id text not null,
  reset_on date not null,
  effective_from date not null,
  reference_rate_id text not null,
  fixed_on date not null,
  fixing_pct text not null,
  previous_rate_pct text not null,
  rate_pct text not null,
  schedule_version integer,
  created_at timestamptz(3) not null,
  primary key (facility_id, reset_on)
);
