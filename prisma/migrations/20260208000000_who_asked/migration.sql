-- Who spoke when an assistant asked for a tool: not always who opened the session, and never who approves it.
alter table assist.tool_call add column asked_by text;
