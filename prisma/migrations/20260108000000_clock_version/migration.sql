-- Two who move the clock at once are told apart as everywhere: by the version they decided on.
alter table kernel.clock add column version integer not null default 1;
