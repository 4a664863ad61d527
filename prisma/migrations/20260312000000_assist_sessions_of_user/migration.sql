-- People continue their own conversations, the latest first.
create index session_user_id_created_at_session_id_idx
  on assist.session (user_id, created_at, session_id);
