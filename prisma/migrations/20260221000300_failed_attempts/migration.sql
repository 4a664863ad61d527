-- Failed log-ins and wrong client secrets, counted for all processes together. Keys are keyed hashes of what was
-- tried and from where; rows are forgotten an hour after the last failure.
create unlogged table oauth.failed_attempt (
  key text primary key,
  count integer not null,
  wait_until timestamptz not null,
  forget_at timestamptz not null
);
create index failed_attempt_forget_idx on oauth.failed_attempt (forget_at);

-- Counts a failure under all of the keys, unless one of them has to wait and it is not forced. Returns how long to
-- wait, in milliseconds, as it was before, and the count of each key. Keys are locked in one order, so that
-- attempts in all processes see each other and do not deadlock. Time is the database's own.
create function oauth.count_failure(keys text[], free integer[], max_delay_ms bigint[], is_forced boolean,
  out delay_ms bigint, out counts integer[]) language plpgsql as $$
declare
  each text;
  at timestamptz;
begin
  for each in select k from unnest(keys) k order by k loop
    perform pg_advisory_xact_lock(hashtextextended(each, 93));
  end loop;
  at := clock_timestamp();
  select coalesce(ceil(extract(epoch from max(f.wait_until) - at) * 1000), 0) into delay_ms
    from oauth.failed_attempt f where f.key = any(keys) and f.forget_at > at and f.wait_until > at;
  if delay_ms > 0 and not is_forced then
    counts := array[]::integer[];
    return;
  end if;
  insert into oauth.failed_attempt as f (key, count, wait_until, forget_at)
    select k, 1, at, at + interval '1 hour' from unnest(keys) k
    on conflict (key) do update set
      count = case when f.forget_at <= at then 1 else f.count + 1 end,
      forget_at = excluded.forget_at;
  update oauth.failed_attempt f set wait_until = at + oauth.failure_delay(f.count, k.free, k.max_delay)
    from unnest(keys, free, max_delay_ms) k (key, free, max_delay) where f.key = k.key;
  select array_agg(f.count order by k.position) into counts
    from unnest(keys) with ordinality k (key, position) join oauth.failed_attempt f using (key);
end $$;

-- The delay after so many failures: none for the free ones, then a second that doubles with each, up to the longest.
create function oauth.failure_delay(count integer, free integer, max_delay_ms bigint) returns interval
  language sql immutable as
$$ select case when count < free then interval '0'
     else least(max_delay_ms, 1000 * 2 ^ least(count - free, 30)) * interval '1 millisecond' end $$;
