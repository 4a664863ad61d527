-- With which token a session was opened and a tool call was requested, so that an approved call does not
-- run with rights that were revoked meanwhile. It is null for those of a former release.
alter table assist.session add column opener_token jsonb;
alter table assist.tool_call add column requester_token jsonb;
