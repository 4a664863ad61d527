-- A transfer between two accounts of one customer in different currencies: what arrives, and at which rate.
alter table payments.payment
  add column credited_minor bigint,
  add column credited_currency text,
  add column exchange jsonb,
  add constraint payment_exchange_complete check (
    (credited_minor is null) = (credited_currency is null) and (credited_minor is null) = (exchange is null));
