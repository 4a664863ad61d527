-- The delinquency buckets as agreed when a facility is opened, and the bucket it is in. Facilities
-- that are open already were agreed without.
alter table lending.facility
  add column delinquency_buckets text not null default '',
  add column delinquency_bucket text;
create index facility_delinquency_bucket on lending.facility
  (delinquency_bucket, created_at, facility_id) where delinquency_bucket is not null;
