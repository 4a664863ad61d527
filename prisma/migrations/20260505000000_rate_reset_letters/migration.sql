-- The letters that inform borrowers of a reset of their rate: one for each reset and borrower.
create table lending.rate_reset_letter (
  rate_reset_letter_id text primary key,
  facility_id text not null,
  reset_on date not null,
  party_id text not null,
  state text not null
    check (state in ('due', 'accepted', 'sent', 'suppressed', 'undelivered', 'failed', 'not-stored')),
  notification_id text,
  document_id text,
  failure_code text,
  accepted_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  foreign key (facility_id, reset_on) references lending.rate_reset
);
-- However many processes close the same days, a borrower gets one letter for a reset.
create unique index rate_reset_letter_once_idx on lending.rate_reset_letter (facility_id, reset_on, party_id);
create index rate_reset_letter_created_at_idx on lending.rate_reset_letter (created_at, rate_reset_letter_id);
create index rate_reset_letter_state_idx on lending.rate_reset_letter (state, created_at, rate_reset_letter_id);
create index rate_reset_letter_facility_idx on lending.rate_reset_letter (facility_id, created_at, rate_reset_letter_id);
create index rate_reset_letter_party_idx on lending.rate_reset_letter (party_id, created_at, rate_reset_letter_id);
create index rate_reset_letter_due_idx on lending.rate_reset_letter (created_at, rate_reset_letter_id)
  where state = 'due';
create index rate_reset_letter_accepted_idx on lending.rate_reset_letter (rate_reset_letter_id)
  where state = 'accepted';
create index rate_reset_letter_notification_idx on lending.rate_reset_letter (notification_id)
  where state = 'accepted';

-- Row-level security, where the database has its role.
do $$
begin
  grant usage, create on schema kernel to bankgraph_party;
  perform kernel.secure_table('rateResetLetter', 'lending.rate_reset_letter',
    $c$party_id = kernel.reading_party()$c$);
  revoke create on schema kernel from bankgraph_party;
exception when insufficient_privilege or undefined_object or undefined_function then
  raise notice 'row security is off for the letters about resets: %', sqlerrm;
end $$;
