-- What the state of a published record means for records that refer to it: open, ending or ended.
update kernel.fact f set version = f.version + 1, data = f.data || jsonb_build_object('lifecycle',
  case when f.data ->> 'state' in ('closed', 'rejected', 'cancelled') then 'ended'
       when f.data ->> 'state' = 'pending-closure' then 'ending' else 'open' end)
where starts_with(f.subject, 'arrangement/');
update kernel.fact f set version = f.version + 1, data = f.data || jsonb_build_object('lifecycle',
  case when f.data ->> 'state' in ('approved', 'active', 'in-arrears') then 'open'
       when f.data ->> 'state' = 'charged-off' then 'ending' else 'ended' end)
where starts_with(f.subject, 'facility/');
update kernel.fact f set version = f.version + 1, data = f.data || jsonb_build_object('lifecycle',
  case when f.data ->> 'status' = 'open' then 'open' else 'ended' end)
where starts_with(f.subject, 'fee-receivable/');
