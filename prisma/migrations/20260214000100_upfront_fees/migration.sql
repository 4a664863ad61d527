-- Upfront fees as agreed when a facility is opened, and the part of them charged so far. Facilities
-- that are open already were agreed without.
alter table lending.facility
  add column upfront_fees text not null default '[]',
  add column upfront_fees_charged_minor bigint not null default 0;
alter table lending.drawdown add column fee_minor bigint not null default 0;
