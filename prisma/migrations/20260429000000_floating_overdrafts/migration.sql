-- The reference rate to which the rates of an overdraft are added; null if they are fixed, as they are in
-- the rows of the former release.
alter table accounts.overdraft add column floating_rate jsonb;
