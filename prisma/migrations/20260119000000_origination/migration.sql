create schema origination;

create table origination.loan_application (
  application_id text primary key,
  customer_id text not null,
  party_id text not null,
  status text not null check (status in
    ('draft', 'submitted', 'in-review', 'approved', 'declined', 'accepted', 'booked')),
  decision_mode text not null check (decision_mode in ('automated', 'hybrid', 'manual')),
  mode_asked text check (mode_asked in ('automated', 'hybrid', 'manual')),
  quote_id text,
  product_id text,
  product_version text,
  product_class text,
  amount_minor bigint check (amount_minor > 0),
  currency text,
  term_months integer check (term_months > 0),
  purpose text,
  income_minor bigint check (income_minor >= 0),
  obligations_minor bigint check (obligations_minor >= 0),
  employed_months integer,
  settlement_arrangement_id text,
  channel text,
  declarations jsonb not null,
  documents text[] not null,
  created_by text not null,
  submitted_by text,
  submitted_at timestamptz(3),
  submission_hash text,
  decision_due_by date,
  checks jsonb not null,
  open_slot integer,
  information_requested text,
  recommendation jsonb,
  decisions integer not null,
  decision_id text,
  approved_terms jsonb,
  counter_offer jsonb,
  approved_at timestamptz(3),
  terms_hash text,
  offer_expires_at timestamptz(3),
  conditions jsonb not null,
  acceptances jsonb not null,
  cooling_off_ends_on date,
  facility_id text unique,
  agreement_id text unique,
  case_id text unique,
  is_case_open boolean not null,
  closure_reason text check (closure_reason in
    ('credit-decision', 'revoked', 'withdrawn-by-customer', 'expired')),
  closure_note text,
  booking_refusal text,
  book_after timestamptz(3),
  booked_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What was approved is on record as long as it can be taken, and after it was.
  check (status not in ('approved', 'accepted', 'booked')
    or (approved_terms is not null and terms_hash is not null and facility_id is not null))
);
create index loan_application_created_at_application_id_idx
  on origination.loan_application (created_at, application_id);
create index loan_application_customer_id_created_at_application_id_idx
  on origination.loan_application (customer_id, created_at, application_id);
create index loan_application_party_id_created_at_application_id_idx
  on origination.loan_application (party_id, created_at, application_id);
-- Two that are submitted at once do not take one place among those a product allows a customer.
create unique index loan_application_open_slot_idx
  on origination.loan_application (customer_id, product_id, open_slot) where open_slot is not null;
-- What the workers look for.
create index loan_application_submitted_idx
  on origination.loan_application (submitted_at, application_id) where status = 'submitted';
create index loan_application_case_idx
  on origination.loan_application (application_id) where case_id is not null and not is_case_open;
create index loan_application_offer_expires_at_idx
  on origination.loan_application (offer_expires_at) where offer_expires_at is not null;
create index loan_application_accepted_idx
  on origination.loan_application (book_after, application_id) where status = 'accepted';

create table origination.credit_decision (
  decision_id text primary key,
  application_id text not null references origination.loan_application,
  party_id text not null,
  number integer not null,
  outcome text not null check (outcome in ('approved', 'declined', 'referred', 'counter-offer')),
  decision_mode text not null check (decision_mode in ('automated', 'hybrid', 'manual')),
  application_status text not null,
  reasons jsonb not null,
  conditions jsonb not null,
  approved_terms jsonb,
  score jsonb,
  policy_version text,
  decided_by text not null,
  decided_at timestamptz(3) not null,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  expires_at timestamptz(3),
  override_of text,
  comment text,
  adverse_action_notice_due_by date,
  facility_id text,
  unique (application_id, number)
);

-- The record that a regulator asks for: what was decided stays as it was decided.
create function origination.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: decisions are append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;
create trigger append_only before update or delete or truncate on origination.credit_decision
  for each statement execute function origination.refuse_change();

create table origination.credit_authority (
  decider text not null,
  currency text not null,
  limit_minor bigint not null check (limit_minor >= 0),
  granted_by text not null,
  granted_at timestamptz(3) not null,
  primary key (decider, currency)
);
