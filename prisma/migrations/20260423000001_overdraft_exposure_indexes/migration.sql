-- Each statement by itself.
-- Accounts whose overdrafts bear no interest are followed as well, so is_bearing no longer matters.
drop index concurrently if exists interest.overdraft_position_due_idx;
create index concurrently overdraft_position_due_idx on interest.overdraft_position (accrued_through, arrangement_id)
  where not is_ended;
drop index concurrently if exists interest.overdraft_position_exposed_idx;
create index concurrently overdraft_position_exposed_idx on interest.overdraft_position (arrangement_id)
  where not is_ended and (overdrawn_since is not null or limit_minor > 0);
drop index concurrently if exists interest.overdraft_position_past_due_idx;
create index concurrently overdraft_position_past_due_idx on interest.overdraft_position (arrangement_id)
  where not is_ended and days_beyond_limit > 0;
