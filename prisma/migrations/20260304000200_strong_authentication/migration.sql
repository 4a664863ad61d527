-- A payee to whom a customer pays without approving each payment.
create table payments.trusted_payee (
  trusted_payee_id text primary key,
  party_id text not null,
  status text not null,
  -- The account: its ID at this bank, or its IBAN at another bank.
  payee text not null,
  creditor_iban text,
  creditor_arrangement_id text,
  name text not null,
  removed_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index trusted_payee_party_id_payee_idx on payments.trusted_payee (party_id, payee);
create index trusted_payee_created_at_trusted_payee_id_idx
  on payments.trusted_payee (created_at, trusted_payee_id);

-- The small payments that a customer made without an approval since the last approved payment.
create table payments.low_value_counter (
  party_id text primary key,
  amount_minor bigint not null,
  count integer not null,
  version integer not null
);

do $do$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('trustedPayee', 'payments.trusted_payee',
    'party_id = kernel.reading_party()');
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object then
  raise notice 'row security is off: %', sqlerrm;
end $do$;
