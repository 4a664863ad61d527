create table lending.extra_payment (
  extra_payment_id text primary key,
  facility_id text not null references lending.facility,
  party_id text not null,
  state text not null,
  is_payoff boolean not null,
  amount_minor bigint not null,
  currency text not null,
  payment_date date not null,
  strategy text not null,
  source_arrangement_id text,
  reference text,
  note text,
  allocations text not null,
  extra_interest_minor bigint not null,
  extra_principal_minor bigint not null,
  fee_minor bigint not null,
  extra_payment text,
  effect text,
  schedule_version integer,
  posting_instruction_id text,
  fee_posting_instruction_id text,
  reason_code text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index extra_payment_facility_id_created_at_extra_payment_id_idx
  on lending.extra_payment (facility_id, created_at, extra_payment_id);
create index extra_payment_payment_date_idx
  on lending.extra_payment (payment_date) where state = 'requested' and source_arrangement_id is not null;

create table lending.payment_holiday (
  payment_holiday_id text primary key,
  facility_id text not null references lending.facility,
  party_id text not null,
  currency text not null,
  hardship_request_id text,
  state text not null,
  start_date date not null,
  end_date date not null,
  holiday text not null,
  affected text not null,
  reason text,
  reason_code text,
  effect text,
  schedule_version integer,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_holiday_facility_id_created_at_payment_holiday_id_idx
  on lending.payment_holiday (facility_id, created_at, payment_holiday_id);
create index payment_holiday_start_date_idx
  on lending.payment_holiday (start_date) where state = 'approved';
create index payment_holiday_end_date_idx
  on lending.payment_holiday (end_date) where state = 'active';

create table lending.hardship_request (
  hardship_request_id text primary key,
  loan_id text not null references lending.facility,
  party_id text not null,
  currency text not null,
  type text not null,
  reason text not null,
  requested_start_date date,
  requested_end_date date,
  status text not null,
  submitted_at timestamptz(3) not null,
  submitted_by text not null,
  decision_due_by timestamptz(3) not null,
  escalate_at timestamptz(3),
  case_id text not null,
  case_state text not null,
  decided_at timestamptz(3),
  decided_by text,
  decline_reasons text[] not null,
  effect text,
  schedule_version integer,
  payment_holiday_id text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index hardship_request_created_at_hardship_request_id_idx
  on lending.hardship_request (created_at, hardship_request_id);
create index hardship_request_loan_id_created_at_hardship_request_id_idx
  on lending.hardship_request (loan_id, created_at, hardship_request_id);
create index hardship_request_escalate_at_idx
  on lending.hardship_request (escalate_at) where escalate_at is not null;
create index hardship_request_case_state_idx
  on lending.hardship_request (created_at) where case_state = 'wanted';
