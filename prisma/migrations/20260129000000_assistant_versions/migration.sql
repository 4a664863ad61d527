-- What an assistant of a type is for and may use. What it says never changes: a change is a new version.
create table assist.assistant_version (
  assistant_version_id text primary key,
  assistant_type text not null,
  number integer not null,
  status text not null,
  purpose text not null,
  is_for_customers boolean not null,
  tools text[] not null,
  consent text not null,
  max_messages integer not null,
  max_tokens integer not null,
  max_cost_micros integer not null,
  drafted_by text not null,
  published_by text,
  published_at timestamptz(3),
  retired_at timestamptz(3),
  content_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (assistant_type, number),
  -- One at a time is published; looked at when the statement that changes it is over.
  constraint one_published exclude using btree (assistant_type with =)
    where (status = 'published') deferrable initially immediate
);

-- The assistants the bank comes with.
insert into assist.assistant_version values
  ('asv_servicing-agent_1', 'servicing-agent', 1, 'published', 'Helps people of the bank to answer what a customer asks.', false,
   array['list_accounts', 'get_balance', 'list_entries', 'get_loan', 'get_payoff', 'get_application', 'get_case', 'read_document', 'preview_drawdown', 'preview_extra_payment', 'preview_payment_holiday', 'transfer', 'make_extra_payment', 'request_payment_holiday'],
   'outside-model', 400, 200000, 2000000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z'),
  ('asv_relationship-manager_1', 'relationship-manager', 1, 'published', 'Prepares a conversation with a customer.', false,
   array['list_accounts', 'get_balance', 'list_entries', 'get_loan', 'get_payoff', 'get_application', 'get_case', 'preview_drawdown', 'preview_extra_payment', 'preview_payment_holiday'],
   'outside-model', 400, 200000, 2000000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z'),
  ('asv_credit-analyst_1', 'credit-analyst', 1, 'published', 'Gathers what a credit decision is made on. It never decides.', false,
   array['list_accounts', 'get_balance', 'list_entries', 'get_loan', 'get_payoff', 'get_application', 'get_case', 'read_document'],
   'always', 400, 200000, 2000000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z'),
  ('asv_collections-agent_1', 'collections-agent', 1, 'published', 'Explains arrears and what can be done about them.', false,
   array['list_accounts', 'get_balance', 'list_entries', 'get_loan', 'get_payoff', 'get_application', 'get_case', 'preview_extra_payment', 'preview_payment_holiday'],
   'outside-model', 400, 200000, 2000000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z'),
  ('asv_customer-self-service_1', 'customer-self-service', 1, 'published', 'Answers customers about what is theirs.', true,
   array['list_accounts', 'get_balance', 'list_entries', 'get_loan', 'get_payoff', 'get_application', 'preview_drawdown', 'preview_extra_payment', 'preview_payment_holiday', 'transfer', 'make_extra_payment', 'request_payment_holiday'],
   'outside-model', 50, 50000, 500000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z'),
  ('asv_operations-analyst_1', 'operations-analyst', 1, 'published', 'Answers questions about the running of the bank.', false,
   array['list_accounts', 'get_balance', 'list_entries', 'get_case'],
   'outside-model', 400, 200000, 2000000, 'bankgraph', 'bankgraph', '2026-01-01Z', null, 'seed', 1, '2026-01-01Z', '2026-01-01Z');

-- The version a session was opened with; null for a type nobody set up.
alter table assist.session add column assistant_version_id text references assist.assistant_version;
update assist.session s set assistant_version_id = v.assistant_version_id
  from assist.assistant_version v where v.assistant_type = s.assistant_type;
