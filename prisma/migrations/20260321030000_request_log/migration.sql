-- The requests of clients, with masked bodies. Rows are deleted after 30 days.
create table kernel.request_log (
  entry_id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  client_id text not null,
  party_id text,
  subject text not null,
  method text not null,
  path text not null,
  operation text not null,
  status integer not null,
  duration_ms integer not null,
  idempotency_key text,
  request_id text not null,
  code text,
  request_body text,
  response_body text
);
create index request_log_client_idx on kernel.request_log (client_id, entry_id desc);
create index request_log_at_idx on kernel.request_log using brin (at);
create index request_log_party_idx on kernel.request_log (party_id) where party_id is not null;
create index request_log_subject_idx on kernel.request_log (subject) where party_id is null;
