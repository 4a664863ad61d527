-- Fees that were due and could not be collected: a sub-ledger of the account fee-receivable/<currency>.
create table operations.fee_receivable (
  fee_receivable_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  fee_run_id text not null references operations.fee_run,
  fee_code text not null,
  fee_name text not null,
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  collected_minor bigint not null check (collected_minor >= 0),
  waived_minor bigint not null check (waived_minor >= 0),
  status text not null check (status in ('open', 'collected', 'waived', 'reversed')),
  due_since timestamptz(3) not null,
  -- Why it was not collected when it was charged.
  reason_code text not null,
  -- The posting that booked the income and the receivable.
  posting_instruction_id text not null,
  settled_at timestamptz(3),
  waived_by text,
  waiver_reason text,
  -- Money came to the account since somebody last tried to collect: the queue of the collecting worker.
  is_collection_due boolean not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (collected_minor + waived_minor <= amount_minor),
  check ((status = 'open') = (collected_minor + waived_minor < amount_minor and status <> 'reversed'))
);
create index fee_receivable_created_idx on operations.fee_receivable (created_at, fee_receivable_id);
create index fee_receivable_arrangement_idx
  on operations.fee_receivable (arrangement_id, due_since, fee_receivable_id);
create index fee_receivable_due_idx on operations.fee_receivable (arrangement_id) where is_collection_due;
-- A fee is owed once per account and period, whatever runs there are.
create unique index fee_receivable_once
  on operations.fee_receivable (arrangement_id, fee_code, period_start) where status <> 'reversed';

-- What was collected and waived, each with its posting.
create table operations.fee_receivable_movement (
  posting_instruction_id text primary key,
  fee_receivable_id text not null references operations.fee_receivable,
  kind text not null check (kind in ('collection', 'waiver')),
  amount_minor bigint not null check (amount_minor > 0),
  booked_at timestamptz(3) not null
);
create index fee_receivable_movement_idx
  on operations.fee_receivable_movement (fee_receivable_id, booked_at, posting_instruction_id);

alter table operations.fee_run_item add column fee_receivable_id text references operations.fee_receivable;

-- Closing an account looks up the fees that are charged to it.
create index fact_charged_idx on kernel.fact ((data ->> 'chargedArrangementId'))
  where data ->> 'chargedArrangementId' is not null;

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('feeReceivable', 'operations.fee_receivable',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for fee receivables: %', sqlerrm;
end $$;
