-- Fees that are charged one by one: when an event happens on an account, or by an employee.
create table operations.fee_charge (
  fee_charge_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  product_id text not null,
  product_version text not null,
  fee_code text not null,
  fee_name text not null,
  trigger text,
  -- The event that triggered the fee, and the payment or standing order that it is about.
  trigger_position bigint,
  trigger_reference text,
  third_party text,
  -- The amount on which a percentage is charged.
  basis_minor bigint,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  status text not null
    check (status in ('due', 'charged', 'waived', 'failed', 'refund-proposed', 'refunded')),
  -- The kind of waiver, or the problem code of the rejected posting.
  outcome_reason text,
  occurred_at timestamptz(3) not null,
  charged_by text,
  reason text,
  posting_instruction_id text,
  fee_receivable_id text references operations.fee_receivable,
  refund_reason text,
  refund_proposed_by text,
  refund_decided_by text,
  refund_posting_id text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((trigger is null) = (trigger_position is null)),
  check ((trigger is null) = (charged_by is not null))
);
create index fee_charge_created_idx on operations.fee_charge (created_at, fee_charge_id);
create index fee_charge_arrangement_idx on operations.fee_charge (arrangement_id, created_at, fee_charge_id);
create index fee_charge_party_idx on operations.fee_charge (party_id);
create index fee_charge_due_idx on operations.fee_charge (created_at, fee_charge_id) where status = 'due';
-- A fee is charged once per event, however often the event is read.
create unique index fee_charge_once on operations.fee_charge (trigger_position, fee_code)
  where trigger_position is not null;

-- A fee that is owed belongs to a fee run or to a charge. For a charge, fee_run_id is its ID, too, because
-- the former release needs a value.
alter table operations.fee_receivable drop constraint fee_receivable_fee_run_id_fkey;
alter table operations.fee_receivable add column fee_charge_id text;

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('feeCharge', 'operations.fee_charge',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for fee charges: %', sqlerrm;
end $$;
