-- Promises of borrowers in arrears to pay an amount by a date.
create table lending.promise_to_pay (
  promise_to_pay_id text primary key,
  facility_id text not null,
  party_id text not null,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  made_on date not null,
  pay_by date not null,
  note text,
  recorded_by text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index promise_to_pay_created_at_idx on lending.promise_to_pay (created_at, promise_to_pay_id);
create index promise_to_pay_facility_idx on lending.promise_to_pay (facility_id, created_at, promise_to_pay_id);
create index promise_to_pay_party_idx on lending.promise_to_pay (party_id, created_at, promise_to_pay_id);
-- The worker looks for open promises, and for others whose last day is not long past.
create index promise_to_pay_status_idx on lending.promise_to_pay (status, pay_by);
-- At most one open promise for a facility.
create unique index promise_to_pay_open_idx on lending.promise_to_pay (facility_id) where status = 'open';
