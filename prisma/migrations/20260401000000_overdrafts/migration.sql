-- The terms on which accounts under a product version can be overdrawn.
alter table products.product_version add column overdraft jsonb;

-- A limit up to which an account can be overdrawn, with its interest.
create table accounts.overdraft (
  overdraft_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  currency text not null,
  limit_minor bigint not null check (limit_minor >= 0),
  annual_rate_pct text not null,
  unarranged_rate_pct text not null,
  interest_free_minor bigint not null check (interest_free_minor >= 0),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  reason text not null,
  state text not null check (state in ('proposed', 'approved', 'rejected')),
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  -- The day on which the limit of the account has to be changed next; null if it has not.
  next_change_on date,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index overdraft_created_at_idx on accounts.overdraft (created_at, overdraft_id);
create index overdraft_arrangement_id_idx on accounts.overdraft (arrangement_id, created_at, overdraft_id);
create index overdraft_party_id_idx on accounts.overdraft (party_id);
create index overdraft_next_change_on_idx on accounts.overdraft (next_change_on) where next_change_on is not null;

-- How far the interest of overdrafts is accrued and charged. Balances and interest are what the
-- customer owes.
create table interest.overdraft_position (
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
  -- How many days in a row the account was beyond its limit at the end of accrued_through.
  days_beyond_limit integer not null,
  leased_until timestamptz(3),
  lease_id text,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index overdraft_position_accrued_through_idx on interest.overdraft_position (accrued_through, arrangement_id)
  where is_bearing and not is_ended;
create index overdraft_position_closing_idx on interest.overdraft_position (arrangement_id)
  where is_bearing and is_closing and not is_ended;
create index overdraft_position_party_id_idx on interest.overdraft_position (party_id);

-- The interest of an overdrawn account for one day.
create table interest.overdraft_accrual (
  arrangement_id text not null,
  accrued_on date not null,
  balance_minor bigint not null,
  units numeric(45, 0) not null,
  product_version text not null,
  -- The overdraft whose limit and rates applied; null if the account had none.
  overdraft_id text,
  -- How many days in a row the account was beyond its limit.
  days_beyond_limit integer not null,
  -- Whether nothing was accrued, because of too many days beyond the limit.
  is_suspended boolean not null,
  primary key (arrangement_id, accrued_on)
);

-- A correction of the interest of an overdraft.
create table interest.overdraft_adjustment (
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
create index overdraft_adjustment_arrangement_id_idx on interest.overdraft_adjustment (arrangement_id, created_at, adjustment_id);
create index overdraft_adjustment_party_id_idx on interest.overdraft_adjustment (party_id);

-- Interest that was charged to an account.
create table interest.overdraft_charge (
  capitalization_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  reason text not null check (reason in ('calendar', 'closure', 'request')),
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  effective_on date not null,
  -- Negative if the bank refunded interest after a correction.
  gross_minor bigint not null check (gross_minor <> 0),
  tax_minor bigint not null check (tax_minor = 0),
  currency text not null,
  paid_to_arrangement_id text not null,
  posting_instruction_id text not null,
  created_at timestamptz(3) not null
);
create index overdraft_charge_arrangement_id_idx on interest.overdraft_charge (arrangement_id, effective_on, capitalization_id);
create index overdraft_charge_posting_idx on interest.overdraft_charge (posting_instruction_id);
create index overdraft_charge_party_id_idx on interest.overdraft_charge (party_id);

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('accountOverdraft', 'accounts.overdraft',
    $c$state = 'approved' and (party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id))$c$);
  perform kernel.secure_table('interestOverdraftPosition', 'interest.overdraft_position',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestOverdraftAdjustment', 'interest.overdraft_adjustment',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestOverdraftCharge', 'interest.overdraft_charge',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for overdrafts: %', sqlerrm;
end $$;
