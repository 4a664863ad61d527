alter table origination.loan_application add column is_case_closed boolean not null default false;

-- Decided applications whose case still waits for somebody.
create index loan_application_case_to_close_idx
  on origination.loan_application (application_id)
  where is_case_open and not is_case_closed and status in ('approved', 'declined', 'accepted', 'booked');
