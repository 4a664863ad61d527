-- The interest that a product version pays on balances.
alter table products.product_version add column deposit_interest jsonb;

create schema interest;

-- How far the interest of an account is accrued and paid. There is one row for each account.
create table interest.position (
  arrangement_id text primary key,
  party_id text not null,
  product_id text not null,
  product_version text not null,
  currency text not null,
  opened_on date not null,
  -- Whether the product pays interest on the account, now or from a day to come.
  is_bearing boolean not null,
  is_closing boolean not null,
  is_ended boolean not null,
  -- The last day whose interest is accrued.
  accrued_through date not null,
  -- The first day of the interest that the next capitalization pays.
  period_start date not null,
  -- The balance by value date at the end of accrued_through, with the entries up to seen_sequence.
  balance_minor bigint not null,
  -- The amounts of these entries that have a later value date.
  ahead jsonb not null,
  seen_sequence bigint not null,
  -- All interest since the opening: exact, and rounded as it is in the ledger.
  accrued_units numeric(45, 0) not null,
  accrued_minor bigint not null,
  capitalized_minor bigint not null,
  payout_arrangement_id text,
  -- The day on which a capitalization was rejected.
  held_on date,
  leased_until timestamptz(3),
  lease_id text,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index position_accrued_through_idx on interest.position (accrued_through, arrangement_id)
  where is_bearing and not is_ended;
create index position_closing_idx on interest.position (arrangement_id)
  where is_bearing and is_closing and not is_ended;
create index position_product_id_idx on interest.position (product_id);
create index position_party_id_idx on interest.position (party_id);

-- The interest of one day. A day without a balance has no row.
create table interest.daily_accrual (
  arrangement_id text not null,
  accrued_on date not null,
  balance_minor bigint not null,
  units numeric(45, 0) not null,
  -- The product version whose terms applied.
  product_version text not null,
  rate_override_id text,
  primary key (arrangement_id, accrued_on)
);

-- A correction of interest that was accrued before.
create table interest.adjustment (
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
create index adjustment_arrangement_id_idx on interest.adjustment (arrangement_id, created_at, adjustment_id);
create index adjustment_party_id_idx on interest.adjustment (party_id);

-- Interest that was paid.
create table interest.capitalization (
  capitalization_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  reason text not null check (reason in ('calendar', 'closure', 'request')),
  period_start date not null,
  period_end date not null check (period_end >= period_start),
  -- The day from which the paid interest earns interest itself.
  effective_on date not null,
  gross_minor bigint not null check (gross_minor <> 0),
  tax_minor bigint not null check (tax_minor >= 0),
  currency text not null,
  paid_to_arrangement_id text not null,
  posting_instruction_id text not null,
  created_at timestamptz(3) not null
);
create index capitalization_arrangement_id_idx on interest.capitalization (arrangement_id, effective_on, capitalization_id);
create index capitalization_posting_idx on interest.capitalization (posting_instruction_id);
create index capitalization_party_id_idx on interest.capitalization (party_id);

-- A rate that replaces the rates of the product for one account.
create table interest.rate_override (
  rate_override_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  annual_rate_pct text not null,
  valid_from date not null,
  valid_to date,
  reason text not null,
  state text not null check (state in ('proposed', 'approved', 'rejected')),
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index rate_override_created_at_idx on interest.rate_override (created_at, rate_override_id);
create index rate_override_arrangement_id_idx on interest.rate_override (arrangement_id, created_at, rate_override_id);
create index rate_override_party_id_idx on interest.rate_override (party_id);

-- A period in which no tax is withheld from the interest of an account.
create table interest.tax_exemption (
  tax_exemption_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  valid_from date not null,
  valid_to date,
  reason text not null,
  state text not null check (state in ('granted', 'revoked')),
  granted_by text not null,
  revoked_on date,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index tax_exemption_created_at_idx on interest.tax_exemption (created_at, tax_exemption_id);
create index tax_exemption_arrangement_id_idx on interest.tax_exemption (arrangement_id, created_at, tax_exemption_id);
create index tax_exemption_party_id_idx on interest.tax_exemption (party_id);

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('interestPosition', 'interest.position',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestAdjustment', 'interest.adjustment',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  perform kernel.secure_table('interestCapitalization', 'interest.capitalization',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for interest: %', sqlerrm;
end $$;
