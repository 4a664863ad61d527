-- Overdrafts that the bank no longer expects to be repaid, and what was recovered of them.
create table accounts.overdraft_write_off (
  overdraft_write_off_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  currency text not null,
  -- The amount written off once the write-off is approved, the proposed amount otherwise.
  amount_minor bigint not null check (amount_minor > 0),
  recovered_minor bigint not null check (recovered_minor between 0 and amount_minor),
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
create index overdraft_write_off_created_at_idx
  on accounts.overdraft_write_off (created_at, overdraft_write_off_id);
create index overdraft_write_off_arrangement_id_idx
  on accounts.overdraft_write_off (arrangement_id, created_at, overdraft_write_off_id);
create unique index overdraft_write_off_proposed_key
  on accounts.overdraft_write_off (arrangement_id) where state = 'proposed';
create index overdraft_write_off_party_id_idx on accounts.overdraft_write_off (party_id);

-- Row-level security, where the database has its role. Write-offs are internal to the bank.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('overdraftWriteOff', 'accounts.overdraft_write_off', 'false');
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for overdraft write-offs: %', sqlerrm;
end $$;
