-- Collections: strategies, the episodes of arrears that they pursue, and the steps that were taken.
create schema collections;

create table collections.strategy (
  collections_strategy_id text primary key,
  effective_from date not null,
  product_id text,
  segment text,
  minimum_amounts jsonb not null,
  days_between_letters integer not null,
  steps jsonb not null,
  status text not null,
  reason text not null,
  proposed_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index strategy_created_at_idx on collections.strategy (created_at, collections_strategy_id);
create index strategy_effective_idx on collections.strategy (effective_from) where status = 'approved';

create table collections.episode (
  collections_episode_id text primary key,
  -- The facility or the account in arrears, such as facility/fac_1 or arrangement/arr_1.
  contract text not null,
  party_id text not null,
  currency text not null,
  status text not null,
  opened_on date not null,
  evaluated_on date not null,
  days_past_due integer not null,
  arrears_minor bigint not null,
  past_due_since date not null,
  collections_strategy_id text not null references collections.strategy,
  pause_reason text,
  paused_until date,
  next_step_code text,
  next_step_on date,
  case_id text,
  case_state text not null,
  closed_on date,
  close_reason text,
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index episode_created_at_idx on collections.episode (created_at, collections_episode_id);
create index episode_party_idx on collections.episode (party_id, created_at, collections_episode_id);
create index episode_contract_idx on collections.episode (contract, created_at);
-- However many processes find the same arrears, one episode is open.
create unique index episode_open_idx on collections.episode (contract) where status = 'open';
create index episode_evaluated_idx on collections.episode (evaluated_on, collections_episode_id)
  where status = 'open';
create index episode_case_to_close_idx on collections.episode (collections_episode_id)
  where status = 'closed' and case_state = 'open';

create table collections.step (
  collections_step_id text primary key,
  collections_episode_id text not null references collections.episode,
  party_id text not null,
  code text not null,
  action text not null,
  state text not null,
  decided_on date not null,
  days_past_due integer not null,
  arrears_minor bigint not null,
  currency text not null,
  past_due_since date not null,
  template_code text,
  channel text,
  priority text,
  routing_profile_id text,
  notification_id text,
  -- Whether the letter is still to be stored as a document.
  document_state text not null,
  document_id text,
  case_id text,
  failure_code text,
  taken_at timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- Each step is taken at most once per episode.
create unique index step_once_idx on collections.step (collections_episode_id, code);
create index step_party_idx on collections.step (party_id);
create index step_due_idx on collections.step (created_at, collections_step_id) where state = 'due';
create index step_undocumented_idx on collections.step (collections_step_id)
  where document_state = 'wanted';

create table collections.run (
  business_date text primary key,
  status text not null,
  phase text not null,
  checkpoint text,
  processed integer not null,
  steps integer not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index run_created_at_idx on collections.run (created_at, business_date);
