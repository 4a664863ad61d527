create schema channels;

create table channels.channel (
  channel_id text primary key,
  name text not null,
  medium text not null,
  capabilities text[] not null,
  hours jsonb,
  status text not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index channel_created_at_channel_id_idx on channels.channel (created_at, channel_id);

create table channels.queue (
  queue_id text primary key,
  name text not null,
  description text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index queue_created_at_queue_id_idx on channels.queue (created_at, queue_id);

create table channels.routing_profile (
  routing_profile_id text primary key,
  name text not null,
  kind text not null,
  status text not null,
  queues jsonb not null,
  media_concurrencies jsonb not null,
  default_outbound_queue_id text,
  agent_availability_timer text not null,
  skills text[] not null,
  languages text[] not null,
  segments text[] not null,
  relationship_manager_ids text[] not null,
  fallback_profile_id text references channels.routing_profile,
  hours jsonb,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- Names are told apart without case; an archived profile gives its name free.
create unique index routing_profile_name_key
  on channels.routing_profile (lower(name)) where status <> 'archived';
create index routing_profile_created_at_routing_profile_id_idx
  on channels.routing_profile (created_at, routing_profile_id);

create table channels.agent (
  agent_id text primary key,
  name text not null,
  routing_profile_id text not null references channels.routing_profile,
  skills text[] not null,
  languages text[] not null,
  status text not null,
  load jsonb not null,
  last_activity_at timestamptz(3) not null,
  last_inbound_at timestamptz(3) not null,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index agent_created_at_agent_id_idx on channels.agent (created_at, agent_id);
create index agent_routing_profile_id_idx on channels.agent (routing_profile_id);

create table channels.relationship (
  party_id text primary key,
  agent_id text not null references channels.agent,
  version integer not null,
  assigned_at timestamptz(3) not null
);

create table channels.interaction (
  interaction_id text primary key,
  party_id text,
  case_id text,
  channel text not null,
  channel_id text references channels.channel,
  direction text not null,
  subject text not null,
  notes text,
  language text,
  segment text,
  skills text[] not null,
  routing_profile_id text,
  queue_id text,
  agent_id text,
  status text not null,
  decision jsonb,
  waiting_since timestamptz(3),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index interaction_created_at_interaction_id_idx
  on channels.interaction (created_at, interaction_id);
create index interaction_party_id_created_at_interaction_id_idx
  on channels.interaction (party_id, created_at, interaction_id);
create index interaction_case_id_created_at_interaction_id_idx
  on channels.interaction (case_id, created_at, interaction_id);
create index interaction_waiting_since_idx
  on channels.interaction (waiting_since, interaction_id) where status = 'waiting';
