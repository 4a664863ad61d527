-- Each statement by itself. For the lists of charges that failed and of refunds that wait for an approval.
drop index concurrently if exists operations.fee_charge_status_idx;
create index concurrently fee_charge_status_idx on operations.fee_charge (status, created_at, fee_charge_id);
