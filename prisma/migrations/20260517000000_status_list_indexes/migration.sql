-- Each statement by itself. For lists with a status, in the order of creation: the records that are open are few
-- and the newest. A statement with a parameter gets a plan for any status, for which a partial index cannot be used.
drop index concurrently if exists casework.case_file_status_idx;
create index concurrently case_file_status_idx on casework.case_file (status, created_at, case_id);
drop index concurrently if exists origination.loan_application_status_idx;
create index concurrently loan_application_status_idx
  on origination.loan_application (status, created_at, application_id);
drop index concurrently if exists lending.hardship_request_status_idx;
create index concurrently hardship_request_status_idx
  on lending.hardship_request (status, created_at, hardship_request_id);
drop index concurrently if exists lending.facility_state_idx;
create index concurrently facility_state_idx on lending.facility (state, created_at, facility_id);
drop index concurrently if exists collections.episode_status_idx;
create index concurrently episode_status_idx on collections.episode (status, created_at, collections_episode_id);
drop index concurrently if exists operations.fee_receivable_status_idx;
create index concurrently fee_receivable_status_idx
  on operations.fee_receivable (status, created_at, fee_receivable_id);
drop index concurrently if exists channels.interaction_status_idx;
create index concurrently interaction_status_idx on channels.interaction (status, created_at, interaction_id);
-- Nearly all notifications are delivered and nearly all payments settled. The statements for the others name the status.
-- A notification on its way to the party costs no entry of the index.
drop index concurrently if exists notifications.notification_status_idx;
create index concurrently notification_status_idx
  on notifications.notification (status, created_at, notification_id) where status in ('failed', 'suppressed');
drop index concurrently if exists payments.payment_state_idx;
create index concurrently payment_state_idx
  on payments.payment (state, created_at, payment_id) where state <> 'settled';
