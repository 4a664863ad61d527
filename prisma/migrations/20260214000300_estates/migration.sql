-- When a death became known to the bank: orders and powers of attorney given before it no longer hold.
alter table parties.party add column death_recorded_at timestamptz(3);
update parties.party set death_recorded_at = updated_at where status = 'deceased';
update kernel.fact f set version = f.version + 1,
    data = f.data || jsonb_build_object('deathRecordedAt', p.death_recorded_at)
  from parties.party p where f.subject = 'party/' || p.party_id;
