-- A move of the sandbox clock as a job: how far the bank has caught up with it.
create table operations.clock_advance (
  clock_advance_id text primary key,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  status text not null check (status in ('running', 'completed', 'failed')),
  -- The last day that the end of day has closed for every facility.
  closed_through date,
  facilities_behind integer not null,
  -- Jobs that have not caught up yet, and what failed.
  waiting_for text[] not null,
  failures jsonb not null,
  requested_by text not null,
  completed_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index clock_advance_open_idx on operations.clock_advance (created_at) where status <> 'completed';

-- Up to which time of the bank a job that depends on it has done what was due.
alter table kernel.job
  add column follows_clock boolean not null default false,
  add column caught_up_to timestamptz(3);

-- Why the end of day of a facility failed last; over once the facility is closed through that day.
create table lending.end_of_day_failure (
  facility_id text primary key,
  through date not null,
  code text not null,
  detail text not null,
  failed_at timestamptz(3) not null
);
