-- What a customer owes by an overdraft, at the end of exposure_through, which is accrued_through unless
-- the former release accrued the account. All three columns are null in its rows.
alter table interest.overdraft_position
  -- The first day of the days in a row on which the account was overdrawn; null if it was not.
  add column overdrawn_since date,
  add column limit_minor bigint,
  add column exposure_through date;
