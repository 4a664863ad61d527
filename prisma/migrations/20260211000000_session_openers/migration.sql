-- Sessions that a user opens near the limit wait for each other on this row.
create table assist.session_opener (
  client_id text not null,
  user_id text not null,
  version int not null,
  primary key (client_id, user_id)
);
