-- Co-borrowers and guarantors of facilities, and calls of guarantees.
create table lending.facility_obligor (
  obligor_id text primary key,
  facility_id text not null,
  party_id text not null,
  borrower_party_id text not null,
  role text not null check (role in ('co-borrower', 'guarantor')),
  status text not null check (status in ('active', 'release-proposed', 'released', 'ended')),
  currency text not null,
  -- What a guarantor is liable for; both are null for a co-borrower.
  amount_minor bigint check (amount_minor > 0),
  percentage text,
  valid_until date,
  document_id text,
  added_by text not null,
  release_reason text,
  release_proposed_by text,
  release_decided_by text,
  ended_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index facility_obligor_created_at_idx on lending.facility_obligor (created_at, obligor_id);
create index facility_obligor_facility_idx on lending.facility_obligor (facility_id, created_at, obligor_id);
create index facility_obligor_party_idx on lending.facility_obligor (party_id, created_at, obligor_id);
create index facility_obligor_borrower_idx on lending.facility_obligor (borrower_party_id);
-- A party is liable for a facility once.
create unique index facility_obligor_open_idx on lending.facility_obligor (facility_id, party_id)
  where status in ('active', 'release-proposed');
-- The guarantees whose last day has passed.
create index facility_obligor_valid_until_idx on lending.facility_obligor (valid_until, obligor_id)
  where status in ('active', 'release-proposed') and valid_until is not null;

create table lending.guarantee_call (
  guarantee_call_id text primary key,
  obligor_id text not null,
  facility_id text not null,
  party_id text not null,
  borrower_party_id text not null,
  status text not null check (status in ('open', 'withdrawn')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  due_on date not null,
  called_by text not null,
  withdrawal_reason text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index guarantee_call_created_at_idx on lending.guarantee_call (created_at, guarantee_call_id);
create index guarantee_call_obligor_idx on lending.guarantee_call (obligor_id, created_at, guarantee_call_id);
create index guarantee_call_party_idx on lending.guarantee_call (party_id);
create index guarantee_call_borrower_idx on lending.guarantee_call (borrower_party_id);

alter table lending.facility
  -- The parties besides the borrower that may read the facility: its co-borrowers, and guarantors
  -- whose guarantee was called.
  add column reader_ids text[] not null default '{}';
alter table lending.repayment
  -- The party that owns the debited account, if it is not the borrower. The former release leaves it null.
  add column payer_party_id text;

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('facilityObligor', 'lending.facility_obligor',
    $c$kernel.reading_party() in (party_id, borrower_party_id)$c$);
  perform kernel.secure_table('guaranteeCall', 'lending.guarantee_call',
    $c$kernel.reading_party() in (party_id, borrower_party_id)$c$);
  alter policy facility on lending.facility
    using (party_id = kernel.reading_party() or kernel.reading_party() = any(reader_ids));
  alter policy repayment on lending.repayment
    using (kernel.reading_party() in (party_id, payer_party_id) or exists (
      select from lending.facility f
      where f.facility_id = repayment.facility_id and kernel.reading_party() = any(f.reader_ids)));
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for the obligors of facilities: %', sqlerrm;
end $$;
