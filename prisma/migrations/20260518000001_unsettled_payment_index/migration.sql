-- Each statement by itself.
-- The payments that have not left the nostro yet, which the projection of the liquidity adds up.
drop index concurrently if exists payments.payment_unsettled_idx;
create index concurrently payment_unsettled_idx on payments.payment (currency, rail)
  where direction = 'out' and state in ('scheduled', 'accepted', 'submitted', 'acknowledged');
