-- A person without a party is an employee, whose rights are in the fact employee/<username>.
alter table oauth.person alter column party_id drop not null;
-- The hash of the one-time code with which the current password was set, so that it is used once.
alter table oauth.person add column used_code_hash text;
-- Sessions that began earlier need a new login.
alter table oauth.person add column password_set_at timestamptz(3);
-- A first-party client is an app of the bank itself: people are not asked for their consent, and
-- employees use their rights in it.
alter table oauth.client add column is_first_party boolean not null default false;
