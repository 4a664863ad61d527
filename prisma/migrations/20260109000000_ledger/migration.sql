create schema ledger;

create table ledger.account (
  account_id text primary key,
  code text not null,
  arrangement_id text,
  party_id text,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  normal_side text not null check (normal_side in ('debit', 'credit')),
  currency text not null,
  policy text not null check (policy in ('guarded', 'unguarded', 'deferred'))
);
create index account_party_id_idx on ledger.account (party_id) where party_id is not null;

-- One row per account and address holds all three phases, so that a decision locks one row per account.
-- Totals only grow. The row of a deferred account holds what the job has folded in, up to entry_count.
create table ledger.balance (
  account_id text not null references ledger.account,
  address text not null,
  committed_debit bigint not null check (committed_debit >= 0),
  committed_credit bigint not null check (committed_credit >= 0),
  pending_in_debit bigint not null check (pending_in_debit >= 0),
  pending_in_credit bigint not null check (pending_in_credit >= 0),
  pending_out_debit bigint not null check (pending_out_debit >= 0),
  pending_out_credit bigint not null check (pending_out_credit >= 0),
  overdraft_limit bigint not null check (overdraft_limit >= 0),
  blocked_for text check (blocked_for in ('debit', 'credit', 'all')),
  is_closed boolean not null,
  entry_count bigint not null,
  last_booked_at timestamptz(3),
  version integer not null,
  primary key (account_id, address)
) with (fillfactor = 70);

create table ledger.posting_batch (
  batch_id text primary key,
  client_id text not null,
  client_batch_id text,
  status text not null check (status in ('accepted', 'rejected')),
  size integer not null,
  booked_at timestamptz(3) not null
);
create unique index posting_batch_client_batch_id_idx
  on ledger.posting_batch (client_id, client_batch_id) where client_batch_id is not null;

create table ledger.posting_instruction (
  posting_instruction_id text primary key,
  batch_id text,
  ordinal integer not null,
  type text not null,
  status text not null check (status in ('accepted', 'rejected')),
  client_id text not null,
  client_transaction_id text,
  reverses_id text,
  booked_at timestamptz(3) not null,
  value_date date not null,
  -- What was asked and what was violated. Never read by a query's condition.
  details text not null
);
create index posting_instruction_batch_idx
  on ledger.posting_instruction (batch_id, ordinal) where batch_id is not null;
create index posting_instruction_chain_idx
  on ledger.posting_instruction (client_id, client_transaction_id)
  where client_transaction_id is not null;
create unique index posting_instruction_reverses_idx
  on ledger.posting_instruction (reverses_id) where reverses_id is not null and status = 'accepted';

create table ledger.entry (
  account_id text not null,
  address text not null,
  sequence bigint not null,
  posting_instruction_id text not null,
  ordinal integer not null,
  phase text not null check (phase in ('committed', 'pending-in', 'pending-out')),
  side text not null check (side in ('debit', 'credit')),
  amount bigint not null check (amount > 0),
  currency text not null,
  booked_at timestamptz(3) not null,
  value_date date not null,
  -- What the account came to; null on a deferred account.
  committed_after bigint,
  pending_in_after bigint,
  pending_out_after bigint,
  available_after bigint,
  primary key (account_id, address, sequence)
);
create index entry_posting_instruction_id_idx on ledger.entry (posting_instruction_id, ordinal);
create index entry_booked_at_idx on ledger.entry using brin (booked_at);

-- Entries of deferred accounts are numbered from here: ascending, with gaps.
create sequence ledger.deferred_sequence;

create table ledger.authorisation (
  client_id text not null,
  client_transaction_id text not null,
  account_id text not null,
  contra_id text not null,
  direction text not null check (direction in ('in', 'out')),
  currency text not null,
  authorised bigint not null,
  settled bigint not null,
  released bigint not null,
  open bigint not null check (open >= 0),
  exceeded bigint not null,
  state text not null,
  expires_at timestamptz(3),
  opened_at timestamptz(3) not null,
  opened_by text not null,
  version integer not null,
  primary key (client_id, client_transaction_id),
  check (authorised = settled + released + open)
);
create index authorisation_expires_at_idx on ledger.authorisation (expires_at) where open > 0;
create index authorisation_account_id_idx on ledger.authorisation (account_id) where open > 0;

-- How far the entries of deferred accounts may be folded, and when that was so.
create table ledger.fold (
  id boolean primary key default true check (id),
  up_to bigint not null,
  seen_up_to bigint not null,
  seen_at timestamptz(3) not null
);
insert into ledger.fold (up_to, seen_up_to, seen_at) values (0, 0, now());

-- The journal in the order of the event log, each line sealed with the one before it.
create table ledger.seal (
  line bigint primary key,
  posting_instruction_id text not null unique,
  position bigint not null,
  hash text not null
);

-- The journal is written once. Corrections are new entries.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the journal is append-only', tg_op, tg_table_name
    using errcode = 'BG003';
end $$;
create trigger append_only before update or delete or truncate on ledger.entry
  for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.posting_instruction
  for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.posting_batch
  for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.seal
  for each statement execute function ledger.refuse_change();

-- The last line: whoever inserts entries, per posting, currency and phase debits equal credits.
create function ledger.require_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from inserted group by posting_instruction_id, currency, phase
    having sum(case side when 'debit' then amount else -amount end) <> 0
  ) then
    raise exception 'entries do not balance' using errcode = 'BG004';
  end if;
  return null;
end $$;
create trigger balanced after insert on ledger.entry
  referencing new table as inserted
  for each statement execute function ledger.require_balanced();

-- Books what was decided on the balances of the given versions: writes each balance in the order
-- it is given in, which is that of the ids, so that no two calls wait for each other, and holds it to its
-- version; then inserts the entries. Another version raises BG001, and the whole statement it is
-- part of is undone. The planner is kept from anything but going through `changed` in order.
create function ledger.book(changed ledger.balance[], booked ledger.entry[]) returns bigint
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  met bigint;
  written bigint;
begin
  update ledger.balance b set
    committed_debit = c.committed_debit, committed_credit = c.committed_credit,
    pending_in_debit = c.pending_in_debit, pending_in_credit = c.pending_in_credit,
    pending_out_debit = c.pending_out_debit, pending_out_credit = c.pending_out_credit,
    entry_count = c.entry_count, last_booked_at = c.last_booked_at, version = c.version + 1
  from unnest(changed) c
  where b.account_id = c.account_id and b.address = c.address and b.version = c.version;
  get diagnostics met = row_count;
  if met <> cardinality(changed) then
    raise exception 'balances moved: % are as decided on', met using errcode = 'BG001';
  end if;
  insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side,
    amount, currency, booked_at, value_date, committed_after, pending_in_after, pending_out_after,
    available_after)
  select account_id, address, coalesce(sequence, nextval('ledger.deferred_sequence')),
    posting_instruction_id, ordinal, phase, side, amount, currency, booked_at, value_date,
    committed_after, pending_in_after, pending_out_after, available_after
  from unnest(booked);
  get diagnostics written = row_count;
  return written;
end $$;

-- The last entry of a locked account booked at or before an instant: its entries never go back in
-- time and are numbered without gaps, so it is found by halving.
create function ledger.last_sequence_at(of_account text, at_address text, until timestamptz) returns bigint
language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint;
  middle bigint;
  booked timestamptz;
begin
  select entry_count into high from ledger.balance where account_id = of_account and address = at_address;
  while low < high loop
    middle := (low + high + 1) / 2;
    select booked_at into booked from ledger.entry
      where account_id = of_account and address = at_address and sequence = middle;
    if booked <= until then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- Accounts that were opened before there was a ledger.
insert into ledger.account (account_id, code, arrangement_id, party_id, type, normal_side, currency, policy)
select arrangement_id, 'customer', arrangement_id, party_id, 'liability', 'credit', currency, 'guarded'
from accounts.arrangement;
insert into ledger.balance
select arrangement_id, 'default', 0, 0, 0, 0, 0, 0, overdraft_limit_minor,
  case when state in ('pending', 'rejected') then 'all' when state = 'blocked' then blocked_for
    when state = 'dormant' then 'debit' end,
  state in ('closed', 'rejected'), 0, null, 1
from accounts.arrangement;

-- Adds the entries of deferred accounts to their balances. An entry takes its number before it is
-- committed, so numbers are folded only when they were given out half a minute ago: no statement
-- of ours runs that long. Any number of processes may call it; one at a time works.
create function ledger.fold_deferred() returns bigint language plpgsql as $$
declare
  done ledger.fold;
begin
  select * into done from ledger.fold for update;
  if done.seen_at > clock_timestamp() - interval '30 seconds' then
    return 0;
  end if;
  update ledger.balance b set
    committed_debit = b.committed_debit + e.committed_debit,
    committed_credit = b.committed_credit + e.committed_credit,
    pending_in_debit = b.pending_in_debit + e.pending_in_debit,
    pending_in_credit = b.pending_in_credit + e.pending_in_credit,
    pending_out_debit = b.pending_out_debit + e.pending_out_debit,
    pending_out_credit = b.pending_out_credit + e.pending_out_credit,
    entry_count = b.entry_count + e.entry_count
  from ledger.totals(done.up_to, done.seen_up_to) e
  where b.account_id = e.account_id and b.address = e.address;
  update ledger.fold set up_to = done.seen_up_to, seen_at = clock_timestamp(),
    seen_up_to = (select case when is_called then last_value else 0 end from ledger.deferred_sequence);
  return done.seen_up_to - done.up_to;
end $$;

-- What the entries of deferred accounts after one number and up to another come to.
create function ledger.totals(after_number bigint, up_to_number bigint)
returns table (account_id text, address text, committed_debit bigint, committed_credit bigint,
  pending_in_debit bigint, pending_in_credit bigint, pending_out_debit bigint,
  pending_out_credit bigint, entry_count bigint)
language sql stable as $$
  select e.account_id, e.address,
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'committed' and e.side = 'credit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-in' and e.side = 'credit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'debit'), 0)::bigint,
    coalesce(sum(e.amount) filter (where e.phase = 'pending-out' and e.side = 'credit'), 0)::bigint,
    count(*)
  from ledger.account a join ledger.entry e on e.account_id = a.account_id
  where a.policy = 'deferred' and e.sequence > after_number and e.sequence <= up_to_number
  group by e.account_id, e.address
$$;

-- Every balance as it is now: the rows, and for deferred accounts what is not folded in yet.
create view ledger.current_balance as
select b.account_id, b.address, a.code, a.type, a.normal_side, a.currency, a.policy,
  b.committed_debit + coalesce(t.committed_debit, 0) as committed_debit,
  b.committed_credit + coalesce(t.committed_credit, 0) as committed_credit,
  b.pending_in_debit + coalesce(t.pending_in_debit, 0) as pending_in_debit,
  b.pending_in_credit + coalesce(t.pending_in_credit, 0) as pending_in_credit,
  b.pending_out_debit + coalesce(t.pending_out_debit, 0) as pending_out_debit,
  b.pending_out_credit + coalesce(t.pending_out_credit, 0) as pending_out_credit,
  b.entry_count + coalesce(t.entry_count, 0) as entry_count
from ledger.balance b join ledger.account a using (account_id)
left join ledger.totals((select up_to from ledger.fold), 9223372036854775807) t
  on t.account_id = b.account_id and t.address = b.address;

-- What is sealed of postings: the posting and its entries in their order. The settings make it the
-- same text whatever the session has.
create function ledger.contents(ids text[]) returns table (posting_instruction_id text, content text)
language sql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  select p.posting_instruction_id, concat_ws(e'\n', p::text, (
    select string_agg(e::text, e'\n' order by e.ordinal) from ledger.entry e
    where e.posting_instruction_id = p.posting_instruction_id))
  from ledger.posting_instruction p where p.posting_instruction_id = any(ids)
$$;

-- The seal of a line: of its content and of the line before it.
create function ledger.seal_of(before text, content text) returns text language sql immutable as $$
  select encode(sha256(convert_to(before || e'\n' || content, 'UTF8')), 'hex')
$$;

-- Seals the postings that the log told since the last time, in its order. Answers how many events
-- it went through. The consumer's row lets one work at a time.
create function ledger.seal_journal(most integer) returns integer language plpgsql as $$
declare
  done bigint;
  reach bigint;
  first_line bigint;
  last_hash text;
  ids text[];
  positions bigint[];
  hashes text[] := '{}';
  told record;
begin
  insert into kernel.consumer (name, position) values ('ledger-seal', 0) on conflict do nothing;
  select position into done from kernel.consumer where name = 'ledger-seal' for update;
  select least(position, done + most) into reach from kernel.head;
  if reach <= done then
    return 0;
  end if;
  select s.line, s.hash into first_line, last_hash from ledger.seal s order by s.line desc limit 1;
  first_line := coalesce(first_line, 0);
  last_hash := coalesce(last_hash, repeat('0', 64));
  select array_agg(substr(e.subject, strpos(e.subject, '/') + 1) order by e.position),
    array_agg(e.position order by e.position) into ids, positions
  from kernel.event e
  where e.position > done and e.position <= reach and e.type like 'payments.posting-instruction.%';
  for told in
    select c.content from unnest(ids) with ordinality t (id, n)
    join ledger.contents(ids) c on c.posting_instruction_id = t.id order by t.n
  loop
    last_hash := ledger.seal_of(last_hash, told.content);
    hashes := hashes || last_hash;
  end loop;
  if cardinality(hashes) <> coalesce(cardinality(ids), 0) then
    raise exception 'the log tells a posting that the journal does not have';
  end if;
  insert into ledger.seal (line, posting_instruction_id, position, hash)
  select first_line + n, id, position, hash from unnest(ids, positions, hashes) with ordinality
    as t (id, position, hash, n);
  update kernel.consumer set position = reach where name = 'ledger-seal';
  return reach - done;
end $$;

-- Compares sealed lines after one with the journal, at most so many. The first that does not fit
-- comes with what is wrong with it.
create function ledger.verify_journal(after_line bigint, after_hash text, most integer)
returns table (line bigint, posting_instruction_id text, hash text, fault text)
language plpgsql stable as $$
declare
  sealed record;
begin
  line := after_line;
  hash := after_hash;
  for sealed in
    with lines as (
      select s.line, s.posting_instruction_id as id, s.hash from ledger.seal s
      where s.line > after_line order by s.line limit most
    )
    select lines.*, c.content from lines
    left join ledger.contents((select array_agg(id) from lines)) c on c.posting_instruction_id = lines.id
    order by lines.line
  loop
    posting_instruction_id := sealed.id;
    fault := case
      when sealed.line <> line + 1 then 'A line is missing before this one.'
      when sealed.content is null then 'The posting is missing.'
      when ledger.seal_of(hash, sealed.content) <> sealed.hash then 'The posting is not what was sealed.'
    end;
    line := line + 1;
    if fault is not null then
      return next;
      return;
    end if;
    hash := sealed.hash;
  end loop;
  return next;
end $$;
