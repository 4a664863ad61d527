-- A second wall: for whoever acts for a party the database itself says which rows are theirs. Of what a
-- party reads it is asked, as a role that sees the rows of one party alone, what is not theirs. The bank's own work, and every
-- commit, is the owner's, whom the policies do not concern and whom they cost nothing.

create function kernel.reading_party() returns text language sql stable
  return current_setting('bank.party', true);

-- Wider than the right: which right, until when and whether it still stands is the first wall's to say.
create function parties.is_granted(named text) returns boolean language sql stable security definer
  set search_path = '' as
$$ select exists (select from parties.entitlement
     where grantee_party_id = kernel.reading_party() and resource = named) $$;

-- Lets parties see rows of a table on a condition. The policy has the name of the model in Prisma's schema.
-- `kernel.hidden_<model>(party, ids)` answers those ids that are not the party's to see; it runs as the role of the
-- parties, in one statement and for that statement only.
create function kernel.secure_table(model text, named regclass, condition text) returns void
language plpgsql as $body$
declare
  home name := (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = named);
  key name := (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = named and i.indisprimary);
begin
  execute format('alter table %s enable row level security', named);
  execute format('drop policy if exists %I on %s', model, named);
  execute format('create policy %I on %s for select to bankgraph_party using (%s)', model, named, condition);
  -- A role that is neither the owner nor the parties' sees all of it, as before.
  execute format('drop policy if exists bank on %s', named);
  execute format('create policy bank on %s using (current_user <> ''bankgraph_party'')', named);
  execute format('grant usage on schema %I to bankgraph_party', home);
  execute format('grant select on %s to bankgraph_party', named);
  execute format('drop function if exists kernel.%I(text, text[])', 'hidden_' || model);
  execute format($f$
    create function kernel.%I(party text, ids text[]) returns setof text
    language plpgsql security definer set search_path = '' as $$
    begin
      perform set_config('bank.party', party, true);
      return query select id from unnest(ids) id where id not in (select %I from %s where %I = any(ids));
    end $$ $f$, 'hidden_' || model, key, named, key);
  execute format('revoke execute on function kernel.%I(text, text[]) from public', 'hidden_' || model);
  execute format('grant execute on function kernel.%I(text, text[]) to %I', 'hidden_' || model, current_user);
  execute format('alter function kernel.%I(text, text[]) owner to bankgraph_party', 'hidden_' || model);
end $body$;

-- Makes the role, which is the whole cluster's, and the policies; may be done again.
create function kernel.secure_rows() returns void language plpgsql as $body$
declare
  each record;
begin
  begin
    create role bankgraph_party nologin;
  exception when duplicate_object or unique_violation then null;
  end;
  if not pg_has_role(current_user, 'bankgraph_party', 'member') then
    execute format('grant bankgraph_party to %I', current_user);
  end if;
  grant usage on schema parties to bankgraph_party;
  -- Only to become the owner of its functions.
  grant usage, create on schema kernel to bankgraph_party;
  for each in select * from (values
    ('party', 'parties.party', $$party_id = kernel.reading_party()$$),
    ('customer', 'parties.customer', $$party_id = kernel.reading_party()$$),
    ('agreement', 'parties.agreement', $$party_id = kernel.reading_party() or parties.is_granted('agreement/' || agreement_id)$$),
    ('entitlement', 'parties.entitlement', $$kernel.reading_party() in (grantor_party_id, grantee_party_id)$$),
    ('accountArrangement', 'accounts.arrangement', $$party_id = kernel.reading_party() or parties.is_granted('arrangement/' || arrangement_id)$$),
    ('notification', 'notifications.notification', $$party_id = kernel.reading_party()$$),
    ('mail', 'notifications.mail', $$party_id = kernel.reading_party()$$),
    ('caseFile', 'casework.case_file', $$party_id = kernel.reading_party()$$),
    ('document', 'casework.document', $$party_id = kernel.reading_party()$$),
    ('interaction', 'channels.interaction', $$party_id = kernel.reading_party()$$),
    ('assistSession', 'assist.session', $$kernel.reading_party() in (acting_party_id, subject_party_id)$$),
    ('facility', 'lending.facility', $$party_id = kernel.reading_party()$$),
    ('drawdown', 'lending.drawdown', $$party_id = kernel.reading_party()$$),
    ('repayment', 'lending.repayment', $$party_id = kernel.reading_party()$$),
    ('extraPayment', 'lending.extra_payment', $$party_id = kernel.reading_party()$$),
    ('paymentHoliday', 'lending.payment_holiday', $$party_id = kernel.reading_party()$$),
    ('hardshipRequest', 'lending.hardship_request', $$party_id = kernel.reading_party()$$),
    ('loanApplication', 'origination.loan_application', $$party_id = kernel.reading_party()$$),
    ('creditDecision', 'origination.credit_decision', $$party_id = kernel.reading_party()$$),
    ('payment', 'payments.payment', $$kernel.reading_party() in (party_id, creditor_party_id) or parties.is_granted('arrangement/' || debtor_arrangement_id)$$),
    ('standingOrder', 'payments.standing_order', $$party_id = kernel.reading_party()$$),
    ('productOffer', 'products.product_offer', $$party_id is null or party_id = kernel.reading_party()$$),
    ('pricingQuote', 'products.pricing_quote', $$party_id is null or party_id = kernel.reading_party()$$)
  ) as v (model, named, condition) loop
    perform kernel.secure_table(each.model, each.named::regclass, each.condition);
  end loop;
  revoke create on schema kernel from bankgraph_party;
end $body$;

-- Who may make no roles goes on with the first wall alone, and is told how to have the second.
do $$
begin
  perform kernel.secure_rows();
exception when insufficient_privilege then
  raise notice 'row security is off: %', sqlerrm;
end $$;
