-- Parties are found by what their names begin with, and by their addresses.
create index party_given_name_idx on parties.party (lower(given_name) text_pattern_ops);
create index party_family_name_idx on parties.party (lower(family_name) text_pattern_ops);
create index party_organisation_name_idx on parties.party (lower(organisation_name) text_pattern_ops);
create index party_contact_points_idx on parties.party using gin (contact_points jsonb_path_ops);
