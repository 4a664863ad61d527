create schema notifications;

create table notifications.template (
  template_id text primary key,
  template_code text not null,
  channel text not null,
  language text not null,
  edition integer not null,
  status text not null,
  category text not null,
  subject text,
  body text not null,
  variables jsonb not null,
  approvers text[] not null,
  authored_by text not null,
  submitted_at timestamptz(3),
  approved_by text,
  approved_at timestamptz(3),
  rejection_reason text,
  content_hash text not null,
  request_hash text not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index template_template_code_channel_language_edition_key
  on notifications.template (template_code, channel, language, edition);
create index template_created_at_template_id_idx on notifications.template (created_at, template_id);
create index template_template_code_created_at_template_id_idx
  on notifications.template (template_code, created_at, template_id);
create index template_status_created_at_template_id_idx
  on notifications.template (status, created_at, template_id);
-- The database itself holds the rule that one text is in force.
create unique index template_active_key
  on notifications.template (template_code, channel, language) where status = 'active';

create table notifications.notification (
  notification_id text primary key,
  party_id text not null,
  channel text not null,
  template_code text not null,
  template_id text not null references notifications.template,
  category text not null,
  language text not null,
  subject text,
  -- Text, because jsonb would not answer the members in the order they were sent.
  personalization text,
  status text not null,
  suppression_reason text,
  failure_reason text,
  rendered_subject text,
  rendered_body text,
  provider text,
  attempts jsonb not null,
  send_at timestamptz(3),
  due_at timestamptz(3),
  lease_id text,
  delivered_at timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index notification_created_at_notification_id_idx
  on notifications.notification (created_at, notification_id);
create index notification_party_id_created_at_notification_id_idx
  on notifications.notification (party_id, created_at, notification_id);
create index notification_due_at_idx on notifications.notification (due_at) where due_at is not null;

create table notifications.mail (
  mail_id text primary key,
  notification_id text not null references notifications.notification,
  party_id text not null,
  channel text not null,
  address text not null,
  subject text,
  body text not null,
  received_at timestamptz(3) not null
);
create unique index mail_notification_id_key on notifications.mail (notification_id);
create index mail_party_id_received_at_mail_id_idx
  on notifications.mail (party_id, received_at, mail_id);

create table notifications.delivery_report (
  provider text not null,
  message_id text not null,
  status text not null,
  reported_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (provider, message_id, status)
);
