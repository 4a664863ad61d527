-- What late payment of a facility costs, as agreed when it is opened, and what is charged for each
-- installment. Facilities that are open already were agreed without. The columns of an installment are
-- null if the former release made it due.
alter table lending.facility
  add column late_charges text,
  add column fees_due_minor bigint not null default 0,
  add column penalties_due_minor bigint not null default 0;
alter table lending.due_installment
  add column fees_minor bigint,
  add column fees_paid_minor bigint,
  add column fees_waived_minor bigint,
  add column penalties_minor bigint,
  add column penalties_paid_minor bigint,
  add column penalties_waived_minor bigint,
  add column overdue_minor_days numeric(38, 0),
  add column paid_in_grace_minor bigint,
  add column charged_through date;
