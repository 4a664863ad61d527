-- Each statement by itself.
-- How far the exposures of all accounts are derived is the minimum of those that are behind.
drop index concurrently if exists interest.overdraft_position_underived_idx;
create index concurrently overdraft_position_underived_idx
  on interest.overdraft_position ((coalesce(exposure_through, opened_on - 1)))
  where not is_ended and exposure_through is distinct from accrued_through;
-- overdraft_position_due_idx contains its rows, in the same order.
drop index concurrently if exists interest.overdraft_position_accrued_through_idx;
