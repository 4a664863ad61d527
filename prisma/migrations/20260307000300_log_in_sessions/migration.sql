-- A person can end a single log-in session.
alter table kernel.revocation drop constraint revocation_kind_check;
alter table kernel.revocation add constraint revocation_kind_check
  check (kind in ('token', 'client', 'subject', 'grant', 'session'));
-- For the lists of a person's sessions and connected apps.
create index record_account_idx on oauth.record ((payload ->> 'accountId'))
  where model in ('Grant', 'Session');
