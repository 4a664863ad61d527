create schema if not exists events;

create table events.subscription (
  subscription_id text primary key,
  client_id text not null,
  event_type text not null,
  status text not null,
  party_id text,
  customer_id text,
  subject text,
  payload_mode text not null,
  description text,
  -- Hears what comes after this position of the log, up to that one once it is active no more.
  after_position bigint not null,
  until_position bigint,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index subscription_client_id_created_at_subscription_id_idx
  on events.subscription (client_id, created_at, subscription_id);

create table events.endpoint (
  endpoint_id text primary key,
  client_id text not null,
  url text not null,
  description text,
  status text not null,
  status_reason text,
  -- Sealed, the newest first.
  secrets jsonb not null,
  after_position bigint not null,
  content_hash text not null,
  -- How it fares. The deliverer's bookkeeping, which is no change of the endpoint: the version stays.
  failures integer not null,
  failing_since timestamptz(3),
  held_until timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index endpoint_client_id_created_at_endpoint_id_idx
  on events.endpoint (client_id, created_at, endpoint_id);

-- How many a client has that are not deleted; two that want the last place meet here.
create table events.client (
  client_id text primary key,
  subscriptions integer not null,
  endpoints integer not null
);

create table events.delivery (
  delivery_id text primary key,
  endpoint_id text not null references events.endpoint,
  position bigint not null,
  event_id text not null,
  event_type text not null,
  subject text not null,
  subscription_ids text[] not null,
  is_full boolean not null,
  status text not null,
  -- The delivery it repeats, when its owner asked for a delivered event once more.
  replay_of text,
  attempts integer not null,
  -- Its place in the schedule of retries.
  step integer not null,
  -- When it is to be tried; nothing for one that has ended.
  next_at timestamptz(3),
  -- Real time, of this database: until then it is on its way.
  lease_until timestamptz(3),
  lease_id text,
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index delivery_endpoint_id_position_key
  on events.delivery (endpoint_id, position) where replay_of is null;
create index delivery_endpoint_id_position_idx on events.delivery (endpoint_id, position);
create index delivery_endpoint_id_next_at_position_idx
  on events.delivery (endpoint_id, next_at, position) where next_at is not null;
create index delivery_endpoint_id_subject_position_idx
  on events.delivery (endpoint_id, subject, position) where status = 'pending';
create index delivery_endpoint_id_lease_until_idx
  on events.delivery (endpoint_id, lease_until) where lease_until is not null;
create index delivery_endpoint_id_created_at_delivery_id_idx
  on events.delivery (endpoint_id, created_at, delivery_id);
create index delivery_dead_endpoint_id_position_idx
  on events.delivery (endpoint_id, position) where status = 'dead-lettered';
create index delivery_updated_at_idx on events.delivery (updated_at) where next_at is null;

create table events.attempt (
  delivery_id text not null references events.delivery on delete cascade,
  number integer not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response text,
  primary key (delivery_id, number)
);

-- How far deliveries have been planned.
insert into kernel.consumer (name, position) values ('events.webhooks', 0);
