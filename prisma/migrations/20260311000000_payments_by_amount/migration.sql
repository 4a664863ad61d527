-- People search for a payment by its amount.
create index payment_amount_minor_created_at_payment_id_idx
  on payments.payment (amount_minor, currency, created_at, payment_id);
