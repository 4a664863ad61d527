-- Each statement by itself. A fee of a run is owed once per account and period, and a charge is owed once.
drop index concurrently if exists operations.fee_receivable_once_per_period;
create unique index concurrently fee_receivable_once_per_period
  on operations.fee_receivable (arrangement_id, fee_code, period_start)
  where status <> 'reversed' and fee_charge_id is null;
drop index concurrently if exists operations.fee_receivable_charge;
create unique index concurrently fee_receivable_charge on operations.fee_receivable (fee_charge_id)
  where fee_charge_id is not null;
drop index concurrently if exists operations.fee_receivable_once;
