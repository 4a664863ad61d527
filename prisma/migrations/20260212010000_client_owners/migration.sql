-- Who is answerable for a registered client, whose decisions it may record, and what waits for a second person.
alter table operations.oauth_client
  add column owner text,
  add column acts_for text[] not null default '{}',
  add column proposal jsonb;

-- The owner is whoever registered the client; where that was a client, its owner, up to the first one.
with recursive registered as (
  select c.client_id, coalesce(
      (select e.actor from kernel.event e where e.subject = 'oauth-client/' || c.client_id and e.sequence = 1),
      c.client_id) as registrant
  from operations.oauth_client c
), owned (client_id, owner, depth) as (
  select client_id, registrant, 1 from registered
  union all
  select o.client_id, r.registrant, o.depth + 1 from owned o join registered r on r.client_id = o.owner
  where r.registrant <> r.client_id and o.depth < 20
)
update operations.oauth_client c set owner = o.owner
from (select distinct on (client_id) client_id, owner from owned order by client_id, depth desc) o
where o.client_id = c.client_id;

alter table operations.oauth_client alter column owner set not null;

insert into kernel.fact (subject, version, data)
select 'principal/' || client_id, 1, jsonb_build_object('owner', owner, 'actsFor', acts_for)
from operations.oauth_client;
