-- One row per process and environment, which the process writes every few seconds: a full disk, a
-- read-only database and a database that does not commit are seen before a client is.
create table kernel.process_probe (
  process_id uuid primary key,
  probed_at timestamptz(3) not null
) with (fillfactor = 50);

-- Writes the row of a process and returns the time of the database. The series does not fit into
-- the memory of the function, so the database writes a temporary file of about 200 kB: the row alone
-- goes to pages and a WAL segment that exist already, and would be written to a full disk. Rows of
-- processes that ended without removing theirs are removed after a day.
create function kernel.probe_write(process uuid) returns timestamptz
language plpgsql set work_mem = '64kB' as $$
begin
  perform count(*) from generate_series(1, 10000);
  delete from kernel.process_probe where probed_at < clock_timestamp() - interval '1 day';
  insert into kernel.process_probe (process_id, probed_at) values (process, clock_timestamp())
    on conflict (process_id) do update set probed_at = excluded.probed_at;
  return clock_timestamp();
end $$;
