-- The phase of the nightly run to which a job belongs; null for jobs that are no steps of it.
alter table kernel.job add column nightly_phase text;
