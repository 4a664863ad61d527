-- A grant is what a person allowed one client. Revoking it voids every token that was issued under it.
alter table kernel.revocation drop constraint revocation_kind_check;
alter table kernel.revocation add constraint revocation_kind_check
  check (kind in ('token', 'client', 'subject', 'grant'));
