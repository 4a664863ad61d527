-- Fees on events did not exist before, so their worker need not read the log of the years before the upgrade.
insert into kernel.consumer (name, position)
select 'operations.trigger-fees', position from kernel.head
on conflict (name) do nothing;
