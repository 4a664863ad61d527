create schema casework;

create table casework.case_file (
  case_id text primary key,
  case_type text not null,
  title text not null,
  description text,
  party_id text,
  subjects text[] not null,
  status text not null,
  priority text not null,
  outcome text,
  due_at timestamptz(3),
  remaining_seconds integer not null,
  warn_at timestamptz(3),
  breached_at timestamptz(3),
  assignee_id text,
  queue_id text,
  task_id text,
  opened_by text not null,
  opened_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  ended_at timestamptz(3),
  entries integer not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index case_file_created_at_case_id_idx on casework.case_file (created_at, case_id);
create index case_file_party_id_created_at_case_id_idx
  on casework.case_file (party_id, created_at, case_id);
create index case_file_assignee_id_created_at_case_id_idx
  on casework.case_file (assignee_id, created_at, case_id);
create index case_file_subjects_idx on casework.case_file using gin (subjects);
create index case_file_due_at_idx
  on casework.case_file (due_at) where due_at is not null and breached_at is null;
create index case_file_warn_at_idx on casework.case_file (warn_at) where warn_at is not null;

-- The interactions by which cases find somebody: asked for, waited for, taken back.
create table casework.task (
  task_id text primary key,
  case_id text not null references casework.case_file,
  routing_profile_id text not null,
  state text not null,
  version integer not null,
  created_at timestamptz(3) not null
);
create index task_created_at_task_id_idx
  on casework.task (created_at, task_id) where state in ('wanted', 'returning');
create index task_case_id_idx on casework.task (case_id);

create table casework.case_entry (
  case_id text not null references casework.case_file,
  number integer not null,
  kind text not null,
  text text,
  is_shared boolean not null,
  by text not null,
  at timestamptz(3) not null,
  primary key (case_id, number)
);

-- Where bytes are, from the moment an address for them is given out until they are deleted.
create table casework.content (
  content_id text primary key,
  state text not null,
  owner text not null,
  file_name text not null,
  media_type text not null,
  discard_at timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null
);
create index content_discard_at_idx on casework.content (discard_at) where discard_at is not null;

create table casework.document (
  document_id text primary key,
  title text not null,
  document_type text not null,
  party_id text,
  case_id text references casework.case_file,
  is_shared boolean not null,
  retention_class text not null,
  retention_starts_at timestamptz(3),
  erase_at timestamptz(3),
  hold_reason text,
  held_at timestamptz(3),
  held_by text,
  status text not null,
  versions jsonb not null,
  erased_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index document_created_at_document_id_idx on casework.document (created_at, document_id);
create index document_party_id_created_at_document_id_idx
  on casework.document (party_id, created_at, document_id);
create index document_case_id_created_at_document_id_idx
  on casework.document (case_id, created_at, document_id);
create index document_erase_at_idx
  on casework.document (erase_at) where status = 'active' and held_at is null and erase_at is not null;
