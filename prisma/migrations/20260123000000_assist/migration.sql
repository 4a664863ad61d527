create schema assist;

create table assist.session (
  session_id text primary key,
  assistant_type text not null,
  status text not null,
  client_id text not null,
  user_id text not null,
  acting_party_id text,
  scopes text[] not null,
  subject_party_id text,
  subject text,
  channel text,
  locale text not null,
  purpose text,
  policy_version text not null,
  policy_hash text not null,
  model_alias text not null,
  message_count integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost_micros integer not null,
  breaches integer not null,
  busy_until timestamptz(3),
  busy_with text,
  -- What stands for what in the masked text, sealed. Without it the transcript names nobody.
  masks text,
  transcript_length integer not null,
  transcript_hash text not null,
  end_reason text,
  last_active_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index session_open_idx on assist.session (expires_at) where status in ('active', 'awaiting-approval');
create index session_user_idx on assist.session (client_id, user_id) where status in ('active', 'awaiting-approval');

create table assist.message (
  message_id text primary key,
  session_id text not null references assist.session,
  sequence integer not null,
  role text not null check (role in ('user', 'assistant')),
  -- Sealed.
  content text not null,
  status text not null,
  finish_reason text not null,
  -- Citations, tool calls, guardrails, usage.
  details jsonb not null,
  client_message_id text,
  created_at timestamptz(3) not null,
  unique (session_id, sequence)
);
create unique index message_client_message_id_idx
  on assist.message (session_id, client_message_id) where client_message_id is not null;

create table assist.tool_call (
  tool_call_id text primary key,
  session_id text not null references assist.session,
  name text not null,
  -- Sealed, as is the result.
  args text not null,
  arguments_hash text not null,
  state text not null,
  is_tainted boolean not null,
  requested_at timestamptz(3) not null,
  expires_at timestamptz(3),
  edited_by text,
  decided_by text,
  decided_at timestamptz(3),
  reason text,
  result text,
  version integer not null
);
create index tool_call_session_idx on assist.tool_call (session_id, requested_at);
create index tool_call_waiting_idx on assist.tool_call (expires_at) where state = 'awaiting-approval';
create index tool_call_approved_idx on assist.tool_call (decided_at) where state = 'approved';

create table assist.transcript_line (
  session_id text not null references assist.session,
  sequence integer not null,
  kind text not null,
  at timestamptz(3) not null,
  -- Masked.
  body text not null,
  hash text not null,
  primary key (session_id, sequence)
);
create function assist.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: transcripts are append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;
create trigger append_only before update or delete or truncate on assist.transcript_line
  for each statement execute function assist.refuse_change();

-- What is switched off: `all`, `type:<x>`, `model:<alias>`, `tool:<x>`.
create table assist.kill_switch (
  scope text primary key,
  is_on boolean not null,
  reason text,
  set_by text not null,
  set_at timestamptz(3) not null,
  version integer not null
);
