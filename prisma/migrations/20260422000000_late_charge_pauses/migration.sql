-- The periods in which a facility has no late charges. A facility of the former release has none.
alter table lending.facility add column late_charge_pauses text not null default '[]';
