-- How many signatories of an account must sign a payment.
create table accounts.signing_rule (
  signing_rule_id text primary key,
  arrangement_id text not null,
  party_id text not null,
  currency text not null,
  required_signatures integer not null check (required_signatures >= 1),
  -- The amount from which on the number applies; null if it applies to every amount.
  from_minor bigint check (from_minor > 0),
  signatory_party_ids text[] not null,
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
create index signing_rule_created_at_idx on accounts.signing_rule (created_at, signing_rule_id);
create index signing_rule_arrangement_id_idx
  on accounts.signing_rule (arrangement_id, created_at, signing_rule_id);
create index signing_rule_party_id_idx on accounts.signing_rule (party_id);

-- Joint holders of accounts. Another person must approve the removal of a holder.
alter table parties.entitlement add column is_holder boolean not null default false;
alter table parties.entitlement add column removal_proposed_by text;
alter table parties.entitlement add column removal_proposed_at timestamptz(3);

-- A payment that waits for signatures. Both columns are null for payments that never did.
alter table payments.payment add column signing jsonb;
alter table payments.payment add column signatures_expire_at timestamptz(3);

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('signingRule', 'accounts.signing_rule',
    $c$state = 'approved' and (party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id))$c$);
  -- The holders of an account see each other.
  perform kernel.secure_table('entitlement', 'parties.entitlement',
    $c$kernel.reading_party() in (grantor_party_id, grantee_party_id) or (is_holder and parties.is_granted(resource))$c$);
  -- Joint holders see the payments to their accounts, and the standing orders from them.
  perform kernel.secure_table('payment', 'payments.payment',
    $c$kernel.reading_party() in (party_id, creditor_party_id) or parties.is_granted('arrangement/' || debtor_arrangement_id) or parties.is_granted('arrangement/' || creditor_arrangement_id)$c$);
  perform kernel.secure_table('standingOrder', 'payments.standing_order',
    $c$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || debtor_arrangement_id)$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for signing rules: %', sqlerrm;
end $$;
