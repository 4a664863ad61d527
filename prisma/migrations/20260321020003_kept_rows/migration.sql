-- Rows that are kept although their retention ended, such as documents under a legal hold, are looked
-- at again.
alter table privacy.relationship_end
  add column keeps_rows boolean not null default false;
update privacy.relationship_end r set keeps_rows = true, next_due_at = coalesce(next_due_at, now())
where exists (
  select from privacy.erasure_request e join privacy.erasure_line l using (erasure_request_id)
  where r.subject in ('party/' || e.party_id, 'employee/' || e.username)
    and l.action <> 'kept' and l.kept_count > 0);
