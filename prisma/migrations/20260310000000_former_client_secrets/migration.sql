-- The previous secret of a client of the bank itself stays valid for a while after a rotation.
alter table oauth.client add column former_hash bytea, add column former_until timestamptz;
alter table oauth.client add constraint client_former_check
  check ((former_hash is null) = (former_until is null));
