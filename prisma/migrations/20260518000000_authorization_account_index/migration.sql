-- Each statement by itself.
-- The authorizations of an account, closed ones too, in the order in which they were opened.
drop index concurrently if exists ledger.authorization_account_id_opened_at_idx;
create index concurrently authorization_account_id_opened_at_idx
  on ledger.authorization (account_id, opened_at, client_transaction_id);
