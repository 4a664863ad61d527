create schema payments;

create table payments.payment (
  payment_id text primary key,
  direction text not null,
  rail text not null,
  state text not null,
  party_id text not null,
  debtor_arrangement_id text,
  debtor_iban text,
  debtor_name text,
  creditor_arrangement_id text,
  creditor_party_id text,
  creditor_iban text,
  creditor_name text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  execution_date date not null,
  end_to_end_id text,
  remittance_information text,
  standing_order_id text,
  batch_id text,
  reason_code text,
  cut_off_at timestamptz(3),
  due_at timestamptz(3),
  settled_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_created_at_payment_id_idx on payments.payment (created_at, payment_id);
create index payment_party_id_created_at_payment_id_idx
  on payments.payment (party_id, created_at, payment_id);
create index payment_creditor_party_id_created_at_payment_id_idx
  on payments.payment (creditor_party_id, created_at, payment_id);
create index payment_debtor_arrangement_id_created_at_payment_id_idx
  on payments.payment (debtor_arrangement_id, created_at, payment_id);
create index payment_creditor_arrangement_id_created_at_payment_id_idx
  on payments.payment (creditor_arrangement_id, created_at, payment_id);
create index payment_batch_id_idx on payments.payment (batch_id);
-- What workers look for.
create index payment_scheduled_idx on payments.payment (execution_date) where state = 'scheduled';
create index payment_accepted_idx on payments.payment (cut_off_at) where state = 'accepted';
create index payment_due_at_idx on payments.payment (due_at) where due_at is not null;
-- A date of a standing order is paid once, whatever else happens.
create unique index payment_standing_order_id_execution_date_key
  on payments.payment (standing_order_id, execution_date);

create table payments.rail_batch (
  batch_id text primary key,
  rail text not null,
  currency text not null,
  state text not null,
  payments integer not null,
  total_minor bigint not null,
  cut_off_at timestamptz(3) not null,
  settles_at timestamptz(3) not null,
  due_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index rail_batch_due_at_idx on payments.rail_batch (due_at) where due_at is not null;

create table payments.standing_order (
  standing_order_id text primary key,
  state text not null,
  party_id text not null,
  debtor_arrangement_id text not null,
  rail text not null,
  creditor_arrangement_id text,
  creditor_party_id text,
  creditor_iban text,
  creditor_name text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  end_to_end_id text,
  remittance_information text,
  frequency text not null,
  starts_on date not null,
  ends_on date,
  most_executions integer,
  retry_days integer not null,
  executions integer not null,
  occurrence integer not null,
  next_on date,
  attempt_on date,
  reason_code text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index standing_order_created_at_standing_order_id_idx
  on payments.standing_order (created_at, standing_order_id);
create index standing_order_party_id_created_at_standing_order_id_idx
  on payments.standing_order (party_id, created_at, standing_order_id);
create index standing_order_attempt_on_idx on payments.standing_order (attempt_on)
  where state = 'active';

-- Accounts that were opened before their numbers were published.
insert into kernel.fact (subject, version, data)
select 'account-number/' || account_number, 1,
  jsonb_build_object('arrangementId', arrangement_id, 'partyId', party_id, 'currency', currency)
from accounts.arrangement on conflict do nothing;
