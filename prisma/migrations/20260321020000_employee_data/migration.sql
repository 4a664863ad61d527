-- Exports and erasures of the data of employees, who are named by their username.
alter table privacy.data_export
  alter column party_id drop not null,
  add column username text,
  add constraint data_export_subject check (num_nonnulls(party_id, username) = 1);

alter table privacy.erasure_request
  alter column party_id drop not null,
  add column username text,
  add constraint erasure_request_subject check (num_nonnulls(party_id, username) = 1);
create unique index erasure_request_open_employee_idx on privacy.erasure_request (username)
  where state in ('proposed', 'approved');

-- The subject is `party/<partyId>` or `employee/<username>`.
alter table privacy.relationship_end rename column party_id to subject;
update privacy.relationship_end set subject = 'party/' || subject;
