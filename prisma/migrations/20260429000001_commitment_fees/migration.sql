-- How far the fees for the unused parts of limits are accrued and charged. Balances and fees are what the
-- customer owes.
create table interest.commitment_fee_position (
  arrangement_id text primary key,
  party_id text not null,
  product_id text not null,
  product_version text not null,
  currency text not null,
  opened_on date not null,
  is_bearing boolean not null,
  is_closing boolean not null,
  is_ended boolean not null,
  accrued_through date not null,
  period_start date not null,
  balance_minor bigint not null,
  ahead jsonb not null,
  seen_sequence bigint not null,
  accrued_units numeric(45, 0) not null,
  accrued_minor bigint not null,
  capitalized_minor bigint not null,
  payout_arrangement_id text check (payout_arrangement_id is null),
  held_on date,
  leased_until timestamptz(3),
  lease_id text,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index commitment_fee_position_accrued_through_idx on interest.commitment_fee_position (accrued_through, arrangement_id)
  where is_bearing and not is_ended;
create index commitment_fee_position_closing_idx on interest.commitment_fee_position (arrangement_id)
  where is_bearing and is_closing and not is_ended;
create index commitment_fee_position_party_id_idx on interest.commitment_fee_position (party_id);

-- The fee of one day on which the account had a limit.
create table interest.commitment_fee_accrual (
  arrangement_id text not null,
  accrued_on date not null,
  balance_minor bigint not null,
  units numeric(45, 0) not null,
  product_version text not null,
  -- The overdraft whose limit applied.
  overdraft_id text,
  -- Always 0. The table has the columns of interest.overdraft_accrual.
  days_beyond_limit integer not null,
  -- Whether nothing was accrued, because the account was blocked for debits.
  is_suspended boolean not null,
  primary key (arrangement_id, accrued_on)
);

-- A correction of a commitment fee.
create table interest.commitment_fee_adjustment (
  adjustment_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  caused_by text[] not null,
  units numeric(45, 0) not null,
  amount_minor bigint not null,
  currency text not null,
  posting_instruction_id text,
  created_at timestamptz(3) not null
);
create index commitment_fee_adjustment_arrangement_id_idx on interest.commitment_fee_adjustment (arrangement_id, created_at, adjustment_id);
create index commitment_fee_adjustment_party_id_idx on interest.commitment_fee_adjustment (party_id);

-- A commitment fee that was charged to an account.
create table interest.commitment_fee_charge (
  capitalization_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  reason text not null check (reason in ('calendar', 'closure', 'request')),
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  effective_on date not null,
  -- Negative if the bank refunded the fee after a correction.
  gross_minor bigint not null check (gross_minor <> 0),
  tax_minor bigint not null check (tax_minor = 0),
  currency text not null,
  paid_to_arrangement_id text not null,
  posting_instruction_id text not null,
  created_at timestamptz(3) not null
);
create index commitment_fee_charge_arrangement_id_idx on interest.commitment_fee_charge (arrangement_id, effective_on, capitalization_id);
create index commitment_fee_charge_posting_idx on interest.commitment_fee_charge (posting_instruction_id);
create index commitment_fee_charge_party_id_idx on interest.commitment_fee_charge (party_id);

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('interestCommitmentFeePosition', 'interest.commitment_fee_position',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestCommitmentFeeAdjustment', 'interest.commitment_fee_adjustment',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestCommitmentFeeCharge', 'interest.commitment_fee_charge',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for commitment fees: %', sqlerrm;
end $$;
