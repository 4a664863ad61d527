-- Attempts that were refused: one row for what is alike within an hour, with how often.
create table kernel.refusal (
  refusal_id text primary key,
  client_id text,
  party_id text,
  subject text,
  operation text not null,
  code text not null,
  resource_id text,
  is_there boolean,
  count bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  request_id text
);
create index refusal_first_at_refusal_id_idx on kernel.refusal (first_at desc, refusal_id desc);
