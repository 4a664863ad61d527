-- Each statement by itself. For the steps that are repeated at once: those that failed, and letters whose
-- document was refused.
drop index concurrently if exists collections.step_to_retry_idx;
create index concurrently step_to_retry_idx on collections.step (updated_at, collections_step_id)
  where state = 'failed' or document_state = 'refused';
