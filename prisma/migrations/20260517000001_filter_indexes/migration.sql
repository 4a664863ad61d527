-- Each statement by itself. For the entitlements to a record, also of the joint holders of accounts.
drop index concurrently if exists parties.entitlement_resource_idx;
create index concurrently entitlement_resource_idx on parties.entitlement (resource, created_at, entitlement_id);
drop index concurrently if exists parties.entitlement_holder_idx;
-- For the few accounts of a large run that were not charged.
drop index concurrently if exists operations.fee_run_item_outcome_idx;
create index concurrently fee_run_item_outcome_idx on operations.fee_run_item (fee_run_id, outcome, arrangement_id);
-- For what is rare in the audit of identity.
drop index concurrently if exists kernel.identity_record_outcome_idx;
create index concurrently identity_record_outcome_idx on kernel.identity_record (outcome, at desc, record_id desc);
drop index concurrently if exists kernel.identity_record_kind_idx;
create index concurrently identity_record_kind_idx on kernel.identity_record (kind, at desc, record_id desc);
