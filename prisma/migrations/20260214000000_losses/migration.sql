-- A charge-off or write-off that a second person has to approve.
create table lending.loss_proposal (
  loss_proposal_id text primary key,
  facility_id text not null,
  party_id text not null,
  action text not null,
  state text not null,
  reason text not null,
  amount_minor bigint not null,
  currency text not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index loss_proposal_created_at_idx on lending.loss_proposal (created_at, loss_proposal_id);
create index loss_proposal_facility_idx on lending.loss_proposal (facility_id, created_at, loss_proposal_id);
-- At most one undecided proposal for a facility.
create unique index loss_proposal_undecided_idx on lending.loss_proposal (facility_id) where state = 'proposed';

-- Recoveries used to end a facility with the first payment. Where money is still missing, they go on.
update lending.facility set state = 'charged-off', version = version + 1
  where state = 'recovered' and charged_off_minor > 0;
update kernel.fact f set version = f.version + 1, data = jsonb_set(f.data, '{state}', '"charged-off"')
  from lending.facility x where f.subject = 'facility/' || x.facility_id
    and x.state = 'charged-off' and f.data ->> 'state' = 'recovered';
