-- The people who work at the bank, and what they may do.
create schema staff;

create table staff.employee (
  employee_id text primary key,
  username text not null unique check (username = lower(username)),
  name text not null,
  status text not null,
  status_reason text,
  roles text[] not null,
  -- The roles that await the approval of a second person; empty if there are none.
  proposed_roles text[] not null,
  proposed_by text,
  proposed_at timestamptz(3),
  -- Who requested a one-time code that has not been issued yet.
  log_in_code_requested_by text,
  -- The SHA-256 of the one-time code with which the person sets a password, in base64url.
  log_in_code_hash text,
  log_in_code_expires_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index employee_created_at_employee_id_idx on staff.employee (created_at, employee_id);
