create schema lending;

create table lending.facility (
  facility_id text primary key,
  customer_id text not null,
  party_id text not null,
  kind text not null,
  state text not null,
  currency text not null,
  limit_minor bigint not null check (limit_minor > 0),
  rate_pct text not null,
  product_id text,
  product_version text,
  application_id text,
  agreement_id text,
  settlement_arrangement_id text,
  opened_on date not null,
  available_from date not null,
  available_to date,
  required_coverage_pct text,
  minimum_drawdown_minor bigint not null,
  is_approval_required boolean not null,
  loan text not null,
  schedule_version integer not null,
  maturity_date date,
  next_due_date date,
  next_due_minor bigint not null,
  billed_instalments integer not null,
  disbursed_minor bigint not null check (disbursed_minor >= 0),
  reserved_minor bigint not null check (reserved_minor >= 0),
  principal_minor bigint not null check (principal_minor >= 0),
  accrued_minor bigint not null,
  interest_due_minor bigint not null check (interest_due_minor >= 0),
  principal_due_minor bigint not null check (principal_due_minor >= 0),
  accrued_total_minor bigint not null,
  accrued_through date not null,
  closed_through date not null,
  delinquency_stage text not null,
  charged_off_minor bigint not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 70);
create index facility_created_at_facility_id_idx on lending.facility (created_at, facility_id);
create index facility_customer_id_created_at_facility_id_idx
  on lending.facility (customer_id, created_at, facility_id);
create index facility_party_id_created_at_facility_id_idx
  on lending.facility (party_id, created_at, facility_id);

create table lending.schedule_version (
  facility_id text not null,
  version integer not null,
  cause text,
  loan text not null,
  schedule text not null,
  instalment_minor bigint not null,
  maturity_date date not null,
  total_interest_minor bigint not null,
  created_at timestamptz(3) not null,
  primary key (facility_id, version)
);

create table lending.drawdown (
  drawdown_id text primary key,
  facility_id text not null,
  party_id text not null,
  state text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  value_date date not null,
  destination_arrangement_id text,
  destination_iban text,
  destination_name text,
  purpose text,
  reference text,
  tranche_id text,
  available_before_minor bigint not null,
  available_after_minor bigint not null,
  outstanding_minor bigint not null,
  schedule_version integer,
  next_due_date date,
  next_due_minor bigint,
  posting_instruction_id text,
  reason_code text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index drawdown_facility_id_created_at_drawdown_id_idx
  on lending.drawdown (facility_id, created_at, drawdown_id);
-- What the worker looks for.
create index drawdown_approved_idx on lending.drawdown (value_date) where state = 'approved';

create table lending.due_instalment (
  facility_id text not null,
  number integer not null,
  due_date date not null,
  interest_minor bigint not null check (interest_minor >= 0),
  principal_minor bigint not null check (principal_minor >= 0),
  interest_paid_minor bigint not null check (interest_paid_minor between 0 and interest_minor),
  principal_paid_minor bigint not null check (principal_paid_minor between 0 and principal_minor),
  paid_on date,
  primary key (facility_id, number)
);
create index due_instalment_unpaid_idx on lending.due_instalment (facility_id) where paid_on is null;

create table lending.repayment (
  repayment_id text primary key,
  facility_id text not null,
  party_id text not null,
  state text not null,
  is_collected boolean not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  payment_date date not null,
  source_arrangement_id text,
  reference text,
  allocations text not null,
  extra_interest_minor bigint not null,
  extra_principal_minor bigint not null,
  extra_payment text,
  posting_instruction_id text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index repayment_facility_id_created_at_repayment_id_idx
  on lending.repayment (facility_id, created_at, repayment_id);

-- The end of a day takes the facilities that are furthest behind. Where each one is, is its own checkpoint.
create index facility_closed_through_idx on lending.facility (closed_through, facility_id)
  where state in ('active', 'in-arrears');

create table lending.end_of_day_run (
  business_date date primary key,
  total integer not null,
  done integer not null,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  version integer not null
);
