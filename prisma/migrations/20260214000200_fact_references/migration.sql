-- Lifecycle rules look up what refers to a customer, a party or a settlement account.
create index fact_customer_idx on kernel.fact ((data ->> 'customerId')) where data ->> 'customerId' is not null;
create index fact_party_idx on kernel.fact ((data ->> 'partyId')) where data ->> 'partyId' is not null;
create index fact_settlement_idx on kernel.fact ((data ->> 'settlementArrangementId'))
  where data ->> 'settlementArrangementId' is not null;

update kernel.fact f set version = f.version + 1,
    data = f.data || jsonb_build_object('settlementArrangementId', x.settlement_arrangement_id)
  from lending.facility x where f.subject = 'facility/' || x.facility_id;
