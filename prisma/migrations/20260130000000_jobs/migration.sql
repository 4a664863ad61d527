-- The bank's recurring work, as the processes that do it last said. Written off the path of the work itself.
create table kernel.job (
  name text primary key,
  purpose text not null,
  every_ms integer not null,
  business_date date,
  seen_at timestamptz(3) not null,
  running_since timestamptz(3),
  running_until timestamptz(3),
  worked_at timestamptz(3),
  last_done integer,
  succeeded_at timestamptz(3),
  failed_at timestamptz(3),
  error_code text,
  error_detail text,
  progress_date date,
  progress_done integer,
  progress_total integer,
  asked_at timestamptz(3),
  asked_by text,
  version integer not null default 1
) with (fillfactor = 50);
