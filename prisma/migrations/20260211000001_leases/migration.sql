-- Leases end by the clock of the database, and are freed by whoever holds them.
alter table operations.fee_run add column lease_id text;
update operations.fee_run set leased_until = null where leased_until is not null;

-- A leased notification stays due; its lease has an end of its own.
alter table notifications.notification add column lease_until timestamptz(3);
update notifications.notification set lease_id = null where lease_id is not null and due_at is not null;
