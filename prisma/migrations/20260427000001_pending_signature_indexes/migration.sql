-- Each statement by itself.
drop index concurrently if exists payments.payment_pending_signatures_idx;
create index concurrently payment_pending_signatures_idx on payments.payment (created_at, payment_id)
  where state = 'pending-signatures';
drop index concurrently if exists payments.payment_signatures_expire_at_idx;
create index concurrently payment_signatures_expire_at_idx on payments.payment (signatures_expire_at)
  where state = 'pending-signatures';
drop index concurrently if exists parties.entitlement_holder_idx;
create index concurrently entitlement_holder_idx on parties.entitlement (resource) where is_holder;
