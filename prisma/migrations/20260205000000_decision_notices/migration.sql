-- One row for each decision that its applicant has to be told of, made with the decision: decisions
-- themselves never change. Next at: when it is tried (again); null once the applicant was written to.
create table origination.decision_notice (
  decision_id text primary key references origination.credit_decision,
  due_by date not null,
  next_at timestamptz(3),
  refusal text,
  notification_id text,
  told_at timestamptz(3),
  check ((next_at is null) = (told_at is not null)),
  check ((told_at is null) = (notification_id is null))
);
create index decision_notice_next_at_idx
  on origination.decision_notice (next_at, decision_id) where next_at is not null;
create index decision_notice_due_by_idx
  on origination.decision_notice (due_by, decision_id) where next_at is not null;
