-- Expected credit losses: the parameters, the stages and the loss allowances of facilities.
create schema provisioning;

create table provisioning.provisioning_table (
  provisioning_table_id text primary key,
  effective_from date not null,
  status text not null check (status in ('proposed', 'approved', 'rejected')),
  segments jsonb not null,
  reason text not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index provisioning_table_created_at_idx
  on provisioning.provisioning_table (created_at, provisioning_table_id);
create index provisioning_table_effective_idx
  on provisioning.provisioning_table (effective_from, decided_at) where status = 'approved';

create table provisioning.stage_override (
  stage_override_id text primary key,
  facility_id text not null,
  party_id text not null,
  stage text not null,
  status text not null check (status in ('active', 'ended')),
  reason text not null,
  set_by text not null,
  end_reason text,
  ended_by text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index stage_override_created_at_idx
  on provisioning.stage_override (created_at, stage_override_id);
create index stage_override_party_id_idx on provisioning.stage_override (party_id);
-- A facility has at most one override that applies.
create unique index stage_override_active_idx on provisioning.stage_override (facility_id)
  where status = 'active';

create table provisioning.provisioning_run (
  provisioning_run_id text primary key,
  month_end date not null,
  status text not null check (status in ('scheduled', 'running', 'completed', 'failed')),
  is_dry_run boolean not null,
  processed integer not null,
  triggered_by text not null,
  failure_code text,
  provisioning_table_id text references provisioning.provisioning_table,
  checkpoint text,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- One worker has the run until then. A lease is no change of the run, so its version stays.
  leased_until timestamptz(3),
  lease_id text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index provisioning_run_created_at_idx
  on provisioning.provisioning_run (created_at, provisioning_run_id);
create index provisioning_run_unfinished_idx
  on provisioning.provisioning_run (created_at, provisioning_run_id)
  where status in ('scheduled', 'running');
-- However many processes see that a month is over, one of them schedules its run.
create unique index provisioning_run_once_per_month on provisioning.provisioning_run (month_end)
  where triggered_by = 'schedule';

-- The allowance held for each facility, and for the overlay of each segment.
create table provisioning.provision (
  provision_id text primary key,
  facility_id text,
  party_id text,
  segment text not null,
  currency text not null,
  stage text,
  reasons text[] not null,
  stage_since date not null,
  improving_since date,
  month_end date not null,
  exposure_minor bigint not null,
  allowance_minor bigint not null check (allowance_minor >= 0),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index provision_created_at_idx on provisioning.provision (created_at, provision_id);
create index provision_party_id_idx on provisioning.provision (party_id);

-- The history of the provisions. The columns have the order in which rows are inserted.
create table provisioning.provision_item (
  item_id text primary key,
  provisioning_run_id text references provisioning.provisioning_run,
  provision_id text not null,
  facility_id text,
  party_id text,
  month_end date not null,
  segment text not null,
  currency text not null,
  stage text,
  reasons text[] not null,
  days_past_due integer not null,
  pd_pct text not null,
  lgd_pct text not null,
  exposure_minor bigint not null,
  expected_loss_minor bigint not null,
  before_minor bigint not null,
  allowance_minor bigint not null,
  used_minor bigint not null,
  posting_instruction_id text,
  is_dry_run boolean not null,
  created_at timestamptz(3) not null
);
create index provision_item_provision_id_idx
  on provisioning.provision_item (provision_id, created_at, item_id);
create unique index provision_item_run_idx
  on provisioning.provision_item (provisioning_run_id, provision_id)
  where provisioning_run_id is not null;
create index provision_item_party_id_idx on provisioning.provision_item (party_id);
-- However many runs there are for a month, a facility is provided for once.
create unique index provision_item_once_per_month
  on provisioning.provision_item (provision_id, month_end)
  where provisioning_run_id is not null and not is_dry_run;
